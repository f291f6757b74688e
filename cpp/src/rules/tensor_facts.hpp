// Contents of constant tensors for rules that ask, and the state of external data files.
// Small tensors only: a rule says how many elements it is ready to look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::rules {

/// State of one external tensor's file, found without opening it.
struct ExternalFile {
  enum class State : std::uint8_t {
    ok,
    unresolved,  ///< model from memory without base_dir
    no_location,
    bad_number,  ///< offset or length missing its digits, negative, or beyond 64 bits together
    escapes,     ///< outside of the model's folder (by component)
    missing,
    not_regular,
    too_short,
  };
  State state = State::ok;
  std::string location;  ///< as written in the model
  std::string detail;    ///< for the message: "needs 4096 bytes from 0, the file has 100"
};

class TensorFacts {
 public:
  explicit TensorFacts(const Model& model);
  /// Elements as double / int64, when the data is in the file and there are at most `limit` of them.
  [[nodiscard]] std::optional<std::vector<double>> floats(TensorId id, std::int64_t limit) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(TensorId id, std::int64_t limit) const;
  /// Bytes (raw, external) or elements (typed) that the data has and should have; nothing when they agree or
  /// nothing can be said (negative dims, unknown type, strings, sparse). A tensor without any data has 0 bytes.
  struct SizeMismatch {
    std::uint64_t has = 0;
    std::uint64_t needs = 0;
    bool in_bytes = true;
  };
  [[nodiscard]] std::optional<SizeMismatch> size_mismatch(TensorId id) const;
  /// @pre the tensor's data is external
  [[nodiscard]] ExternalFile external(TensorId id) const;

 private:
  struct Target {
    ExternalFile::State state = ExternalFile::State::ok;
    std::string detail;
    std::uint64_t size = 0;  ///< when ok
  };
  [[nodiscard]] const Target& target(const std::string& location) const;
  [[nodiscard]] Target find_target(const std::string& location) const;

  const Model* model_;
  std::string folder_;       ///< resolved folder of the path as given; empty: unknown
  std::string real_folder_;  ///< folder of the file that a link to the model leads to
  /// Hundreds of tensors share one file, which is looked up once. One run, one thread.
  mutable std::unordered_map<std::string, Target> targets_;
};

}  // namespace trtcheck::rules
