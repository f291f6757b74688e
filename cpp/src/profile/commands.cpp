#include "profile/commands.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "target/gates.hpp"
#include "target/profile_text.hpp"
#include "target/release_view.hpp"
#include "text/single_quoted.hpp"

namespace trtcheck::profiles {
namespace {

using Shape = std::vector<std::int64_t> ProfileInput::*;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:=,@%+-").find(c) != std::string_view::npos;
}

/// trtexec parts a name from its shape at a colon, and inputs at a comma; quotes of its own keep a name together.
std::string trtexec_name(const std::string& name) {
  return name.find_first_of(":,") == std::string::npos ? name : "'" + name + "'";
}

std::string trtexec_shapes(const ProfileProposal& proposal, std::string_view option, Shape shape) {
  if (proposal.inputs.empty()) return "";
  std::string text;
  for (const ProfileInput& input : proposal.inputs) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", trtexec_name(input.name), dims_text(input.*shape));
  }
  return " " + shell_word(fmt::format("{}={}", option, text));
}

std::string polygraphy_shapes(const ProfileProposal& proposal, std::string_view option, Shape shape) {
  if (proposal.inputs.empty()) return "";
  std::string text = fmt::format(" {}", option);
  for (const ProfileInput& input : proposal.inputs) {
    text += " " + shell_word(fmt::format("{}:[{}]", input.name, fmt::join(input.*shape, ",")));
  }
  return text;
}

/// The types of the values of a model.
class Types {
 public:
  Types(const Model& model, const Shapes& shapes) {
    for (std::uint32_t i = 0; i < model.value_count(); ++i) add(shapes[ValueId{i}].type);
    for (std::uint32_t i = 0; i < model.node_count() && !is_quantized_; ++i) {
      is_quantized_ = model.node(NodeId{i}).op_type == "DequantizeLinear";
    }
  }
  [[nodiscard]] bool has(DataType type) const { return std::ranges::find(types_, type) != types_.end(); }
  /// Q/DQ are there, and codes of one of these types.
  [[nodiscard]] bool quantize_to(std::initializer_list<DataType> codes) const {
    return is_quantized_ && std::ranges::any_of(codes, [this](DataType type) { return has(type); });
  }

 private:
  void add(DataType type) {
    if (!has(type)) types_.push_back(type);
  }

  std::vector<DataType> types_;
  bool is_quantized_ = false;
};

}  // namespace

BuildFlags build_flags(const Model& model, const Shapes& shapes, const Target& target) {
  BuildFlags flags;
  if (target.release != Target().release) flags.trtcheck = " --target " + to_string(target.release);
  if (is_strongly_typed(ReleaseView(target.release), false)) return flags;
  const Types types(model, shapes);
  const bool has_strong = gates::strongly_typed_on_request.open_in(target.release);
  const bool wants_strong =
      types.quantize_to({DataType::float8e4m3fn, DataType::int4, DataType::uint4, DataType::float4e2m1});
  if (has_strong && (target.strongly_typed || wants_strong)) {
    return {" --stronglyTyped", " --strongly-typed", flags.trtcheck + " --strongly-typed"};
  }
  const auto allow = [&](std::string_view word) {
    flags.trtexec += fmt::format(" --{}", word);
    flags.trtcheck += fmt::format(" --precision {}", word);
  };
  if (types.has(DataType::float16) || target.asks_for(Precision::fp16)) allow("fp16");
  if ((types.has(DataType::bfloat16) || target.asks_for(Precision::bf16)) && has_strong) allow("bf16");
  if (types.quantize_to({DataType::int8, DataType::uint8}) || target.asks_for(Precision::int8)) allow("int8");
  flags.polygraphy = flags.trtexec;
  return flags;
}

// Double quotes where the word has single ones of its own, as around names in trtexec: easier to read.
std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  const bool has_quote = word.find('\'') != std::string_view::npos;
  if (has_quote && word.find_first_of("\"\\$`!") == std::string_view::npos) return fmt::format("\"{}\"", word);
  return single_quoted(word);
}

std::vector<ProfileCommand> commands_for(const ProfileProposal& proposal, const BuildFlags& flags) {
  const std::string path = proposal.path.empty() ? "model.onnx" : proposal.path;
  const std::string engine = std::filesystem::path(path).stem().string() + ".engine";
  const std::string trtexec_all = trtexec_shapes(proposal, "--minShapes", &ProfileInput::min) +
                                  trtexec_shapes(proposal, "--optShapes", &ProfileInput::opt) +
                                  trtexec_shapes(proposal, "--maxShapes", &ProfileInput::max);
  const std::string polygraphy_all = polygraphy_shapes(proposal, "--trt-min-shapes", &ProfileInput::min) +
                                     polygraphy_shapes(proposal, "--trt-opt-shapes", &ProfileInput::opt) +
                                     polygraphy_shapes(proposal, "--trt-max-shapes", &ProfileInput::max);
  std::string check = "trtcheck check" + flags.trtcheck;
  for (const ProfileInput& input : proposal.inputs) {
    check += " --profile " + shell_word(fmt::format("{}={}", input.name, sizes_text(input)));
  }
  return {{"trtexec", "trtexec " + shell_word("--onnx=" + path) + " " + shell_word("--saveEngine=" + engine) +
                          flags.trtexec + trtexec_all},
          {"polygraphy",
           "polygraphy convert " + shell_word(path) + " -o " + shell_word(engine) + flags.polygraphy + polygraphy_all},
          {"polygraphy", "polygraphy run " + shell_word(path) + " --trt" + flags.polygraphy + polygraphy_all},
          {"trtcheck", check + " " + shell_word(path)}};
}

}  // namespace trtcheck::profiles
