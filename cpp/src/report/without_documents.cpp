// Stands in for the formats of a library that is built without TRTCHECK_BUILD_DOCUMENTS.
#include <string>

#include <trtcheck/error.hpp>

#include "report/formats.hpp"

namespace trtcheck {
namespace report {
namespace {

std::string refused(std::string_view format) {
  throw Error("", "this library was built without the format `" + std::string(format) + "` (TRTCHECK_BUILD_DOCUMENTS)");
}

}  // namespace

std::string render_json(std::span<const Report> /*reports*/, const RenderOptions& /*options*/) {
  return refused("json");
}

std::string render_jsonl(std::span<const Report> /*reports*/, const RenderOptions& /*options*/) {
  return refused("jsonl");
}

std::string render_sarif(std::span<const Report> /*reports*/, const RenderOptions& /*options*/) {
  return refused("sarif");
}

std::string render_gitlab(std::span<const Report> /*reports*/, const RenderOptions& /*options*/) {
  return refused("gitlab");
}

std::string render_html_document(std::span<const Report> /*reports*/, const RenderOptions& /*options*/) {
  return refused("html");
}

}  // namespace report

std::string render_html(const Report& /*report*/) { return report::refused("html"); }

}  // namespace trtcheck
