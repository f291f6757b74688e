// Source: https://developer.nvidia.com/cuda-gpus and .../cuda-legacy-gpus. Thor counts as 11.0 from CUDA 13.0 on, 10.1
// before.
#include "target/gpu_names.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace trtcheck {
namespace {

struct Gpu {
  std::string_view name;  ///< lower case, without blanks
  ComputeCapability capability;
};

/// A name that ends in a digit stands for what has other letters behind it as well: "rtx4070" is "RTX 4070 Ti SUPER",
/// too.
constexpr auto kGpus = std::to_array<Gpu>({
    {"gtx1050", {6, 1}},    {"gtx1060", {6, 1}},     {"gtx1070", {6, 1}},   {"gtx1080", {6, 1}},  {"gtx1630", {7, 5}},
    {"gtx1650", {7, 5}},    {"gtx1660", {7, 5}},     {"rtx2050", {8, 6}},   {"rtx2060", {7, 5}},  {"rtx2070", {7, 5}},
    {"rtx2080", {7, 5}},    {"rtx3050", {8, 6}},     {"rtx3060", {8, 6}},   {"rtx3070", {8, 6}},  {"rtx3080", {8, 6}},
    {"rtx3090", {8, 6}},    {"rtx4050", {8, 9}},     {"rtx4060", {8, 9}},   {"rtx4070", {8, 9}},  {"rtx4080", {8, 9}},
    {"rtx4090", {8, 9}},    {"rtx5050", {12, 0}},    {"rtx5060", {12, 0}},  {"rtx5070", {12, 0}}, {"rtx5080", {12, 0}},
    {"rtx5090", {12, 0}},   {"rtxa2000", {8, 6}},    {"rtxa4000", {8, 6}},  {"rtxa5000", {8, 6}}, {"rtxa6000", {8, 6}},
    {"rtx6000ada", {8, 9}}, {"rtxpro6000", {12, 0}}, {"titanv", {7, 0}},    {"titanrtx", {7, 5}}, {"p4", {6, 1}},
    {"p40", {6, 1}},        {"p100", {6, 0}},        {"v100", {7, 0}},      {"t4", {7, 5}},       {"a2", {8, 6}},
    {"a10", {8, 6}},        {"a10g", {8, 6}},        {"a16", {8, 6}},       {"a30", {8, 0}},      {"a40", {8, 6}},
    {"a100", {8, 0}},       {"l4", {8, 9}},          {"l40", {8, 9}},       {"l40s", {8, 9}},     {"h100", {9, 0}},
    {"h200", {9, 0}},       {"gh200", {9, 0}},       {"b200", {10, 0}},     {"gb200", {10, 0}},   {"b300", {10, 3}},
    {"gb300", {10, 3}},     {"gb10", {12, 1}},       {"dgxspark", {12, 1}}, {"nano", {5, 3}},     {"tx1", {5, 3}},
    {"tx2", {6, 2}},        {"xavier", {7, 2}},      {"agxxavier", {7, 2}}, {"xaviernx", {7, 2}}, {"orin", {8, 7}},
    {"agxorin", {8, 7}},    {"orinnx", {8, 7}},      {"orinnano", {8, 7}},  {"thor", {11, 0}},    {"agxthor", {11, 0}},
    {"drivethor", {11, 0}}, {"driveorin", {8, 7}},
});

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != ' ' && c != '-' && c != '_') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const std::string_view word : {"nvidia", "geforce", "tesla", "jetson", "quadro"}) {
    if (text.starts_with(word)) text.erase(0, word.size());
  }
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "h100pcie" is an "h100", "rtx40901" is no "rtx4090".
bool names(const Gpu& gpu, std::string_view text) {
  return text == gpu.name ||
         (text.starts_with(gpu.name) && is_digit(gpu.name.back()) && !is_digit(text[gpu.name.size()]));
}

}  // namespace

std::optional<ComputeCapability> capability_of_gpu(std::string_view name) {
  const std::string text = plain(name);
  const Gpu* found = nullptr;
  for (const Gpu& gpu : kGpus) {
    if (names(gpu, text) && (found == nullptr || gpu.name.size() > found->name.size())) found = &gpu;
  }
  return found != nullptr ? std::optional(found->capability) : std::nullopt;
}

// Of CUDA's tables, those of older ones, too. 8.8 and 10.1 have no name of their own above.
std::span<const ComputeCapability> known_capabilities() noexcept {
  static constexpr auto kKnown = std::to_array<ComputeCapability>({
      {2, 0}, {2, 1}, {3, 0}, {3, 2},  {3, 5},  {3, 7},  {5, 0},  {5, 2},  {5, 3},
      {6, 0}, {6, 1}, {6, 2}, {7, 0},  {7, 2},  {7, 5},  {8, 0},  {8, 6},  {8, 7},
      {8, 8}, {8, 9}, {9, 0}, {10, 0}, {10, 1}, {10, 3}, {11, 0}, {12, 0}, {12, 1},
  });
  return kKnown;
}

std::vector<std::string_view> gpu_names() {
  std::vector<std::string_view> made(std::size(kGpus));
  std::ranges::transform(kGpus, made.begin(), &Gpu::name);
  return made;
}

}  // namespace trtcheck
