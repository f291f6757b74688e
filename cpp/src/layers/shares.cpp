#include <trtcheck/layers.hpp>

#include <algorithm>
#include <numeric>

#include "layers/work.hpp"
#include "view/profile_sizes.hpp"

namespace trtcheck {
namespace {

using Bindings = std::vector<DimTable::Binding>;

/// Small numbers that the sums are compared at: what is in proportion there is asked for proof.
constexpr std::int64_t kProbe = 64;

Bindings of_all_symbols(const DimTable& dims, Dim dim, std::int64_t value) {
  Bindings found;
  for (const std::string_view symbol : dims.symbols(dim)) found.push_back({symbol, value});
  return found;
}

/// part/total, when that is the same for all sizes.
std::optional<double> constant_share(DimTable& dims, Dim part, Dim total) {
  const Bindings probe = of_all_symbols(dims, total, kProbe);
  const auto a = dims.evaluate(part, probe);
  const auto b = dims.evaluate(total, probe);
  if (!a || !b || *b <= 0) return std::nullopt;
  const std::int64_t divisor = std::gcd(*a, *b);
  const Dim left = dims.mul(part, dims.literal(*b / divisor));
  const Dim right = dims.mul(total, dims.literal(*a / divisor));
  if (dims.equal(left, right) != Truth::yes) return std::nullopt;
  return static_cast<double>(*a) / static_cast<double>(*b);
}

}  // namespace

std::vector<TypeShare> type_shares(std::span<const Layer> layers, const Model& model, const Shapes& shapes,
                                   const Target& target) {
  DimTable& dims = shapes.dims();
  std::vector<TypeShare> shares;
  Dim total = dims.literal(0);
  bool is_complete = true;
  for (const Layer& layer : layers) {
    if (!layers_of::has_work(model.node(layer.node))) continue;
    auto share = std::ranges::find(shares, layer.type, &TypeShare::type);
    if (share == shares.end()) {
      share = shares.emplace(shares.end());
      share->type = layer.type;
    }
    ++share->layers;
    if (layer.work) {
      share->work = dims.add(share->work, *layer.work);
      total = dims.add(total, *layer.work);
    } else {
      ++share->unsized;
      is_complete = false;
    }
  }
  const Bindings sizes = profile_sizes(model, shapes, target, &ProfileInput::opt);
  const auto all = evaluate_at(dims, total, sizes);
  for (TypeShare& share : shares) {
    share.number = evaluate_at(dims, share.work, sizes);
    if (!is_complete) continue;
    if (share.number && all && *all > 0) {
      share.share = static_cast<double>(*share.number) / static_cast<double>(*all);
    } else {
      share.share = constant_share(dims, share.work, total);
    }
  }
  std::ranges::stable_sort(shares, std::ranges::greater{}, &TypeShare::layers);
  return shares;
}

}  // namespace trtcheck
