// Writes down what shape inference knows of a model: sizes that are computed but constant, nodes that change nothing or
// that nobody needs. The model computes the same, its inputs and outputs stay, and weights are not moved.
//
//     const trtcheck::Simplified simple = trtcheck::simplify("model.onnx");
//     if (simple.is_changed()) simple.write("model.simplified.onnx");
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/parts.hpp>
#include <trtcheck/sizes.hpp>

namespace trtcheck {

/// How a model is simplified.
struct SimplifyOptions {
  std::vector<StaticSize> sizes;                      ///< dynamic dims that become numbers; other dims stay
  std::vector<CureClass> classes{CureClass::proven};  ///< which changes may be made
  /// BatchNormalization, and sums and products with constants, go into the layers before them, up to rounding.
  bool fuses = false;
  std::size_t passes = 10;                       ///< one may bring out what the next one is for
  bool texts = false;                            ///< nodes before and after each change, as ONNX text
  Limits limits;                                 ///< for reading
  std::vector<ShapeFunction> shape_functions{};  ///< of operators of the user, at most one each
};

/// A kind of change.
struct SimplificationInfo {
  std::string_view name;     ///< "constant-stored"
  CureClass kind;            ///< the least that it promises
  std::string_view summary;  ///< one line, no full stop
};
/// All of them, sorted by name.
TRTCHECK_API std::span<const SimplificationInfo> all_simplifications();

/// A change that was made, or would be made.
struct Simplification {
  std::string name;                 ///< of its kind: "constant-stored"
  CureClass kind;                   ///< what it promises
  std::string title;                ///< what was done: "store `s` as [1, -1, 768]"
  std::string node;                 ///< label of the node, as the model had it; "" = the whole model
  std::string op_type;              ///< of that node
  std::string graph;                ///< of that node
  std::vector<std::string> before;  ///< the node as ONNX text, where texts were asked for
  std::vector<std::string> after;   ///< what stands there now; empty = nothing
  std::size_t pass = 1;             ///< in which it was made
};

/// Sizes of a model, for a summary.
struct ModelCounts {
  std::size_t nodes = 0;         ///< of the main graph and of bodies
  std::size_t shapes = 0;        ///< Shape and Size among them: each begins a computation of sizes
  std::size_t constants = 0;     ///< initializers
  std::uint64_t file_bytes = 0;  ///< of the file
};

/// What `simplify` made of a model. The file is as it was until `write`.
class TRTCHECK_API Simplified {
 public:
  Simplified(Simplified&&) noexcept;             ///< spans stay valid
  Simplified& operator=(Simplified&&) noexcept;  ///< spans of the other stay valid
  ~Simplified();

  [[nodiscard]] std::span<const Simplification> applied() const noexcept;  ///< in the order in which they were made
  [[nodiscard]] const ModelCounts& before() const noexcept;                ///< of the model as it was
  [[nodiscard]] const ModelCounts& after() const noexcept;                 ///< of the simplified model
  [[nodiscard]] bool is_changed() const noexcept;                          ///< something was applied
  /// Why the model, or part of what could be done, was left as it is, one line each.
  [[nodiscard]] std::span<const std::string> left() const noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept;  ///< of the simplified file, in bytes

  /// Writes the simplified model, as `Fixed::write` does; what was written is read again, and has to be the model that
  /// was meant, before it takes its place.
  /// @throws Error  cannot write; the model was written to since it was read; external data would be out of reach
  void write(const std::string& output) const;
  /// The simplified model in memory. @throws Error  it is larger than memory
  [[nodiscard]] std::string bytes() const;
  /// As of `Fixed`.
  [[nodiscard]] std::string bytes_without(std::span<const ByteRange> weights, std::string_view mark) const;

 private:
  friend struct SimplifiedAccess;
  struct Impl;
  explicit Simplified(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  the file cannot be read, or an option makes no sense
[[nodiscard]] TRTCHECK_API Simplified simplify(const std::string& path, const SimplifyOptions& options = {});
/// Of a model in memory, which must outlive the result. `base_dir`: where external data would be.
/// @throws Error  as above
[[nodiscard]] TRTCHECK_API Simplified simplify(std::span<const std::byte> bytes, const SimplifyOptions& options = {},
                                               const std::string& base_dir = {});
/// Of a model that lies in several places of memory, which must outlive the result.
/// @throws Error  as above
[[nodiscard]] TRTCHECK_API Simplified simplify(const Parts& parts, const SimplifyOptions& options = {},
                                               const std::string& base_dir = {});

}  // namespace trtcheck
