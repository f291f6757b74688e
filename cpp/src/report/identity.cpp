#include "report/identity.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>

namespace trtcheck::report {
namespace {

/// FNV-1a, 64 bits: the same on every machine. Each part is followed by a zero byte.
std::string hash(std::initializer_list<std::string_view> parts) {
  std::uint64_t state = 0xcbf29ce484222325U;
  const auto add = [&state](unsigned char byte) { state = (state ^ byte) * 0x100000001b3U; };
  for (const std::string_view part : parts) {
    for (const char c : part) add(static_cast<unsigned char>(c));
    add(0);
  }
  return fmt::format("{:016x}", state);
}

}  // namespace

std::string structural_identity(const Finding& finding) {
  if (!finding.fingerprint.empty()) return finding.fingerprint;
  return hash({finding.rule->code, finding.graph, finding.node, finding.value, finding.message});
}

std::string identity_of_failure(std::string_view path) { return hash({path, "not-checked"}); }

std::string Identities::next(std::string_view path, const Finding& finding) {
  const std::string first = hash({path, structural_identity(finding)});
  const std::size_t number = seen_[first]++;
  return number == 0 ? first : hash({first, std::to_string(number)});
}

}  // namespace trtcheck::report
