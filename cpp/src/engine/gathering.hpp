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
#include "rules/provenance.hpp"

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
        groups_(model) {}

  /// For another run on the same model; what is here is dropped.
  void begin(Product product, const Listing& listing);
  /// Nothing is kept, findings are counted only.
  void rehearse(bool on) noexcept { is_rehearsed_ = on; }
  [[nodiscard]] std::size_t heard() const noexcept { return heard_; }

  /// A finding before and after it was completed; nothing: nobody needed it complete.
  struct Kept {
    Finding raw;
    std::optional<Finding> complete;
  };
  /// What is added from now on is noted in `into`, too, until the next call; nullptr: in nothing.
  void note_in(std::vector<Kept>* into);
  /// Adds again what was noted, of another run on the same model.
  void repeat(const std::vector<Kept>& kept);

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
  [[nodiscard]] bool is_kept(const Finding& finding);
  [[nodiscard]] bool is_repeated(const Finding& finding);

  const Model* model_;
  const Shapes* shapes_;
  Product product_;
  const Selection* selection_;
  const Listing* listing_;
  rules::Provenances provenances_;
  Groups groups_;
  RunResult result_;
  std::vector<Kept>* noted_ = nullptr;
  bool is_rehearsed_ = false;
  std::size_t heard_ = 0;                                                  ///< findings, in a rehearsal
  Finding unkept_;                                                         ///< the last one of a rehearsal
  bool is_open_ = false;                                                   ///< the last finding is being filled in
  std::map<std::tuple<const Rule*, Severity, bool>, std::size_t> counts_;  ///< by whether they are suppressed
  std::unordered_map<std::string, Repeated> in_calls_;
  Repeated* in_call_ = nullptr;  ///< what is_repeated() has noted of the last finding
};

}  // namespace trtcheck::engine
