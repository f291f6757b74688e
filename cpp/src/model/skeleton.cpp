#include "model/skeleton.hpp"

#include <algorithm>

#include "model/wire.hpp"

namespace trtcheck {
namespace {

using Kind = MessageKind;

// A tag and a length of ten bytes each, and a number.
constexpr std::uint64_t kLongestHeader = 20;
// By its beginning a file is recognised that is no model (other_formats.cpp).
constexpr std::uint64_t kHead = 256;
// The reader refuses graphs nested more than 64 deep, each of them three messages below the last one. What is deeper is
// fetched as a whole.
constexpr std::size_t kDeepest = 256;

/// Of a field that leads to weights.
std::optional<Kind> inner_kind(Kind kind, std::uint32_t key) {
  const MessageField* row = message_field(kind, key);
  if (row == nullptr || row->content != Content::message || !holds_weights(row->inner)) return std::nullopt;
  return row->inner;
}

/// Lists of varints are not among them: the reader counts and checks their elements one by one.
bool is_payload(Kind kind, std::uint32_t key) {
  const MessageField* row = kind == Kind::tensor ? message_field(kind, key) : nullptr;
  return row != nullptr &&
         (row->content == Content::payload || row->content == Content::fixed32 || row->content == Content::fixed64);
}

}  // namespace

Skeleton::Skeleton(std::uint64_t size, const Sizes& sizes) : size_(size), sizes_(sizes), frames_{{size, Kind::model}} {}

std::optional<ByteRange> Skeleton::next(std::span<const std::byte> bytes, std::uint64_t fetched) {
  fetched_ = std::max(fetched_, std::min(fetched, size_));
  if (fetched_ < std::min(kHead, size_)) return ByteRange{fetched_, std::min(kHead, size_) - fetched_};
  while (!frames_.empty()) {
    const Frame frame = frames_.back();
    if (at_ == frame.end) {
      frames_.pop_back();
      continue;
    }
    const std::uint64_t header_end = at_ + std::min(kLongestHeader, frame.end - at_);
    if (header_end > fetched_) return ByteRange{fetched_, header_end - fetched_};
    try {
      read_field(bytes, header_end);
    } catch (const wire::Malformed&) {
      // The reader stops here too, and sees nothing of what follows in this message.
      frames_.pop_back();
      step_over(frame.end);
    }
  }
  if (fetched_ == size_) return std::nullopt;
  return ByteRange{fetched_, size_ - fetched_};
}

void Skeleton::read_field(std::span<const std::byte> bytes, std::uint64_t header_end) {
  const Frame frame = frames_.back();
  const auto* file = reinterpret_cast<const char*>(bytes.data());
  wire::Cursor c({file + at_, static_cast<std::size_t>(header_end - at_)});
  c.next();
  const bool has_length = c.key() == wire::bytes(c.key() >> 3U);
  const std::uint64_t length = has_length ? c.length(file + frame.end) : 0;
  if (!has_length) c.skip();
  const std::uint64_t start = static_cast<std::uint64_t>(c.position() - file);
  const std::uint64_t end = start + length;
  const std::optional<Kind> inner = inner_kind(frame.kind, c.key());
  at_ = start;
  if (length > sizes_.largest_values && is_payload(frame.kind, c.key())) {
    step_over(end);
  } else if (length > sizes_.largest_values && inner && frames_.size() < kDeepest) {
    frames_.push_back({end, *inner});
  } else {
    at_ = end;
  }
}

void Skeleton::step_over(std::uint64_t end) {
  const std::uint64_t first = std::max(at_, fetched_);
  at_ = end;
  if (first >= end || end - first < sizes_.smallest_hole) return;
  holes_.push_back({first, end - first});
  fetched_ = end;
}

}  // namespace trtcheck
