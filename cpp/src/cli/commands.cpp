#include "cli/commands.hpp"

#include <array>
#include <memory>

#include "cli/axes_options.hpp"
#include "cli/check_options.hpp"
#include "cli/completion_options.hpp"
#include "cli/confirm_options.hpp"
#include "cli/diff_options.hpp"
#include "cli/extract_options.hpp"
#include "cli/fix_options.hpp"
#include "cli/graph_options.hpp"
#include "cli/layers_options.hpp"
#include "cli/matrix_options.hpp"
#include "cli/memory_options.hpp"
#include "cli/profile_options.hpp"
#include "cli/ranges_options.hpp"
#include "cli/reduce_options.hpp"
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

constexpr std::string_view kAxesExamples =
    "  trtcheck axes model.onnx\n"
    "  trtcheck axes --asked x.dim0,x.dim2 --target 10.13 model.onnx\n";

constexpr std::string_view kExtractExamples =
    "  trtcheck extract --outputs features model.onnx -o backbone.onnx\n"
    "  trtcheck extract --inputs feat --outputs boxes,scores model.onnx -o head.onnx\n";

constexpr std::string_view kReduceExamples =
    "  trtcheck reduce --finding OPS401 model.onnx -o small.onnx\n"
    "  trtcheck reduce --finding OPS401@/net/Pad --anonymous --report bug model.onnx\n"
    "  trtcheck reduce --check '! trtexec --onnx={}' --timeout 600 model.onnx\n";

constexpr std::string_view kFixExamples =
    "  trtcheck fix --list model.onnx\n"
    "  trtcheck fix --target 10.13 model.onnx -o repaired.onnx\n"
    "  trtcheck fix --diff --class proven,rounding,choice model.onnx\n";

constexpr std::string_view kMatrixExamples =
    "  trtcheck matrix model.onnx\n"
    "  trtcheck matrix --target 8.6.. --output-format html -o matrix.html models/\n"
    "  trtcheck matrix --from 8.6 --to 11.5 model.onnx\n";

constexpr std::string_view kMemoryExamples =
    "  trtcheck memory model.onnx\n"
    "  trtcheck memory --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n"
    "  trtcheck memory --output-format html -o memory.html model.onnx\n";

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

constexpr std::string_view kDiffExamples =
    "  trtcheck diff before.onnx after.onnx\n"
    "  trtcheck diff --target 10.13 --output-format markdown before.onnx after.onnx\n";

constexpr std::string_view kGraphExamples =
    "  trtcheck graph --around WGT101 model.onnx -o why.svg\n"
    "  trtcheck graph --around /layer1/conv1/Conv --depth 3 model.onnx -o conv.svg\n";

constexpr std::string_view kShapesExamples =
    "  trtcheck shapes model.onnx\n"
    "  trtcheck shapes --profile x=1x3x224x224 --output-format json model.onnx\n"
    "  trtcheck shapes model.onnx -o annotated.onnx\n";

constexpr std::string_view kRulesExamples =
    "  trtcheck rules\n"
    "  trtcheck rules --select QDQ\n";

constexpr std::string_view kCompletionExamples =
    "  trtcheck completion bash > ~/.local/share/bash-completion/completions/trtcheck\n";

constexpr std::string_view kSettingsExamples =
    "  trtcheck settings\n"
    "  trtcheck settings models/model.onnx\n";

constexpr std::string_view kVersionExamples = "  trtcheck version --output-format json\n";

constexpr std::string_view kCheck = "Check a model";
constexpr std::string_view kUnderstand = "Understand an answer";
constexpr std::string_view kCompare = "Compare";
constexpr std::string_view kRepair = "Repair";
constexpr std::string_view kNarrow = "Narrow a problem down";
constexpr std::string_view kLook = "Look inside a model";
constexpr std::string_view kProject = "Set up a project";

constexpr std::array kCommands{
    Command{kCheck, "check", "check models (also: `trtcheck PATH...`)", add<CheckWords>, kCheckExamples},
    Command{kCheck, "confirm", "ask NVIDIA's own parser and builder, if installed", add<ConfirmWords>,
            kConfirmExamples},
    Command{kCheck, "report", "write one page with everything about a model", add<ReportWords>, kReportExamples},
    Command{kUnderstand, "explain", "print what a rule or a message is about", add<ExplainWords>, kExplainExamples},
    Command{kUnderstand, "rules", "list all rules", add<RulesWords>, kRulesExamples},
    Command{kUnderstand, "support", "print what TensorRT requires of operators, by release", add<SupportWords>,
            kSupportExamples},
    Command{kCompare, "diff", "compare two versions of a model", add<DiffWords>, kDiffExamples},
    Command{kCompare, "matrix", "say which releases accept a model", add<MatrixWords>, kMatrixExamples},
    Command{kRepair, "fix", "repair what can be repaired", add<FixWords>, kFixExamples},
    Command{kRepair, "simplify", "write down what is known of a model, remove what is not needed", add<SimplifyWords>,
            kSimplifyExamples},
    Command{kRepair, "profile", "propose sizes for dynamic inputs", add<ProfileWords>, kProfileExamples},
    Command{kNarrow, "axes", "say what dynamic axes may be, and which cause findings", add<AxesWords>, kAxesExamples},
    Command{kNarrow, "extract", "cut a part out of a model, by names of tensors", add<ExtractWords>, kExtractExamples},
    Command{kNarrow, "memory", "say what weights and live activations need", add<MemoryWords>, kMemoryExamples},
    Command{kNarrow, "reduce", "find the smallest part of a model that still has a finding", add<ReduceWords>,
            kReduceExamples},
    Command{kLook, "graph", "draw the nodes around a node or a finding", add<GraphWords>, kGraphExamples},
    Command{kLook, "quantization", "print which layers run quantized, and why not", add<QuantizationWords>,
            kQuantizationExamples},
    Command{kLook, "ranges", "measure what tensors reach on samples (ONNX Runtime)", add<RangesWords>, kRangesExamples},
    Command{kLook, "shapes", "print element type and dims of every value", add<ShapesWords>, kShapesExamples},
    Command{kLook, "types", "print the element types that the engine computes in", add<TypesWords>, kTypesExamples},
    Command{kProject, "completion", "print a completion script for bash, zsh or fish", add<CompletionWords>,
            kCompletionExamples},
    Command{kProject, "settings", "print the settings that apply", add<ShownSettingsWords>, kSettingsExamples},
    Command{kProject, "version", "print the version", add<VersionWords>, kVersionExamples},
    Command{kProject, "man", "print trtcheck.1", add<ManWords>},
};

}  // namespace

std::span<const Command> all_commands() noexcept { return kCommands; }

}  // namespace trtcheck::cli
