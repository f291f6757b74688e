#include "witness/judge.hpp"
#include "schema/kinds.hpp"

#include <algorithm>
#include <array>

#include <trtcheck/target.hpp>

#include "text/lines.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::string_view kPlugin = "it needs a plugin, and plugins do not load without a CUDA driver";
constexpr std::string_view kProfile = "the proposed profile does not fit; give one with --profile";

/// A limit of the witness: words that stand in what it prints, all of them.
struct Limit {
  std::array<std::string_view, 2> words;
  std::string_view why;
  std::string_view release = "";  ///< whose limit it is: TensorRT-RTX "1.4."; "" = of all
};
constexpr std::array kLimits{
    Limit{{"Plugin not found", ""}, kPlugin},
    Limit{{"found in", "plugin registry"}, kPlugin},
    Limit{{"creator", "plugin"}, kPlugin},
    Limit{{"no runners that implement it", ""}, kPlugin},
    Limit{{"cudnn_impl.cpp", "CHECK(dtype =="}, "this release builds no INT8 convolution without a GPU"},
    Limit{{"generateForCurrent", "cudaDeviceProfile"}, "this release folds no constants of Q/DQ without a GPU"},
    Limit{{"cannot be quantized by", "add a DQ node before"}, "this release refuses every INT8 input", "1.4."},
    Limit{{"no optimization profile has been defined", ""}, "an input holds a shape, whose values no profile gives"},
    Limit{{"OutOfMemory", ""}, "there is not enough memory"},
    Limit{{"bad_alloc", ""}, "there is not enough memory"},
};
bool is_known_operator(std::string_view op_type) {
  const auto known = known_operators();
  return std::ranges::find(known, op_type) != known.end();
}

std::string_view limit_of(const Said& said, const Answer& answer, bool proposed) {
  for (const Limit& limit : kLimits) {
    if (!answer.release.starts_with(limit.release)) continue;
    if (std::ranges::all_of(limit.words, [&](std::string_view w) { return said.text.find(w) != std::string::npos; })) {
      return limit.why;
    }
  }
  if (is_a(said.op_type, kinds::plugin_everywhere)) return kPlugin;
  // 1.5 says so of every name that no plugin it has loaded bears.
  const bool unsupported = said.text.find("is not supported in TensorRT") != std::string::npos;
  if (unsupported && !said.op_type.empty() && !is_known_operator(said.op_type)) return kPlugin;
  if (proposed && said.text.find("for profile") != std::string::npos) return kProfile;
  return {};
}

/// Without the lines that only say that there is no GPU, unless there is nothing else.
std::string without_gpu_noise(std::string_view text) {
  std::string kept;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = next_line(rest);
    if (line.find("catchCudaError") == std::string_view::npos) kept.append(kept.empty() ? "" : "\n").append(line);
  }
  return kept.empty() ? std::string(text) : kept;
}

/// Some errors name only the function they come from: "importScatterElements".
std::string op_type_of(const ParseFailure& error) {
  constexpr std::string_view kImport = "import";
  if (!error.op_type.empty() || !error.function.starts_with(kImport)) return error.op_type;
  const std::string op_type = error.function.substr(kImport.size());
  return is_known_operator(op_type) ? op_type : "";
}

/// What the parser printed. Where it checks a condition without a text there is nothing but its value.
std::string text_of(const ParseFailure& error) {
  if (error.description.empty()) return "error " + std::to_string(error.code);
  if (error.description == "false" || error.description == "Assertion failed: false") return std::string(kNoReason);
  return error.description;
}

std::vector<Said> parser_errors(const Answer& answer) {
  std::vector<Said> said;
  for (const ParseFailure& error : answer.errors) {
    said.push_back({without_gpu_noise(text_of(error)), "parser", error.node_name, op_type_of(error), error.node});
  }
  return said;
}

std::vector<Said> builder_errors(const Answer& answer) {
  std::vector<Said> said;
  for (const LogLine& line : answer.log) {
    if (line.severity != "warning" && !line.text.empty()) said.push_back({line.text, "builder", {}, {}});
  }
  return said;
}

}  // namespace

std::string headline(std::string_view text) {
  // "Invalid Node - name" says only that more follows.
  if (text.starts_with("Invalid Node - ") && text.find('\n') != std::string_view::npos) {
    text.remove_prefix(text.find('\n') + 1);
  }
  return std::string(text.substr(0, text.find('\n')));
}

Judgement judge(const Answer& answer, bool proposed) {
  Judgement made;
  if (answer.parsed && answer.built.value_or(false)) {
    made.testimony = Testimony::built;
    return made;
  }
  if (answer.parsed && !answer.built) {
    made.testimony = Testimony::parsed;
    made.reason = answer.not_built;
    return made;
  }
  made.said = answer.parsed ? builder_errors(answer) : parser_errors(answer);
  for (Said& said : made.said) said.limit = limit_of(said, answer, proposed);
  const auto counting = std::ranges::find(made.said, std::string_view{}, &Said::limit);
  // A builder stops at its first error, and what it says after that follows from it.
  const auto first = made.said.begin();
  const bool limited =
      first != made.said.end() && (answer.parsed ? !first->limit.empty() : counting == made.said.end());
  if (limited) {
    made.reason = first->limit;
    return made;
  }
  made.testimony = Testimony::refused;
  made.reason = counting == made.said.end() ? "it does not say why" : headline(counting->text);
  return made;
}

}  // namespace trtcheck::witness
