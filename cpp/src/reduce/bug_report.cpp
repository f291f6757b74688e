#include "reduce/bug_report.hpp"

#include <sys/utsname.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/version.hpp>

#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::reducing {
namespace {

std::string system_name() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

/// The report of the small model with nothing but the finding, and no path.
Report shown(const BugReport& report) {
  Report made = report.reduced.report();
  made.path = "model.onnx";
  if (const Finding* finding = report.reduced.finding()) made.findings = {*finding};
  return made;
}

std::string rendered(const BugReport& report, Format format) {
  const Report made = shown(report);
  return render({&made, 1}, {.format = format, .summary = false});
}

std::string precisions(const Target& target) {
  std::vector<std::string_view> words;
  for (const Precision precision : target.precisions) words.push_back(to_string(precision));
  return words.empty() ? "FP32" : fmt::format("{}", fmt::join(words, ", "));
}

std::string opsets(const Model& model) {
  std::vector<std::string> words;
  for (const OpsetImport& import : model.opset_imports()) {
    words.push_back(fmt::format("{} {}", import.domain.empty() ? "ai.onnx" : import.domain, import.version));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string_view words_of(ReducedWeights weights) {
  switch (weights) {
    case ReducedWeights::random:
      return "random, of the same types and shapes";
    case ReducedWeights::zero:
      return "zeros, of the same types and shapes";
    case ReducedWeights::keep:
      return "those of the model";
  }
  return "";
}

}  // namespace

std::string environment_text(const BugReport& report) {
  const Model& model = report.model;
  std::string text = fmt::format("trtcheck {}\n", version());
  for (const std::string& line : report.versions) text += printable(line) + "\n";
  text += fmt::format("system: {}\n", system_name());
  text += fmt::format("checked for: {}, {}\n", full_name(report.target.release), precisions(report.target));
  text += fmt::format("model: IR version {}, {}\n", model.ir_version(), printable(opsets(model)));
  if (!model.producer_name().empty()) {
    text += fmt::format("exported by: {} {}\n", printable(model.producer_name()), printable(model.producer_version()));
  }
  return text + fmt::format("weights: {}\n", words_of(report.weights));
}

std::string finding_text(const BugReport& report) {
  if (report.reduced.finding() == nullptr) {
    return fmt::format("The command says that the model shows it: {}\n", printable(report.command));
  }
  return rendered(report, Format::full);
}

std::string finding_json(const BugReport& report) { return rendered(report, Format::json); }

std::string issue_text(const BugReport& report) {
  const Reduced& reduced = report.reduced;
  const Finding* const finding = reduced.finding();
  std::string text = finding != nullptr ? fmt::format("# {}: {}\n", finding->rule->name, printable(finding->message))
                                        : std::string("# A small model that shows the problem\n");
  text += fmt::format("\n`model.onnx` has {} (reduced from {} with `trtcheck reduce`).\n",
                      counted(reduced.after().nodes, "node"), reduced.before().nodes);
  text += "\n## Nodes\n\n```\n";
  for (const std::string& line : reduced.nodes()) text += printable(line) + "\n";
  text += "```\n\n## What happens\n\n```\n" + finding_text(report) + "```\n\n## How to see it\n\n```sh\n";
  if (!report.command.empty()) text += printable(report.command) + "\n";
  if (finding != nullptr) {
    text += fmt::format("trtcheck check --target {} model.onnx\n", to_string(report.target.release));
  }
  text += "trtexec --onnx=model.onnx\n```\n\n## Environment\n\n```\n" + environment_text(report) + "```\n";
  if (reduced.notes().empty()) return text;
  text += "\n## Notes\n\n";
  for (const std::string& note : reduced.notes()) text += fmt::format("- {}\n", printable(note));
  return text;
}

}  // namespace trtcheck::reducing
