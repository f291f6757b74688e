#include <trtcheck/parts.hpp>

#include <algorithm>
#include <utility>

#include "model/fetch.hpp"

namespace trtcheck {

void Parts::add(std::span<const std::byte> part) {
  if (part.empty()) return;
  parts_.push_back({size_, part});
  size_ += part.size();
}

void Parts::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (into.empty()) return;
  auto part = std::ranges::upper_bound(parts_, offset, {}, &Part::at) - 1;
  for (; !into.empty(); ++part) {
    const auto rest = part->bytes.subspan(static_cast<std::size_t>(offset - part->at));
    const auto taken = rest.first(std::min(rest.size(), into.size()));
    std::ranges::copy(taken, into.begin());
    into = into.subspan(taken.size());
    offset += taken.size();
  }
}

Readable readable(const Parts& parts) {
  return {.path = {}, .size = parts.size(), .read = [parts](std::uint64_t offset, std::span<std::byte> into) {
            parts.read(offset, into);
          }};
}

}  // namespace trtcheck
