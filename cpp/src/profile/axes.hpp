// The dims of a model that are open, with the axes of graph inputs that they stand on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck::profiles {

/// Of images, of volumes, of sequences.
enum class Axis : std::uint8_t { batch, space, volume, other };

/// A symbol of shape inference.
struct OpenDim {
  std::string name;
  Axis kind = Axis::other;        ///< of its first axis
  std::vector<std::string> axes;  ///< "axis 0 of `x`"
  Interval allowed = {1, Interval::kMax};
  /// Wanted values of opt; kMin: none.
  std::int64_t wanted_opt = Interval::kMin;
  std::string given_by;  ///< "--dim", "the profile of `x`"; "" = nobody
};

/// A value for each open dim, in their order.
using Sizes = std::vector<std::int64_t>;

class OpenInputs {
 public:
  OpenInputs(const Model& model, const Shapes& shapes);

  [[nodiscard]] std::span<OpenDim> dims() noexcept { return dims_; }
  [[nodiscard]] std::span<const OpenDim> dims() const noexcept { return dims_; }
  [[nodiscard]] const std::vector<std::string>& shapeless() const noexcept { return shapeless_; }
  /// nullptr: none of that name.
  [[nodiscard]] OpenDim* find(std::string_view name);
  /// Its place in dims(); nothing: none of that name.
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view name) const;
  /// What was given for an input bounds its dims.
  void take(const ProfileInput& given);
  [[nodiscard]] std::vector<DimTable::Binding> bindings(const Sizes& sizes) const;
  /// Dynamic inputs in these sizes, without those in `given`.
  [[nodiscard]] std::vector<ProfileInput> with(const Sizes& min, const Sizes& opt, const Sizes& max,
                                               std::span<const ProfileInput> given) const;

 private:
  struct Input {
    std::string_view name;
    std::span<const Dim> dims;
  };
  [[nodiscard]] std::vector<std::int64_t> extents(const Input& input, const Sizes& sizes) const;

  const Shapes* shapes_;
  std::vector<Input> inputs_;
  std::unordered_multimap<std::string_view, std::size_t> inputs_by_name_;
  std::vector<OpenDim> dims_;
  std::unordered_map<std::string_view, std::size_t> places_;  ///< by names that the table of dims holds
  std::vector<std::string> shapeless_;
};

}  // namespace trtcheck::profiles
