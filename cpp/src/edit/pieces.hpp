// A file that is yet to be written: ranges of an old file, and new bytes between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

#include "bytes/readable.hpp"

namespace trtcheck::edit {

class Pieces {
 public:
  struct Piece {
    std::uint64_t at = 0;      ///< first byte in the new file
    std::uint64_t length = 0;  ///< never 0
    std::uint64_t from = 0;    ///< first byte in the old file, or in `text()`
    bool is_new = false;
  };

  /// From here on offsets are those of bytes of other files (data.hpp), which no old file has.
  static constexpr std::uint64_t kOtherFiles = std::uint64_t{1} << 62;

  /// A range of the old file, or of other ones; one that continues the last one becomes part of it.
  void copy(ByteRange range);
  void add(std::string_view bytes);
  void add(const Pieces& others);

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const Piece> all() const noexcept { return pieces_; }
  [[nodiscard]] std::string_view text(const Piece& piece) const noexcept {
    return std::string_view(text_).substr(piece.from, piece.length);
  }

  /// Fills the span from byte `offset` of the new file on.
  /// @pre it ends within the new file, and holds nothing of other files
  void read(std::uint64_t offset, std::span<std::byte> into,
            const std::function<void(std::uint64_t, std::span<std::byte>)>& read_old) const;

  /// All of the new file. @pre it holds nothing of other files
  [[nodiscard]] std::string content(const std::function<void(std::uint64_t, std::span<std::byte>)>& read_old) const;

  /// Where a range of the new file is in the old one; nothing: it is not a range of that file alone.
  [[nodiscard]] std::optional<ByteRange> old_range(ByteRange range) const noexcept;

  /// These pieces are of a file that is itself yet to be written: the same, of the file that stands behind it. Ranges
  /// of other files stay.
  [[nodiscard]] Pieces over(const Pieces& old) const;

 private:
  /// What covers the byte.
  [[nodiscard]] std::size_t index_at(std::uint64_t offset) const noexcept;

  std::vector<Piece> pieces_;
  std::string text_;
  std::uint64_t size_ = 0;
};

/// The new file, as one that can be read by position.
/// @pre both outlive it
[[nodiscard]] Readable readable(const Pieces& pieces, const Readable& old);

}  // namespace trtcheck::edit
