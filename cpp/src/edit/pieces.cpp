#include "edit/pieces.hpp"

#include <algorithm>
#include <cstring>

namespace trtcheck::edit {

void Pieces::copy(ByteRange range) {
  if (range.length == 0) return;
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    if (!last.is_new && last.from + last.length == range.offset) {
      last.length += range.length;
      size_ += range.length;
      return;
    }
  }
  pieces_.push_back({.at = size_, .length = range.length, .from = range.offset, .is_new = false});
  size_ += range.length;
}

void Pieces::add(std::string_view bytes) {
  if (bytes.empty()) return;
  const bool is_more = !pieces_.empty() && pieces_.back().is_new;
  if (is_more) {
    pieces_.back().length += bytes.size();
  } else {
    pieces_.push_back({.at = size_, .length = bytes.size(), .from = text_.size(), .is_new = true});
  }
  text_ += bytes;
  size_ += bytes.size();
}

void Pieces::add(const Pieces& others) {
  for (const Piece& piece : others.pieces_) {
    if (piece.is_new) {
      add(others.text(piece));
    } else {
      copy({piece.from, piece.length});
    }
  }
}

std::size_t Pieces::index_at(std::uint64_t offset) const noexcept {
  const auto after = std::ranges::upper_bound(pieces_, offset, {}, &Piece::at);
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

void Pieces::read(std::uint64_t offset, std::span<std::byte> into,
                  const std::function<void(std::uint64_t, std::span<std::byte>)>& read_old) const {
  for (std::size_t i = into.empty() ? 0 : index_at(offset); !into.empty(); ++i) {
    const Piece& piece = pieces_[i];
    const std::uint64_t skipped = offset - piece.at;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.length - skipped, into.size()));
    if (piece.is_new) {
      std::memcpy(into.data(), text_.data() + piece.from + skipped, count);
    } else {
      read_old(piece.from + skipped, into.first(count));
    }
    into = into.subspan(count);
    offset += count;
  }
}

std::string Pieces::content(const std::function<void(std::uint64_t, std::span<std::byte>)>& read_old) const {
  std::string made(size_, '\0');
  read(0, std::as_writable_bytes(std::span(made)), read_old);
  return made;
}

std::optional<ByteRange> Pieces::old_range(ByteRange range) const noexcept {
  if (range.length == 0 || range.offset >= size_) return std::nullopt;
  const Piece& piece = pieces_[index_at(range.offset)];
  const std::uint64_t skipped = range.offset - piece.at;
  if (piece.is_new || piece.from >= kOtherFiles || range.length > piece.length - skipped) return std::nullopt;
  return ByteRange{piece.from + skipped, range.length};
}

Pieces Pieces::over(const Pieces& old) const {
  Pieces result;
  for (const Piece& piece : pieces_) {
    if (piece.is_new) {
      result.add(text(piece));
      continue;
    }
    if (piece.from >= kOtherFiles) {
      result.copy({piece.from, piece.length});
      continue;
    }
    std::uint64_t from = piece.from;
    std::uint64_t left = piece.length;
    for (std::size_t i = old.index_at(from); left > 0; ++i) {
      const Piece& below = old.pieces_[i];
      const std::uint64_t skipped = from - below.at;
      const std::uint64_t count = std::min(below.length - skipped, left);
      if (below.is_new) {
        result.add(old.text(below).substr(skipped, count));
      } else {
        result.copy({below.from + skipped, count});
      }
      from += count;
      left -= count;
    }
  }
  return result;
}

Readable readable(const Pieces& pieces, const Readable& old) {
  return {.path = old.path,
          .size = pieces.size(),
          .read = [&pieces, &old](std::uint64_t offset, std::span<std::byte> into) {
            pieces.read(offset, into, old.read);
          }};
}

}  // namespace trtcheck::edit
