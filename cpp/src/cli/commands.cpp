#include "cli/commands.hpp"

#include <array>
#include <memory>

#include "cli/check_options.hpp"
#include "cli/completion_options.hpp"
#include "cli/confirm_options.hpp"
#include "cli/diff_options.hpp"
#include "cli/graph_options.hpp"
#include "cli/layers_options.hpp"
#include "cli/matrix_options.hpp"
#include "cli/profile_options.hpp"
#include "cli/ranges_options.hpp"
#include "cli/rules_options.hpp"
#include "cli/settings_options.hpp"
#include "cli/shapes_options.hpp"
#include "cli/support_options.hpp"

namespace trtcheck::cli {
namespace {

template <class CommandWords>
Run add(Options& options) {
  const auto words = std::make_shared<CommandWords>();
  words->add_to(options);
  return [words] { return run(words->request()); };
}

constexpr std::string_view kCheckExamples =
    "  trtcheck check models/ 'exports/**/*.onnx'\n"
    "  trtcheck check --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n"
    "  trtcheck check --output-format json --output report.json model.onnx\n"
    "  trtcheck check --statistics --quiet models/\n";

constexpr std::string_view kConfirmExamples =
    "  trtcheck confirm --propose-profile models/\n"
    "  trtcheck confirm --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n";

constexpr std::string_view kMatrixExamples =
    "  trtcheck matrix model.onnx\n"
    "  trtcheck matrix --target 8.6.. --output-format html -o matrix.html models/\n"
    "  trtcheck matrix --from 8.6 --to 11.5 model.onnx\n";

constexpr std::string_view kProfileExamples =
    "  trtcheck profile model.onnx\n"
    "  trtcheck profile --dim batch=1..16 --dim height=224 model.onnx\n";

constexpr std::string_view kRangesExamples =
    "  trtcheck ranges model.onnx --data samples.npz --save ranges.json\n"
    "  trtcheck check --precision fp16 --ranges ranges.json model.onnx\n";

constexpr std::array kCommands{
    Command{"check", "check models (also: `trtcheck PATH...`)", add<CheckWords>, kCheckExamples},
    Command{"completion", "print a completion script for bash, zsh or fish", add<CompletionWords>},
    Command{"confirm", "ask NVIDIA's own parser and builder, if installed", add<ConfirmWords>, kConfirmExamples},
    Command{"diff", "compare two versions of a model", add<DiffWords>},
    Command{"explain", "print what a rule is about", add<ExplainWords>},
    Command{"graph", "draw the nodes around a node or a finding", add<GraphWords>},
    Command{"matrix", "tell which releases take a model", add<MatrixWords>, kMatrixExamples},
    Command{"profile", "propose sizes for dynamic inputs", add<ProfileWords>, kProfileExamples},
    Command{"quantization", "print which layers run quantized, and why not", add<QuantizationWords>},
    Command{"ranges", "measure what tensors reach on samples (ONNX Runtime)", add<RangesWords>, kRangesExamples},
    Command{"rules", "list all rules", add<RulesWords>},
    Command{"settings", "print the settings that count", add<ShownSettingsWords>},
    Command{"shapes", "print element type and dims of every value", add<ShapesWords>},
    Command{"support", "print what TensorRT asks of operators, by release", add<SupportWords>},
    Command{"types", "print the element types that the engine computes in", add<TypesWords>},
    Command{"man", "print trtcheck.1", add<ManWords>},
};

}  // namespace

std::span<const Command> all_commands() noexcept { return kCommands; }

}  // namespace trtcheck::cli
