// The messages of a model's file as a tree that keeps every byte: a message is opened when somebody looks into it, and
// what nobody changes is the range of the file that it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edit/pieces.hpp"
#include "model/wire.hpp"

namespace trtcheck::edit {

/// A field of bytes around `content`: tag and length in front of it.
[[nodiscard]] Pieces wrapped(std::uint32_t field, const Pieces& content);

/// One message. Fields keep their index, whatever is added or removed.
class Message {
 public:
  /// @param file   the whole file; weights may be missing from it
  /// @param parts  several are one message, as protobuf merges them
  /// @throws wire::Malformed
  Message(std::string_view file, std::vector<ByteRange> parts);

  /// Indices of the fields of that number and wire type (wire::bytes(...)) that are still there, in order.
  [[nodiscard]] std::vector<std::size_t> fields(std::uint32_t key) const;
  /// The last one of them.
  [[nodiscard]] std::optional<std::size_t> last_field(std::uint32_t key) const;
  /// Nobody has taken the field away.
  [[nodiscard]] bool has(std::size_t index) const noexcept { return !fields_[index].is_removed; }
  /// The content of a field of bytes as the file has it. @pre not changed
  [[nodiscard]] std::string_view bytes(std::size_t index) const;
  /// The number of a varint field as the file has it.
  [[nodiscard]] std::uint64_t number(std::size_t index) const;
  /// Field number and wire type.
  [[nodiscard]] std::uint32_t key_of(std::size_t index) const noexcept { return fields_[index].key; }
  /// The field number.
  [[nodiscard]] std::uint32_t number_of(std::size_t index) const noexcept { return fields_[index].key >> 3U; }
  /// The whole field as the file has it, tag included.
  [[nodiscard]] ByteRange range(std::size_t index) const;
  /// The same of what is behind its tag, and behind the length of what has one.
  [[nodiscard]] ByteRange content(std::size_t index) const;
  /// The last field of that key, as protobuf reads a single one; "" = there is none.
  [[nodiscard]] std::string_view text(std::uint32_t key) const;

  /// The message in the field; opened once.
  /// @throws wire::Malformed
  [[nodiscard]] Message& open(std::size_t index);
  /// The one message of a field that is not repeated: its parts, wherever they stand, as one. nullptr: there is none.
  [[nodiscard]] Message* open_single(std::uint32_t key);

  void remove(std::size_t index);
  /// Behind what was added there before; what was added under the same tag gives its place.
  /// @param before  a field; size() = at the end
  /// @param tag     by which it is found again; "" = by nobody
  void insert(std::size_t before, Pieces field, const std::string& tag = {});
  [[nodiscard]] bool has_added(const std::string& tag) const { return tags_.contains(tag); }
  /// Takes back what was added under the tag. False: nothing was.
  bool drop(const std::string& tag);
  /// Takes all fields of the number away, whatever their wire type, and puts others where the first one was.
  void replace(std::uint32_t field_number, const Pieces& fields);

  [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }
  [[nodiscard]] bool is_changed() const noexcept;
  [[nodiscard]] Pieces pieces() const;

 private:
  struct Field {
    std::uint32_t key = 0;
    bool is_removed = false;
    std::uint64_t begin = 0;    ///< of the tag
    std::uint64_t content = 0;  ///< behind the tag, and behind the length of what has one
    std::uint64_t end = 0;
    std::size_t merged_into = kNone;  ///< it is a later part of that field's message
    std::unique_ptr<Message> inner{};
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Added {
    std::size_t before;
    Pieces field;
    bool is_dropped = false;
  };
  void read(ByteRange part);
  [[nodiscard]] const std::vector<std::size_t>& all_of(std::uint32_t key) const;
  [[nodiscard]] bool is_rewritten(const Field& field) const noexcept;

  std::string_view file_;
  std::vector<Field> fields_;
  mutable std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_key_;  ///< filled in where somebody asks
  std::vector<Added> added_;                                                    ///< in the order of insertion
  std::unordered_map<std::string, std::size_t> tags_;                           ///< where in it what has a tag is
  bool has_removed_ = false;
};

}  // namespace trtcheck::edit
