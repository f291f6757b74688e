#include "target/release_span.hpp"

namespace trtcheck {
namespace {

// Questions are asked in a hundred places, each of which would have to hand a listener on. It is nothing but a note
// of what was asked: no answer depends on it.
thread_local ReleaseSpan* listener = nullptr;
thread_local TrtVersion asked;

}  // namespace

bool ReleaseSpan::contains(TrtVersion release) const noexcept {
  return release >= from && (!before || release < *before) && (!product || *product == release.product);
}

void ReleaseSpan::narrow(const ReleaseSpan& other) noexcept {
  if (other.from > from) from = other.from;
  if (other.before && (!before || *other.before < *before)) before = other.before;
  if (other.product) product = other.product;
}

Listening::Listening(ReleaseSpan& span, TrtVersion release) noexcept : outer_span_(listener), outer_release_(asked) {
  listener = &span;
  asked = release;
}

Listening::~Listening() {
  listener = outer_span_;
  asked = outer_release_;
}

void holds_for(const ReleaseSpan& span) noexcept {
  if (listener != nullptr) listener->narrow(span);
}

void changes_at(TrtVersion first, TrtVersion release) noexcept {
  if (listener == nullptr) return;
  if (release >= first) {
    listener->narrow({.from = first});
  } else {
    listener->narrow({.before = first});
  }
}

void changes_behind(TrtVersion last, TrtVersion release) noexcept {
  changes_at({last.major_version, last.minor_version + 1}, release);
}

void holds_only_for(TrtVersion release) noexcept {
  changes_behind(release, release);
  holds_for({.from = release, .product = release.product});
}

void hear_name(TrtVersion release) noexcept {
  if (listener != nullptr && release == asked) holds_only_for(release);
}

bool is_rtx(TrtVersion release) noexcept {
  holds_for({.product = release.product});
  return release.product == Product::rtx;
}

}  // namespace trtcheck
