// Where findings are, as documents for CI want it: paths below the folder of the repository relative to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

/// Bytes, as they came. "" = a model from memory.
struct Place {
  std::string path;
  std::int64_t line = 0;  ///< 0 = none: the file is not text
};

class Places {
 public:
  explicit Places(const RenderOptions& options);

  /// Relative to the root when below it, else absolute when that can be told. Without a folder: as given.
  [[nodiscard]] std::string path(std::string_view path) const;
  /// The line of the PyTorch program when it is known, else the model.
  [[nodiscard]] Place of(const Report& report, const Finding& finding) const;

 private:
  std::string folder_;
  std::string root_;
};

/// A reference for SARIF: relative to the root, or "file:///..." (RFC 8089).
[[nodiscard]] std::string uri_reference(std::string_view path);

}  // namespace trtcheck::report
