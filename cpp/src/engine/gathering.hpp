// Where findings go while rules make them: a million of them must not be a million in memory.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/group.hpp"
#include "engine/run.hpp"
#include "engine/symbol_names.hpp"
#include "provenance/provenance.hpp"

namespace trtcheck::engine {

class Gathering {
 public:
  Gathering(const Model& model, const Shapes& shapes, Product product, const Selection& selection,
            const Listing& listing)
      : model_(&model),
        shapes_(&shapes),
        product_(product),
        selection_(&selection),
        listing_(&listing),
        provenances_(model),
        groups_(model),
        symbols_(model, shapes) {}

  /// For another run on the same model; what is here is dropped.
  void begin(Product product, const Listing& listing);
  /// Nothing is kept, findings are counted only.
  void rehearse(bool on) noexcept { is_rehearsed_ = on; }
  [[nodiscard]] std::size_t heard() const noexcept { return heard_; }
  /// See rules::lists_all.
  [[nodiscard]] bool lists_all() const noexcept { return listing_->most == 0; }
  /// See rules::is_beyond_listing. The finding that is being filled in does not count yet.
  [[nodiscard]] bool is_beyond_listing(const Rule& rule) const;

  /// A finding before and after it was completed; nothing: nobody needed it complete.
  struct Kept {
    Finding raw;
    std::optional<Finding> complete;
  };
  /// How many findings of one rule and severity a call made: those that are kept, and those beyond the listing.
  struct Tally {
    const Rule* rule;
    Severity severity;
    std::size_t kept = 0;
    std::size_t beyond = 0;
  };
  /// What one call added. Where nothing but the listing decides what is kept, the rest is counted only: a million of
  /// them must not be a million in memory.
  struct Noted {
    std::vector<Kept> findings;
    std::vector<Tally> tallies;
    std::size_t deselected = 0;
    std::size_t most = 0;  ///< findings that there is room for
    bool is_whole = true;  ///< there was room for all
  };
  /// What is added from now on is noted in `into`, too, until the next call; nullptr: in nothing.
  void note_in(Noted* into);
  /// Adds again what was noted, of another run on the same model.
  /// @return false: what went before in this run is another one, so that others would be listed; nothing was added
  [[nodiscard]] bool repeat(const Noted& noted);

  /// A new finding, to be filled in until the next call of a member: then it is completed and kept, or counted.
  [[nodiscard]] Finding& add(const Rule& rule, NodeId node, std::string message);

  /// What was kept, in the order in which it came, and what was counted.
  [[nodiscard]] RunResult finish();

 private:
  /// One finding in several calls of one model-local function.
  struct Repeated {
    std::size_t first;      ///< index of the one that is kept; beyond all of them when it is only counted
    std::size_t calls = 0;  ///< in how many others it is
  };
  void settle();
  void complete(Finding& finding);
  void note(const Finding& finding, bool is_kept);
  /// Whether a finding is kept follows from its rule, its severity, and how many there were before.
  [[nodiscard]] bool is_kept_by_count() const;
  [[nodiscard]] bool lists_as_before(const Tally& tally) const;
  [[nodiscard]] bool is_kept(const Finding& finding);
  [[nodiscard]] bool is_repeated(const Finding& finding);

  const Model* model_;
  const Shapes* shapes_;
  Product product_;
  const Selection* selection_;
  const Listing* listing_;
  rules::Provenances provenances_;
  Groups groups_;
  SymbolNames symbols_;
  RunResult result_;
  Noted* noted_ = nullptr;
  bool is_rehearsed_ = false;
  std::size_t heard_ = 0;                                                  ///< findings, in a rehearsal
  Finding unkept_;                                                         ///< the last one of a rehearsal
  bool is_open_ = false;                                                   ///< the last finding is being filled in
  std::map<std::tuple<const Rule*, Severity, bool>, std::size_t> counts_;  ///< by whether they are suppressed
  std::unordered_map<std::string, Repeated> in_calls_;
  Repeated* in_call_ = nullptr;  ///< what is_repeated() has noted of the last finding
};

}  // namespace trtcheck::engine
