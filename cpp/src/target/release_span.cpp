#include "target/release_span.hpp"

namespace trtcheck {
namespace {

// What is asked about where something listens.
thread_local TrtVersion asked;

}  // namespace

constinit thread_local ReleaseSpan* listening_span = nullptr;

bool ReleaseSpan::contains(TrtVersion release) const noexcept {
  return release >= from && (!before || release < *before) && (!product || *product == release.product);
}

void ReleaseSpan::narrow(const ReleaseSpan& other) noexcept {
  if (other.from > from) from = other.from;
  if (other.before && (!before || *other.before < *before)) before = other.before;
  if (other.product) product = other.product;
}

Listening::Listening(ReleaseSpan& span, TrtVersion release) noexcept
    : outer_span_(listening_span), outer_release_(asked) {
  listening_span = &span;
  asked = release;
}

Listening::~Listening() {
  listening_span = outer_span_;
  asked = outer_release_;
}

void changes_behind(TrtVersion last, TrtVersion release) noexcept {
  changes_at({last.major_version, last.minor_version + 1}, release);
}

void holds_only_for(TrtVersion release) noexcept {
  changes_behind(release, release);
  holds_for({.from = release, .product = release.product});
}

void hear_name(TrtVersion release) noexcept {
  if (listening_span != nullptr && release == asked) holds_only_for(release);
}

bool is_rtx(TrtVersion release) noexcept {
  holds_for({.product = release.product});
  return release.product == Product::rtx;
}

}  // namespace trtcheck
