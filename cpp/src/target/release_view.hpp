// What may be asked of a release. A rule runs once for all releases that are alike in what its descriptor lists
// (Rule::gates, Rule::asks): whoever asks for more would get the answer of one of them for all, and gets an exception.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/gate_set.hpp>
#include <trtcheck/target.hpp>

#include "target/gates.hpp"

namespace trtcheck {

/// In texts, the name of a release that is not decided yet: one text is for several releases. No character of UTF-8.
inline constexpr std::string_view kReleaseName = "\xff{release}\xff";

class ReleaseView {
 public:
  /// One release, of which everything may be asked.
  explicit ReleaseView(TrtVersion release) noexcept : release_(release) {}
  /// For several releases that are alike in what may be asked.
  void turn_to(TrtVersion one_of_them, const GateSet& gates, Asks asks) noexcept {
    release_ = one_of_them;
    gates_ = &gates;
    asks_ = asks;
  }

  /// It does what the gate says.
  [[nodiscard]] bool has(const Gate& gate) const {
    if (gates_ != nullptr && !gates_->contains(gate)) refuse(gate);
    return gate.open_in(release_);
  }
  /// For messages: "10.13", or what stands for it.
  [[nodiscard]] std::string name() const;
  /// Which one it is.
  [[nodiscard]] TrtVersion exact() const {
    require(Asks::release);
    return release_;
  }
  /// @throws std::logic_error  the descriptor asks for less
  void require(Asks asks) const {
    if (asks_ < asks) refuse(asks);
  }

 private:
  [[noreturn]] static void refuse(const Gate& gate);
  [[noreturn]] static void refuse(Asks asks);

  TrtVersion release_;
  const GateSet* gates_ = nullptr;  ///< nullptr: all
  Asks asks_ = Asks::release;
};

/// Gates behind questions that many rules ask.
inline constexpr GateSet kStrongTypingGates{gates::strongly_typed, gates::strongly_typed_on_request,
                                            gates::tensorrt_rtx};
inline constexpr GateSet kNetworkTypeGates{gates::int64_network};  ///< how types are called: network_types.hpp

/// See is_strongly_typed(const Target&). @param on_request  the network is asked to be
[[nodiscard]] inline bool is_strongly_typed(const ReleaseView& release, bool on_request) {
  if (release.has(gates::strongly_typed) || release.has(gates::tensorrt_rtx)) return true;
  return on_request && release.has(gates::strongly_typed_on_request);
}

}  // namespace trtcheck
