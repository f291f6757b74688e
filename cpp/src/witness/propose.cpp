// A profile for inputs whose extents are known at run time only: sizes that people use, tried until shape inference
// finds no contradiction.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <trtcheck/confirm.hpp>

namespace trtcheck {
namespace {

/// Of images, of volumes, of sequences.
enum class Axis : std::uint8_t { batch, space, volume, other };

/// Extents by what an axis is for; one for each kind.
using Sizes = std::array<std::int64_t, 4>;

constexpr std::array kOpt = {Sizes{1, 224, 64, 64},   Sizes{1, 256, 32, 128}, Sizes{1, 64, 16, 16},
                             Sizes{1, 512, 128, 256}, Sizes{1, 32, 8, 8},     Sizes{1, 640, 96, 512}};
constexpr std::array kMin = {Sizes{1, 1, 1, 1}, Sizes{1, 32, 8, 8}, Sizes{1, 64, 16, 16}};
constexpr std::array kMax = {Sizes{8, 1024, 128, 1024}, Sizes{8, 512, 64, 256}, Sizes{8, 448, 128, 128}};

/// Dynamic inputs, and the kind of each of their axes.
class Inputs {
 public:
  Inputs(const Model& model, std::span<const ProfileInput> given) : model_(&model) {
    for (const ValueId id : model.graph().inputs) {
      const Value& value = model.value(id);
      if (!model.is_network_input(id) || !is_dynamic(value)) continue;
      if (std::ranges::find(given, value.name, &ProfileInput::name) == given.end()) ids_.push_back(id);
    }
  }

  [[nodiscard]] bool empty() const noexcept { return ids_.empty(); }

  /// An axis that is called as another one is as long.
  [[nodiscard]] std::vector<ProfileInput> with(const Sizes& min, const Sizes& opt, const Sizes& max) const {
    std::map<std::string_view, Axis> kinds;
    std::vector<ProfileInput> made;
    for (const ValueId id : ids_) {
      ProfileInput input{std::string(model_->value(id).name), {}, {}, {}};
      const std::span<const DeclaredDim> dims = model_->type(model_->value(id).declared).dims;
      for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        const DeclaredDim& dim = dims[axis];
        Axis kind = kind_of(axis, dims.size());
        if (dim.kind == DeclaredDim::Kind::param) kind = kinds.emplace(dim.param, kind).first->second;
        const auto size = [&](const Sizes& sizes) { return is_fixed(dim) ? dim.value : sizes.at(std::size_t(kind)); };
        input.min.push_back(size(min));
        input.opt.push_back(size(opt));
        input.max.push_back(size(max));
      }
      made.push_back(std::move(input));
    }
    return made;
  }

 private:
  static bool is_fixed(const DeclaredDim& dim) { return dim.kind == DeclaredDim::Kind::value && dim.value >= 0; }
  [[nodiscard]] bool is_dynamic(const Value& value) const {
    const Type& type = model_->type(value.declared);
    return type.has_shape && !std::ranges::all_of(type.dims, is_fixed);
  }
  static Axis kind_of(std::size_t axis, std::size_t rank) {
    if (axis == 0) return Axis::batch;
    if (rank < 4 || axis < 2) return Axis::other;
    return rank == 4 ? Axis::space : Axis::volume;
  }

  const Model* model_;
  std::vector<ValueId> ids_;
};

}  // namespace

std::vector<ProfileInput> propose_profile(const Model& model, std::span<const ProfileInput> given) {
  const Inputs inputs(model, given);
  if (inputs.empty()) return {};
  const Analysis analysis(model);
  const std::size_t unavoidable = analysis.shapes().conflicts().size();
  const auto fits = [&](const Sizes& sizes) {
    Target target;
    target.profile.assign(given.begin(), given.end());
    for (ProfileInput& input : target.profile) input.min = input.max = input.opt;
    for (ProfileInput& input : inputs.with(sizes, sizes, sizes)) target.profile.push_back(std::move(input));
    return infer(model, infer_options(target)).conflicts().size() <= unavoidable;
  };
  const auto opt = std::ranges::find_if(kOpt, fits);
  const Sizes chosen = opt == kOpt.end() ? kOpt.front() : *opt;
  const auto chosen_of = [&](const auto& candidates, auto is_in_order) {
    const auto found = std::ranges::find_if(
        candidates, [&](const Sizes& sizes) { return std::ranges::equal(sizes, chosen, is_in_order) && fits(sizes); });
    return found == candidates.end() ? chosen : *found;
  };
  return inputs.with(chosen_of(kMin, std::less_equal<>{}), chosen, chosen_of(kMax, std::greater_equal<>{}));
}

}  // namespace trtcheck
