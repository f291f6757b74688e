// Tensors whose data is in other files: where exactly, whether that is allowed, and the bytes of small ones.
//
// A file is opened only for the values of a tensor that somebody asks for, and closed again: a model may name a million
// of them. What is neither an ordinary file nor beneath the model's folder is never opened. Of files behind a URL what
// may be asked for was fetched with the model (far_files.hpp).
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/weight_parts.hpp"

namespace trtcheck {

/// State of one external tensor's data.
struct ExternalFile {
  enum class State : std::uint8_t {
    ok,
    unresolved,  ///< the model's folder is unknown
    no_location,
    bad_number,  ///< offset or length missing its digits, negative, or beyond 64 bits together
    escapes,     ///< outside of the model's folder (by component)
    missing,
    not_regular,
    too_short,
    unreadable,   ///< it is there, and opening or reading it failed
    not_fetched,  ///< behind a URL, and nothing can be said of it
  };
  State state = State::ok;
  std::string location;      ///< as written in the model
  std::string detail;        ///< for the message: "it has 100 bytes, 4096 from byte 0 on are asked of it"
  std::uint64_t offset = 0;  ///< when ok
  std::uint64_t length = 0;  ///< when ok; 0 when neither dims nor the description say
};

/// What was fetched of a file behind a URL.
struct FarFile {
  struct Part {
    std::uint64_t offset = 0;
    std::string bytes;
  };
  ExternalFile::State state = ExternalFile::State::ok;  ///< ok, missing, not_regular, not_fetched
  std::string detail;
  std::optional<std::uint64_t> size;  ///< not every server tells it
  std::vector<Part> parts;            ///< sorted, apart

  static FarFile found(std::optional<std::uint64_t> size, std::vector<Part> parts);
  static FarFile missing();
  static FarFile directory();
  static FarFile unknown(std::string why);

  /// Nothing when a byte of them was not fetched.
  [[nodiscard]] std::optional<std::string> bytes(ByteRange range) const;
};
/// By path below the folder of the model.
using FarFiles = std::unordered_map<std::string, FarFile>;

/// The files of one model. May be asked by several threads.
class ExternalFiles {
 public:
  /// Found without opening it.
  /// @pre the tensor's data is external
  [[nodiscard]] ExternalFile find(const Model& model, const Tensor& tensor) const;
  /// The bytes of all elements; nothing when they cannot be read, are more or fewer than the dims demand, or too many.
  /// @pre as above
  [[nodiscard]] std::optional<std::string> read(const Model& model, const Tensor& tensor) const;
  /// The same for tensors of any size, in parts of up to a megabyte. False: they cannot be read, or not to their end.
  [[nodiscard]] bool read_parts(const Model& model, const Tensor& tensor, const OnPart& on_part) const;
  /// Whether the bytes of elements that are behind a URL were not fetched.
  /// @pre as above, and `find` is ok
  [[nodiscard]] bool was_left_out(const Tensor& tensor) const;
  /// What was found so far may have changed. What was fetched has not.
  void look_again() const;
  /// From now on these are all the files there are. Before anybody asks.
  void set_far(FarFiles files) { far_ = std::move(files); }

 private:
  struct Target {
    ExternalFile::State state = ExternalFile::State::ok;
    std::string detail;
    std::string path;                   ///< resolved, when ok
    std::optional<std::uint64_t> size;  ///< when ok, and known
  };
  void find_folders(const Model& model) const;
  [[nodiscard]] Target find_target(const Model& model, const std::string& location) const;
  [[nodiscard]] Target far_target(const std::string& location) const;
  [[nodiscard]] Target target(const Model& model, const std::string& location) const;
  void set_unreadable(const std::string& location, std::string detail) const;

  std::optional<FarFiles> far_;
  mutable std::mutex mutex_;
  mutable bool has_folders_ = false;
  mutable std::string folder_;       ///< resolved folder of the path as given; empty: unknown
  mutable std::string real_folder_;  ///< folder of the file that a link to the model leads to
  /// Hundreds of tensors share one file, which is looked up once.
  mutable std::unordered_map<std::string, Target> targets_;
};

/// What the model says, without a look at the file.
/// @pre the tensor's data is external
ExternalFile stated_place(const Tensor& tensor);

/// @pre the tensor's data is external
ExternalFile external_file(const Model& model, const Tensor& tensor);

/// The raw bytes of a small tensor's elements, as `ExternalFiles::read`.
std::optional<std::string> external_bytes(const Model& model, const Tensor& tensor);

/// Files may have come or gone since they were looked for the last time.
void look_again(const Model& model);

/// Why the values of a tensor with at most `limit` elements are not known: "constants in `w.bin` could not be read (No
/// such file or directory)". Nothing: they are known, too many, or not in another file.
std::optional<std::string> why_unread(const Model& model, const Tensor& tensor, std::int64_t limit);

/// Of all its elements, those too that a sparse tensor does not store; nothing: the type has no size, or there are too
/// many.
std::optional<std::uint64_t> bytes_of_elements(const Tensor& tensor);

/// Bytes of all elements; nothing for strings, unknown types, bad dims, sparse tensors.
std::optional<std::uint64_t> bytes_needed(const Tensor& tensor);

/// Digits only: no sign, no blanks. Nothing: not such a number.
std::optional<std::uint64_t> to_number(std::string_view text);

/// The last entry of that key.
const StringPair* find_pair(std::span<const StringPair> pairs, std::string_view key);

}  // namespace trtcheck
