#include "report/identity.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <initializer_list>

#include "text/fnv.hpp"

namespace trtcheck::report {
namespace {

/// Each part is followed by a zero byte.
std::string hash(std::initializer_list<std::string_view> parts) {
  Fnv<std::uint64_t> made;
  for (const std::string_view part : parts) made.add(part).add(static_cast<unsigned char>(0));
  return fmt::format("{:016x}", made.value());
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
