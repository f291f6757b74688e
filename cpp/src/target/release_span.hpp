// For which releases an answer holds. Every question about a release that this floor answers is heard by whoever
// listens on the thread that asks: afterwards it is known which other releases would have got the same answers.
#pragma once

#include <optional>

#include <trtcheck/target.hpp>

namespace trtcheck {

/// Releases from one on and before another, perhaps of one product only.
struct ReleaseSpan {
  TrtVersion from{};                   ///< the first one
  std::optional<TrtVersion> before{};  ///< the first one behind it; nothing: it is open
  std::optional<Product> product{};    ///< nothing: of each
  [[nodiscard]] bool contains(TrtVersion release) const noexcept;
  void narrow(const ReleaseSpan& other) noexcept;
};

/// What listens on this thread; nullptr: nothing does. Questions are asked in a hundred places, each of which would
/// have to hand a listener on. It is nothing but a note of what was asked: no answer depends on it. Set by Listening
/// only.
extern constinit thread_local ReleaseSpan* listening_span;

/// While it lives, every answer about a release that is given on this thread narrows the span to those that get the
/// same one. What was listening before goes on when it is gone, and hears nothing of the time between.
class Listening {
 public:
  /// @param release  that is asked about: whoever prints its name gives an answer, too
  Listening(ReleaseSpan& span, TrtVersion release) noexcept;
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening();

 private:
  ReleaseSpan* outer_span_;
  TrtVersion outer_release_;
};

/// The answer just given holds for these.
inline void holds_for(const ReleaseSpan& span) noexcept {
  if (listening_span != nullptr) listening_span->narrow(span);
}
/// The answer just given about `release` is another one from `first` on than before it.
inline void changes_at(TrtVersion first, TrtVersion release) noexcept {
  if (listening_span == nullptr) return;
  listening_span->narrow(release >= first ? ReleaseSpan{.from = first} : ReleaseSpan{.before = first});
}
/// The answer just given holds up to `last` or behind it only.
void changes_behind(TrtVersion last, TrtVersion release) noexcept;
/// The answer just given may be another one for every other release.
void holds_only_for(TrtVersion release) noexcept;
/// A release was named: where it is the one that is asked about, the answer holds for no other.
void hear_name(TrtVersion release) noexcept;
/// The product, which is an answer too.
[[nodiscard]] bool is_rtx(TrtVersion release) noexcept;

}  // namespace trtcheck
