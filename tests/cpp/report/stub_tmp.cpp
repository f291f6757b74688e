#include <trtcheck/trtcheck.hpp>
namespace trtcheck {
std::string_view version() noexcept { return "0.1.0"; }
Target::Target() {}
std::string to_string(TrtVersion v) { return std::to_string(v.major_version) + "." + std::to_string(v.minor_version); }
std::string_view to_string(Severity s) noexcept {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "info";
}
std::string_view to_string(Certainty s) noexcept {
  return s == Certainty::proven ? "proven" : s == Certainty::likely ? "likely" : "possible";
}
std::string_view to_string(Applicability s) noexcept { return s == Applicability::safe ? "safe" : "display"; }
}  // namespace trtcheck
