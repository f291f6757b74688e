// The protobuf wire format: a cursor over one message. Nothing is copied, every step checks the end.
//
// protozero decodes the varints. Its own reader is not used because its lengths have 32 bits (a model of more
// than 4 GiB must be readable) and its errors have no position. Rules of protobuf that the cursor keeps: tags
// of at most five bytes with a field number above 0, a known field with another wire type counts as unknown,
// a 32-bit number is the low half of its varint. Groups are refused, ONNX has none.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

namespace trtcheck::wire {

static_assert(std::endian::native == std::endian::little, "the wire format is little-endian, and so is all of this");

/// Where reading stopped and why; read_model turns it into an `Error` with an offset.
struct Malformed {
  const char* at;
  std::string cause;
  bool is_limit = false;  ///< well formed, and beyond what we read
};

enum class Type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// Field number and wire type in one number, for `switch (cursor.key())`.
constexpr std::uint32_t varint(std::uint32_t field) { return field << 3U; }
constexpr std::uint32_t fixed64(std::uint32_t field) { return field << 3U | 1U; }
constexpr std::uint32_t bytes(std::uint32_t field) { return field << 3U | 2U; }
constexpr std::uint32_t fixed32(std::uint32_t field) { return field << 3U | 5U; }

class Cursor {
 public:
  explicit Cursor(std::string_view message) noexcept : at_(message.data()), end_(at_ + message.size()) {}

  /// Moves to the next field; false at the end. Each field must be consumed or skipped before the next one.
  bool next() {
    if (at_ == end_) return false;
    const char* start = at_;
    const std::uint64_t tag = number();
    if (at_ - start > 5) throw Malformed{start, "a field tag is longer than five bytes"};
    key_ = static_cast<std::uint32_t>(tag);
    if (key_ >> 3U == 0) throw Malformed{start, "a field has the number 0"};
    if (constexpr std::uint32_t kTypes = 0b100111; (kTypes >> (key_ & 7U) & 1U) == 0) {
      throw Malformed{start, (key_ & 7U) < 5 ? "a group, which ONNX does not use" : "a field has an unknown wire type"};
    }
    return true;
  }
  [[nodiscard]] std::uint32_t key() const noexcept { return key_; }
  [[nodiscard]] const char* position() const noexcept { return at_; }
  [[nodiscard]] bool done() const noexcept { return at_ == end_; }

  std::uint64_t number() {
    try {
      return protozero::decode_varint(&at_, end_);
    } catch (const protozero::end_of_buffer_exception&) {
      throw Malformed{at_, "a number is cut off"};
    } catch (const protozero::varint_too_long_exception&) {
      throw Malformed{at_, "a number is longer than ten bytes"};
    }
  }
  std::int64_t int64() { return static_cast<std::int64_t>(number()); }
  std::int32_t int32() { return static_cast<std::int32_t>(static_cast<std::uint32_t>(number())); }
  template <class T>
  T fixed() {
    if (static_cast<std::size_t>(end_ - at_) < sizeof(T)) throw Malformed{at_, "a number is cut off"};
    T result;
    std::memcpy(&result, at_, sizeof(T));
    at_ += sizeof(T);
    return result;
  }
  /// The length of the content that follows, in a message that ends at `end`.
  std::uint64_t length(const char* end) {
    const char* start = at_;
    const std::uint64_t length = number();
    // Protobuf stops at 2 GiB, that is at five bytes; a longer spelling of a small length is refused there too.
    if (at_ - start > 5 && length >> 35U == 0) throw Malformed{start, "a length is longer than five bytes"};
    if (length > static_cast<std::uint64_t>(end - at_)) throw Malformed{start, "a field is longer than what is left"};
    return length;
  }
  std::string_view bytes() {
    const auto count = static_cast<std::size_t>(length(end_));
    const std::string_view result(at_, count);
    at_ += count;
    return result;
  }
  void skip() {
    switch (static_cast<Type>(key_ & 7U)) {
      case Type::varint:
        number();
        return;
      case Type::fixed64:
        fixed<std::uint64_t>();
        return;
      case Type::bytes:
        bytes();
        return;
      case Type::fixed32:
        fixed<std::uint32_t>();
        return;
    }
  }

 private:
  const char* at_;
  const char* end_;
  std::uint32_t key_ = 0;
};

/// A message as the sum of all occurrences of its field: protobuf merges them, which is the same as reading
/// them one after the other.
class Message {
 public:
  Message() = default;
  explicit Message(std::string_view only) { add(only); }
  void add(std::string_view part) {
    if (present_) {
      more_.push_back(part);
    } else {
      first_ = part;
      present_ = true;
    }
  }
  void clear() {
    present_ = false;
    more_.clear();
  }
  [[nodiscard]] bool present() const noexcept { return present_; }
  [[nodiscard]] std::size_t size() const noexcept { return present_ ? 1 + more_.size() : 0; }
  [[nodiscard]] std::string_view part(std::size_t i) const noexcept { return i == 0 ? first_ : more_[i - 1]; }

 private:
  std::string_view first_;
  std::vector<std::string_view> more_;
  bool present_ = false;
};

/// Calls `on_field(cursor)` for every field of all parts; it must consume the field.
template <class OnField>
void each_field(const Message& message, OnField&& on_field) {
  for (std::size_t i = 0; i < message.size(); ++i) {
    Cursor cursor(message.part(i));
    while (cursor.next()) on_field(cursor);
  }
}

}  // namespace trtcheck::wire
