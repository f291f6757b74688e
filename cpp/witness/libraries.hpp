// Opens NVIDIA's libraries and finds out which they are.
#pragma once

#include <stdexcept>

#include "answer.hpp"
#include "request.hpp"

namespace trtcheck::witness {

/// Nothing can be asked: one line says why.
class Fatal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

using MakeBuilder = void* (*)(void* logger, int version);
using MakeParser = void* (*)(void* network, void* logger, int version);

struct Libraries {
  Library names;
  int parser_version = 0;
  MakeBuilder make_builder = nullptr;
  MakeParser make_parser = nullptr;

  [[nodiscard]] bool is_rtx() const { return names.product == "rtx"; }
  /// The places of functions are those of TensorRT 10; of TensorRT-RTX, 1.4 is one.
  [[nodiscard]] bool is_order_10() const { return names.number / 10000 == 10 || names.number / 100 == 104; }
};

/// They stay open until the program ends.
/// @throws Fatal  a file that cannot be loaded, a symbol that it lacks, a version that is not known
[[nodiscard]] Libraries open_libraries(const Request& request);

/// Whether the NVIDIA driver is there: only TensorRT-RTX builds without one.
[[nodiscard]] bool has_driver();

}  // namespace trtcheck::witness
