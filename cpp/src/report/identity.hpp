// Names of findings for systems that compare two runs: the same in the next run, and different within one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

/// Finding::fingerprint where there is one, else a hash of rule, place and message: 16 hexadecimal digits.
[[nodiscard]] std::string structural_identity(const Finding& finding);

/// Of a model that could not be checked, whatever the cause: 16 hexadecimal digits.
[[nodiscard]] std::string identity_of_failure(std::string_view path);

/// Counts equal findings, so that the second of two gets an identity of its own.
class Identities {
 public:
  /// Of model path, structure and number among equals: 16 hexadecimal digits.
  [[nodiscard]] std::string next(std::string_view path, const Finding& finding);

 private:
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace trtcheck::report
