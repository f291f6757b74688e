// How fast weights are looked at, against reading the same memory and nothing else.
//
//     trtcheck_scan [MEGABYTES]      256 unless told; exit code 1: less than half as fast
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "view/number_scan.hpp"
#include "view/sparse_groups.hpp"
#include "view/weight_scan.hpp"

namespace {

constexpr int kRounds = 7;

std::string varint(std::uint64_t number) {
  std::string out;
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  return out + static_cast<char>(number);
}

std::string bytes_field(std::uint32_t field, std::string_view content) {
  return varint(field << 3 | 2).append(varint(content.size())).append(content);
}

std::string number_field(std::uint32_t field, std::uint64_t number) { return varint(field << 3) + varint(number); }

/// A model of one initializer: onnx.proto3, fields of ModelProto, GraphProto and TensorProto. As FLOAT16 two numbers
/// from 1 to 2 stand in the place of each.
/// @param inner  dims after the first
std::string model_with(std::size_t floats, trtcheck::DataType type, const std::vector<std::size_t>& inner) {
  std::string data(floats * sizeof(float), '\0');
  for (std::size_t i = 0; i < floats; ++i) {
    const float value = 1e-3F * static_cast<float>(i % 977);
    const std::uint32_t halves = 0x3c003c00U + static_cast<std::uint32_t>(i % 977);
    const void* const bits = type == trtcheck::DataType::float32 ? static_cast<const void*>(&value) : &halves;
    std::memcpy(data.data() + i * sizeof(float), bits, sizeof(float));
  }
  const std::size_t elements = type == trtcheck::DataType::float32 ? floats : 2 * floats;
  std::string dims;
  std::size_t rest = elements;
  for (const std::size_t dim : inner) {
    dims += number_field(1, dim);
    rest /= dim;
  }
  const std::string tensor = number_field(1, rest) + dims + number_field(2, static_cast<std::uint64_t>(type)) +
                             bytes_field(8, "w") + bytes_field(9, data);
  return number_field(1, 8) + bytes_field(7, bytes_field(5, tensor)) + bytes_field(8, number_field(2, 17));
}

/// The best of some rounds: other programs only ever slow it down.
template <class Work>
double gigabytes_per_second(std::size_t bytes, Work&& work) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return static_cast<double>(bytes) / best / 1e9;
}

/// @returns whether it is at least half as fast
template <class Scan>
bool measure(const char* name, std::size_t megabytes, trtcheck::DataType type, const Scan& look_at,
             const std::vector<std::size_t>& inner = {}) {
  std::size_t of_first = 1;
  for (const std::size_t dim : inner) of_first *= dim;
  const std::string bytes = model_with((megabytes << 20) / sizeof(float) / of_first * of_first, type, inner);
  const trtcheck::Model model = trtcheck::read_model(std::as_bytes(std::span(bytes)), "");
  const trtcheck::Tensor& tensor = model.tensor(trtcheck::TensorId{0});

  volatile std::uint64_t kept = 0;
  const double plain = gigabytes_per_second(bytes.size(), [&] {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + sizeof(sum) <= bytes.size(); i += sizeof(sum)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, sizeof(word));
      sum += word;
    }
    kept = sum;
  });
  const double scan = gigabytes_per_second(bytes.size(), [&] {
    const auto found = look_at(model, tensor);
    kept = found ? found->elements : 0;
  });
  std::printf("%s: memory %.1f GB/s, scan %.1f GB/s: %.2f of it\n", name, plain, scan, scan / plain);
  return kept == static_cast<std::uint64_t>(tensor.element_count().value_or(0)) && scan >= plain / 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t megabytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256;
  using trtcheck::DataType;
  const bool half = measure("FLOAT for FP16", megabytes, DataType::float32, trtcheck::scan_for_half);
  const bool numbers = measure("FLOAT for NaN", megabytes, DataType::float32, trtcheck::scan_numbers);
  const bool numbers16 = measure("FLOAT16 for NaN", megabytes, DataType::float16, trtcheck::scan_numbers);
  const auto groups_along = [](std::size_t axis) {
    return [axis](const trtcheck::Model& model, const trtcheck::Tensor& tensor) {
      return trtcheck::sparse_groups(model, tensor, axis);
    };
  };
  bool groups = true;
  for (const DataType type : {DataType::float32, DataType::float16}) {
    const std::string name = to_string(type) + " for 2:4";
    groups &= measure((name + ", rows").c_str(), megabytes, type, groups_along(1), {1024});
    groups &= measure((name + ", columns").c_str(), megabytes, type, groups_along(0), {4096});
    groups &= measure((name + ", 3x3").c_str(), megabytes, type, groups_along(1), {256, 3, 3});
  }
  return half && numbers && numbers16 && groups ? 0 : 1;
}
