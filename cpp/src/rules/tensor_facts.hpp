// Contents of constant tensors for rules that ask, and the state of external data files.
// Small tensors only: a rule says how many elements it is ready to look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::rules {

/// State of one external tensor's file, found without opening it.
struct ExternalFile {
  enum class State : std::uint8_t {
    ok, unresolved,            ///< unresolved: model from memory without base_dir
    no_location, bad_number,   ///< metadata missing or not a number
    escapes,                   ///< outside of the model's folder (by component)
    missing, not_regular, too_short,
  };
  State state = State::ok;
  std::string location;        ///< as written in the model
  std::string detail;          ///< for the message: "needs 4096 bytes from 0, the file has 100"
};

class TensorFacts {
 public:
  explicit TensorFacts(const Model& model);
  /// Elements as double / int64, when the data is in the file and there are at most `limit` of them.
  [[nodiscard]] std::optional<std::vector<double>> floats(TensorId id, std::int64_t limit) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(TensorId id, std::int64_t limit) const;
  /// Bytes (raw, external) or elements (typed) that the data has and should have; nothing when they agree or
  /// nothing can be said (negative dims, unknown type, strings).
  struct SizeMismatch {
    std::uint64_t has = 0;
    std::uint64_t needs = 0;
    bool in_bytes = true;
  };
  [[nodiscard]] std::optional<SizeMismatch> size_mismatch(TensorId id) const;
  /// @pre the tensor's data is external
  [[nodiscard]] ExternalFile external(TensorId id) const;

 private:
  const Model* model_;
};

}  // namespace trtcheck::rules
