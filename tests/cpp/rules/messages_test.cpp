// Messages as people paste them from logs and issues, and texts that no rule should claim.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/messages.hpp>

#include "explain/message_words.hpp"

using namespace trtcheck;

namespace {

std::vector<std::string> codes(std::string_view message) {
  std::vector<std::string> found;
  for (const MessageMatch& match : rules_for(message)) found.emplace_back(match.rule->code);
  return found;
}

bool holds(const std::vector<std::string>& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

struct Case {
  std::string_view message;
  std::string_view code;     // must be among the rules found
  std::string_view op_type;  // "" = not asked
};

// Reports 3720, 2251, 3273, 3980, 4060, 1775, 319 of NVIDIA/TensorRT, 3180 of pytorch/TensorRT; parser texts.
constexpr Case kCases[] = {
    {"kernel weights has count 1474560 but 737280 was expected", "WGT101", ""},
    {"[E] [TRT] 4: [graphShapeAnalyzer.cpp::computeOutputExtents::1032] Error Code 4: Internal Error (layers.10: "
     "kernel "
     "weights has count 294912 but 147456 was expected)",
     "WGT101", ""},
    {"KERNEL WEIGHTS HAS COUNT 5 BUT 6 WAS EXPECTED", "WGT103", ""},
    {"kernel weights has count", "WGT101", ""},
    {"shift weights has count 16 but 64 was expected", "WGT201", ""},
    {"[8] Assertion failed: creator && \"Plugin not found, are the plugin name, version, and namespace correct?\"",
     "OPS103", ""},
    {"[TRT] 3: getPluginCreator could not find plugin: Custom version: 1", "OPS104", ""},
    {"No importer registered for op: NonZero", "OPS101", ""},
    {"[TensorRT] ERROR: Network must have at least one output", "MDL108", ""},
    {"10: [optimizer.cpp::computeCosts::3869] Error Code 10: Internal Error (Could not find any implementation for "
     "node "
     "weights + node_of_weights_quantized + node_of_output.)",
     "HWD101", ""},
    {"[defaultAllocator.cpp::deallocateAsync::64] Error Code 1: Cuda Runtime (operation not supported)", "QDQ201", ""},
    {"ERROR: onnxOpImporters.cpp:1017 In function QuantDequantLinearHelper: [6] Assertion failed: "
     "scaleAllPositive(scale) && \"Scale coefficients must all be positive\"",
     "QDQ103", ""},
    {"In function importReduceMax: [8] Assertion failed: inputs.at(1).is_weights() && \"Axis input must be an "
     "initializer!\"",
     "OPS401", "ReduceMax"},
    {"Axis input must be an initializer!", "OPS401", ""},
    {"The bias tensor is required to be 1D.", "WGT105", ""},
    {"kOPT values for profile 0 violate shape constraints: reshape would change volume", "SHP102", ""},
    {"4: [network.cpp::validate::3062] Error Code 4: Internal Error (Network has dynamic or shape inputs, but no "
     "optimization profile has been defined.)",
     "PRF102", ""},
    {"Failed to convert ONNX data type to TensorRT data type", "MDL311", ""},  // TensorRT writes "date"
    {"Failed to import initializer weight_3", "MDL312", ""},
    {"_Map_base::at", "OPS203", ""},
    {"This version of TensorRT does not support the indices output in MaxPool!", "OPS401", "MaxPool"},
    {"For output tensor y, the parsed type is int32 which does not match the output type", "MDL321", ""},
    {"Profile kOPT values are not self-consistent. Dimensions with name N must be equal. Condition '==' violated: 4 != "
     "2.",
     "PRF103", ""},
    {"Only block_size == 16 is supported for now", "OPS401", ""},
    {"GEMM must have 2D inputs!", "OPS401", "Gemm"},
    {"The scores tensor must be 3D", "OPS401", "NonMaxSuppression"},
    {"Only float inputs/outputs supported in LpPool", "OPS401", "LpPool"},
    {"ITensor::getDimensions: Error Code 4: API Usage Error (y: IConvolutionLayer `num_groups` must divide input's "
     "channel count. Input channel count is 1 but `num_groups` is 128.)",
     "WGT101", ""},
    {"y: IDeconvolutionLayer number of channels in `input` tensor must not be dynamic.", "WGT102", ""},
    {"y: group count must divide output channel count. Current group count(2) and output channel count(3) are not "
     "divisible.",
     "WGT104", ""},
    {"y: IDeconvolutionLayer `num_groups` must divide input channel count. `num_groups` is 2 but input channel count "
     "is "
     "3.",
     "WGT104", ""},
    {"IScaleLayer y: ScaleMode::kCHANNEL with 2 weights but axis 1 has build-time length 3.", "WGT206", ""},
    {"d: input has type Int32 but must have type FP8, FP4, Int4, or Int8. In checkType", "QDQ108", ""},
};

constexpr std::string_view kStrange[] = {
    "",
    " ",
    "*",
    "* * * * * * * * *",
    "kernel",
    "kernel weights",
    "foo bar baz",
    "CUDA out of memory",
    "Segmentation fault (core dumped)",
    "the weights were counted but nobody expected that",
    "Engine built in 12.3 seconds",
    "a plugin was found",
    "input tensor must be contiguous",
    "kernel launch has count 5 and nothing else was expected",
    "was expected but has count",
};

}  // namespace

TEST_CASE("a message of TensorRT leads to its rule") {
  for (const Case& test : kCases) {
    INFO(test.message);
    const std::vector<MessageMatch> found = rules_for(test.message);
    const auto match =
        std::find_if(found.begin(), found.end(), [&](const auto& m) { return m.rule->code == test.code; });
    REQUIRE(match != found.end());
    CHECK(match->op_type == test.op_type);
    CHECK(match->words >= 1);
  }
}

TEST_CASE("what TensorRT does not say leads to no rule") {
  for (const std::string_view message : kStrange) {
    INFO(message);
    CHECK(codes(message).empty());
  }
}

TEST_CASE("every text leads to its rule, also in a log line, and is long enough to be told from other text") {
  std::size_t of_tables = 0;
  for (const KnownMessage& known : known_messages()) {
    INFO(known.rule->code << " " << known.op_type << " " << known.text);
    CHECK(known.text.find('\n') == std::string_view::npos);
    CHECK((explain::words_of(known.text).size() >= 3 || known.text.find("::") != std::string_view::npos));
    CHECK(holds(codes(known.text), known.rule->code));
    const std::string line = "ERROR: ModelImporter.cpp:771 In function import" + std::string(known.op_type) + ": " +
                             std::string(known.text) + " (node 7)";
    CHECK(holds(codes(line), known.rule->code));
    if (!known.op_type.empty()) ++of_tables;
  }
  CHECK(of_tables > 30);
}

TEST_CASE("the most specific rule comes first, each rule once") {
  const std::vector<std::string> found = codes("Found unsupported input type of UINT8");
  REQUIRE(found.size() >= 2);
  CHECK(found.front() == "MDL314");
  CHECK(holds(found, "QDQ102"));
  CHECK(holds(found, "OPS401"));
  CHECK(std::set<std::string>(found.begin(), found.end()).size() == found.size());
  // Equally specific: by code.
  CHECK(codes("Node input was not registered.") == std::vector<std::string>{"MDL103", "MDL107", "MDL214", "OPS401"});
}

TEST_CASE("words: wildcards, numbers, misspellings") {
  using explain::Agreement;
  using explain::find_words;
  using explain::words_of;
  CHECK(words_of("Plugin: a::b_c 12 `x`!*") == explain::Words{"plugin", "a::b_c", "#", "x", "*"});
  const auto found = [](std::string_view wanted, std::string_view text) {
    return find_words(words_of(wanted), words_of(text), Agreement::nearly).value_or(0);
  };
  CHECK(found("count * but * was", "xx count 3 but 4 was yy") == 3);
  CHECK(found("count * but * was", "count but was") == 3);
  CHECK(found("count * but", "count 1 2 3 4 5 6 7 8 but") == 2);
  CHECK(found("count * but", "count 1 2 3 4 5 6 7 8 9 but") == 0);
  CHECK(found("one two three four five", "one two thrree four five") == 4);
  CHECK(found("one two three four five", "one two the three four five") == 4);
  CHECK(found("one two three four", "one two thrree four") == 0);
  CHECK(found("one two three four five", "one two other four five") == 0);
  CHECK(found("one two three four five", "one two four three five") == 0);
  CHECK(found("", "one") == 0);
  CHECK(found("one", "") == 0);
}

TEST_CASE("a log gives the lines that rules explain, each message once, verbose lines left out") {
  const std::string log =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8003] # trtexec --onnx=m.onnx\r\n"
      "[10/02/2022-14:40:17] [V] [TRT] Could not find any implementation for node x in this tactic source\n"
      "[10/02/2022-14:40:17] [I] [TRT] No importer registered for op: Custom. Attempting to import as plugin.\n"
      "[10/02/2022-14:40:17] [E] [TRT] 3: getPluginCreator could not find plugin: Custom version: 1\r\n"
      "[8] Assertion failed: creator && \"Plugin not found, are the plugin name, version, and namespace correct?\"\n"
      "[10/02/2022-14:40:18] [E] [TRT] 3: getPluginCreator could not find plugin: Custom version: 1\n"
      "[10/02/2022-14:40:17] [E] Failed to parse onnx file\n";
  const std::vector<LogMatch> found = rules_for_log(log);
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 4);
  CHECK(found[0].message == "3: getPluginCreator could not find plugin: Custom version: 1");
  CHECK(found[0].matches.front().rule->code == "OPS104");
  CHECK(found[1].line == 5);
  CHECK(rules_for_log("").empty());
  CHECK(rules_for_log("\n\n[E]\n[").empty());
}

TEST_CASE("long and hostile lines cost little") {
  CHECK(rules_for(std::string(1 << 22, '*')).empty());
  std::string words;
  for (int i = 0; i < 200000; ++i) words += "kernel weights ";
  CHECK(rules_for(words).empty());
  CHECK(rules_for(std::string_view("\0\xff\x1b[31m kernel", 14)).empty());
}
