// Where findings go while rules make them: a million of them must not be a million in memory.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/group.hpp"
#include "engine/parts.hpp"
#include "engine/run.hpp"
#include "engine/symbol_names.hpp"
#include "provenance/provenance.hpp"

namespace trtcheck {
struct ModelView;
}

namespace trtcheck::engine {

class Gathering {
 public:
  /// @param listings  of each release
  Gathering(const ModelView& view, const Selection& selection, std::span<const TrtVersion> releases,
            std::span<const Listing* const> listings);

  /// Findings are for these from now on.
  void turn_to(ReleaseSet releases) {
    settle();
    now_ = releases;
  }
  /// See rules::lists_all.
  [[nodiscard]] bool lists_all() const noexcept { return releases_.front().listing->most == 0; }
  /// See rules::is_beyond_listing. The finding that is being filled in does not count yet.
  [[nodiscard]] bool is_beyond_listing(const Rule& rule) const;

  /// A new finding, to be filled in until the next call of a member: then it is completed and kept, or counted.
  [[nodiscard]] Finding& add(const Rule& rule, NodeId node, std::string message);
  /// Who was filling it in failed: what would have made it less severe, or less certain, may be missing.
  void drop_open() noexcept { is_open_ = false; }

  /// What was kept for a release, in the order in which it came, and what was counted.
  [[nodiscard]] RunResult finish(std::size_t release);

 private:
  /// One finding in several calls of one model-local function.
  struct Repeated {
    std::size_t first;      ///< index of the one that is kept; beyond all of them when it is only counted
    std::size_t calls = 0;  ///< in how many others it is
  };
  struct OfRelease {
    TrtVersion release;
    const Listing* listing;
    RunResult result = {};
    std::map<std::tuple<const Rule*, Severity, bool>, std::size_t> counts = {};  ///< by whether they are suppressed
    std::unordered_map<std::string, Repeated> in_calls = {};
  };
  void settle() {
    if (is_open_) settle_open();
  }
  void settle_open();
  void keep(ReleaseSet releases);
  /// What does not depend on the texts.
  void place(Finding& finding);
  void finish_texts(Finding& finding);
  [[nodiscard]] bool is_kept(OfRelease& release, const std::string& in_calls) const;
  /// Equal for one finding in all calls of a function; "" outside of functions.
  [[nodiscard]] std::string key_in_calls() const;

  const ModelView* view_;
  const Model* model_;
  const Shapes* shapes_;
  const Selection* selection_;
  std::vector<OfRelease> releases_;
  rules::Provenances provenances_;
  Groups groups_;
  SymbolNames symbols_;
  ReleaseSet now_ = 0;
  Finding open_;          ///< the last finding
  bool is_open_ = false;  ///< it is being filled in
  /// Who would refuse sees its node. Asked when it is added: when it is settled, the view may have turned to others.
  bool is_seen_ = true;
};

}  // namespace trtcheck::engine
