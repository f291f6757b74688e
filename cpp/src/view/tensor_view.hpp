// Contents of constant tensors for whoever asks, and the state of external data files.
// Small tensors only: a rule says how many elements it is ready to look at.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/external_files.hpp"
#include "view/weight_scan.hpp"

namespace trtcheck {

class TensorView {
 public:
  explicit TensorView(const Model& model) : model_(&model) {}
  /// Elements as double / int64, when there are at most `limit` of them and they can be read.
  [[nodiscard]] std::optional<std::vector<double>> floats(TensorId id, std::int64_t limit) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(TensorId id, std::int64_t limit) const;
  /// What FLOAT16 makes of a FLOAT tensor of any size, nothing where it cannot be told. It is read when somebody asks,
  /// once.
  [[nodiscard]] const std::optional<HalfScan>& in_half(TensorId id) const;
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
  /// Constants in other files that `floats` and `ints` were asked for and that could not be read.
  [[nodiscard]] const std::set<TensorId>& unread() const noexcept { return unread_; }

 private:
  void note_unread(TensorId id, std::int64_t limit) const;

  const Model* model_;
  mutable std::set<TensorId> unread_;  // one run, one thread
  mutable std::map<TensorId, std::optional<HalfScan>> in_half_;
};

}  // namespace trtcheck
