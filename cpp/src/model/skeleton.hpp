// Which bytes of a model the reader looks at: found out while they are being fetched.
//
//     Skeleton skeleton(size);
//     std::uint64_t fetched = 0;
//     while (const auto want = skeleton.next(bytes, fetched)) {
//       fetch(want->offset, want->length);   // or more
//       fetched = want->offset + want->length;
//     }
//     Model model = read_partial_model(bytes, url, skeleton.holes());
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/asked.hpp"
#include "model/messages.hpp"

namespace trtcheck {

/// Walks the messages that are large enough to hold large weights, and steps over the weights. What it makes of
/// malformed bytes is what the reader makes of them, so that a model reads the same with and without its holes.
class Skeleton {
 public:
  struct Sizes {
    std::uint64_t largest_values;  ///< longer payloads are stepped over
    std::uint64_t smallest_hole;   ///< a shorter hole costs more as one more request than as bytes
  };
  /// Whatever may be asked for is fetched.
  static constexpr Sizes kRemote{kLargestValues, std::uint64_t{256} << 10};
  /// What is not needed of a file costs time, and can still be read when more is known.
  static constexpr Sizes kLocal{kShort, std::uint64_t{16} << 10};

  /// @param size  of the whole file
  explicit Skeleton(std::uint64_t size, const Sizes& sizes = kRemote);

  /// @param bytes    memory of the file's size
  /// @param fetched  everything in front of it is in `bytes`, but for the holes
  /// @returns        what to fetch next: it begins at `fetched`, or behind a new hole. Nothing: all that counts is
  /// there
  std::optional<ByteRange> next(std::span<const std::byte> bytes, std::uint64_t fetched);

  /// What was stepped over, in order.
  [[nodiscard]] const std::vector<ByteRange>& holes() const noexcept { return holes_; }

 private:
  struct Frame {
    std::uint64_t end;
    MessageKind kind;
  };
  void read_field(std::span<const std::byte> bytes, std::uint64_t header_end);
  void step_over(std::uint64_t end);

  std::uint64_t size_;
  Sizes sizes_;
  std::uint64_t at_ = 0;       ///< the next field
  std::uint64_t fetched_ = 0;  ///< as in `next`, holes behind it included
  std::vector<Frame> frames_;
  std::vector<ByteRange> holes_;
};

}  // namespace trtcheck
