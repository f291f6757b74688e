#include "cli/commands.hpp"

#include <array>
#include <memory>

#include "cli/check_options.hpp"
#include "cli/completion_options.hpp"
#include "cli/confirm_options.hpp"
#include "cli/diff_options.hpp"
#include "cli/fix_options.hpp"
#include "cli/graph_options.hpp"
#include "cli/layers_options.hpp"
#include "cli/matrix_options.hpp"
#include "cli/profile_options.hpp"
#include "cli/ranges_options.hpp"
#include "cli/report_options.hpp"
#include "cli/rules_options.hpp"
#include "cli/settings_options.hpp"
#include "cli/shapes_options.hpp"
#include "cli/simplify_options.hpp"
#include "cli/support_options.hpp"
#include "cli/version_options.hpp"

namespace trtcheck::cli {
namespace {

template <class CommandWords>
Run add(Options& options) {
  const auto words = std::make_shared<CommandWords>();
  words->add_to(options);
  return [words] { return run(words->request()); };
}

constexpr std::string_view kCheckExamples =
    "  trtcheck model.onnx\n"
    "  trtcheck check models/ 'exports/**/*.onnx'\n"
    "  trtcheck check --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n"
    "  trtcheck check --output-format json --output report.json model.onnx\n"
    "  trtcheck check --statistics --quiet models/\n";

constexpr std::string_view kConfirmExamples =
    "  trtcheck confirm --propose-profile models/\n"
    "  trtcheck confirm --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n";

constexpr std::string_view kFixExamples =
    "  trtcheck fix --list model.onnx\n"
    "  trtcheck fix --target 10.13 model.onnx -o repaired.onnx\n"
    "  trtcheck fix --diff --class proven,rounding,choice model.onnx\n";

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

constexpr std::string_view kReportExamples =
    "  trtcheck report model.onnx -o report.html\n"
    "  trtcheck report --target 10.13 --dim batch=1..16 model.onnx -o report.html\n"
    "  trtcheck report --output-format json -o report.json model.onnx\n";

constexpr std::string_view kSimplifyExamples =
    "  trtcheck simplify --list model.onnx\n"
    "  trtcheck simplify model.onnx -o simple.onnx\n"
    "  trtcheck simplify --static x=1x3x224x224 model.onnx -o simple.onnx\n";

constexpr std::string_view kSupportExamples =
    "  trtcheck support Resize\n"
    "  trtcheck support --verbose LSTM\n";

constexpr std::string_view kQuantizationExamples =
    "  trtcheck quantization model.onnx\n"
    "  trtcheck quantization --output-format html -o quantization.html model.onnx\n";

constexpr std::string_view kTypesExamples =
    "  trtcheck types model.onnx\n"
    "  trtcheck types --target 11.5 --profile x=1x3x224x224 model.onnx\n";

constexpr std::string_view kExplainExamples =
    "  trtcheck explain WGT101\n"
    "  trtcheck explain kernel weights has count 1474560 but 737280 was expected\n"
    "  trtcheck explain --error-log build.log --model model.onnx\n";

constexpr std::string_view kConverts = "Check a model";
constexpr std::string_view kLooks = "Look into a model";
constexpr std::string_view kLooksUp = "Look up";
constexpr std::string_view kSetsUp = "Set up";

constexpr std::array kCommands{
    Command{kConverts, "check", "check models (also: `trtcheck PATH...`)", add<CheckWords>, kCheckExamples},
    Command{kConverts, "confirm", "ask NVIDIA's own parser and builder, if installed", add<ConfirmWords>,
            kConfirmExamples},
    Command{kConverts, "diff", "compare two versions of a model", add<DiffWords>},
    Command{kConverts, "fix", "repair what can be repaired", add<FixWords>, kFixExamples},
    Command{kConverts, "matrix", "say which releases accept a model", add<MatrixWords>, kMatrixExamples},
    Command{kConverts, "profile", "propose sizes for dynamic inputs", add<ProfileWords>, kProfileExamples},
    Command{kConverts, "simplify", "write down what is known of a model, remove what is not needed", add<SimplifyWords>,
            kSimplifyExamples},
    Command{kLooks, "graph", "draw the nodes around a node or a finding", add<GraphWords>},
    Command{kLooks, "quantization", "print which layers run quantized, and why not", add<QuantizationWords>,
            kQuantizationExamples},
    Command{kLooks, "ranges", "measure what tensors reach on samples (ONNX Runtime)", add<RangesWords>,
            kRangesExamples},
    Command{kLooks, "report", "one page with everything about a model", add<ReportWords>, kReportExamples},
    Command{kLooks, "shapes", "print element type and dims of every value", add<ShapesWords>},
    Command{kLooks, "types", "print the element types that the engine computes in", add<TypesWords>, kTypesExamples},
    Command{kLooksUp, "explain", "print what a rule or a message is about", add<ExplainWords>, kExplainExamples},
    Command{kLooksUp, "rules", "list all rules", add<RulesWords>},
    Command{kLooksUp, "support", "print what TensorRT asks of operators, by release", add<SupportWords>,
            kSupportExamples},
    Command{kSetsUp, "completion", "print a completion script for bash, zsh or fish", add<CompletionWords>},
    Command{kSetsUp, "settings", "print the settings that apply", add<ShownSettingsWords>},
    Command{kSetsUp, "version", "print the version", add<VersionWords>},
    Command{kSetsUp, "man", "print trtcheck.1", add<ManWords>},
};

}  // namespace

std::span<const Command> all_commands() noexcept { return kCommands; }

}  // namespace trtcheck::cli
