// A message as protobuf writes it, of which long texts stay where they are.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/message_lite.h>

#include <trtcheck/error.hpp>
#include <trtcheck/parts.hpp>

#pragma GCC visibility push(hidden)

namespace trtcheck::proto {

/// The bytes that `SerializeAsString` would give. Borrows the message, which must outlive it unchanged.
class Written final : private google::protobuf::io::ZeroCopyOutputStream {
 public:
  /// @throws Error  2 GiB and more
  explicit Written(const google::protobuf::MessageLite& message) {
    const std::size_t size = message.ByteSizeLong();
    if (size > INT_MAX) {
      throw Error("", "the message has " + std::to_string(size) +
                          " bytes, protobuf writes less than 2 GiB: large weights must be external data");
    }
    {
      ZeroCopyOutputStream* const stream = this;
      google::protobuf::io::CodedOutputStream output(stream);
      output.EnableAliasing(true);
      message.SerializePartialToCodedStream(&output);
    }
    end_part();
    if (parts_.size() != size) throw Error("", "the message was changed while it was read");
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  /// Of a message without a single field: none.
  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  /// First byte of a text of the message in `parts`; nothing: it is not long, and was copied.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(const std::string& text) const {
    const auto found = borrowed_.find(text.data());
    return found == borrowed_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  // A text is borrowed where it is longer than what is left of a window.
  static constexpr std::size_t kWindow = 1024;
  static constexpr std::size_t kBlock = 64 * kWindow;

  bool Next(void** data, int* size) override {
    if (blocks_.empty() || used_ == kBlock) {
      end_part();
      blocks_.push_back(std::make_unique<std::byte[]>(kBlock));
      begin_ = used_ = 0;
    }
    const std::size_t count = std::min(kWindow, kBlock - used_);
    *data = blocks_.back().get() + used_;
    *size = static_cast<int>(count);
    used_ += count;
    return true;
  }
  void BackUp(int count) override { used_ -= static_cast<std::size_t>(count); }
  [[nodiscard]] std::int64_t ByteCount() const override {
    return static_cast<std::int64_t>(parts_.size() + used_ - begin_);
  }
  [[nodiscard]] bool AllowsAliasing() const override { return true; }
  bool WriteAliasedRaw(const void* data, int size) override {
    end_part();
    borrowed_.emplace(data, parts_.size());
    parts_.add({static_cast<const std::byte*>(data), static_cast<std::size_t>(size)});
    return true;
  }

  /// Protobuf may fill in the last bytes of a window after it asked for the next one.
  void end_part() {
    if (used_ > begin_) parts_.add({blocks_.back().get() + begin_, used_ - begin_});
    begin_ = used_;
  }

  Parts parts_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t begin_ = 0;  ///< in the last block, of the part that is being written
  std::size_t used_ = 0;   ///< of the last block
  std::unordered_map<const void*, std::uint64_t> borrowed_;
};

}  // namespace trtcheck::proto

#pragma GCC visibility pop
