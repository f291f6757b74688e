// Support tables, releases, plugins. Every cell of the table is compared with the JSON by tests/python.
#include <algorithm>
#include <catch2/catch.hpp>

#include <trtcheck/target.hpp>

#include "text/suggest.hpp"

using namespace trtcheck;

TEST_CASE("TensorRT-RTX stands beside the release that it is like") {
  CHECK(std::ranges::is_sorted(known_rtx_releases()));
  const TrtVersion rtx = parse_release("rtx-1.7"), like{11, 4};
  CHECK(rtx != like);
  CHECK((rtx <= like && rtx >= like));
  CHECK(opset_range(rtx).max == opset_range(like).max);
  CHECK(op_support("Conv", rtx).support == Support::supported);
  CHECK(op_support("Det", rtx).support == Support::unsupported);
  CHECK(op_support("MatMulNBits", rtx).support == Support::supported);
  CHECK(op_support("MatMulNBits", like).support == Support::unknown_op);
  CHECK(op_support("LinearAttention", parse_release("rtx-1.4")).support == Support::unknown_op);
  CHECK(op_support("QMoE", parse_release("rtx-1.4")).support == Support::supported);
  CHECK(op_support("MultiHeadAttention", parse_release("rtx-1.5")).support == Support::unknown_op);
  CHECK(op_support("MultiHeadAttention", parse_release("rtx-1.6")).support == Support::supported);
  for (const std::string_view op : known_rtx_operators()) {
    CHECK(!std::ranges::binary_search(known_operators(), op));
    CHECK(op_support(op, rtx).support == Support::supported);
  }
  CHECK(builtin_plugin("EfficientNMS_TRT", like));
  CHECK(!builtin_plugin("EfficientNMS_TRT", rtx));
}

TEST_CASE("releases from 8.0 on and 234 operators are known, newest last, and the newest is the default") {
  CHECK(known_releases().front() == TrtVersion{8, 0});
  CHECK(std::ranges::find(known_releases(), TrtVersion{11, 5}) != known_releases().end());
  CHECK(std::ranges::is_sorted(known_releases()));
  CHECK(std::ranges::find(known_releases(), newest_read_release()) != known_releases().end());
  CHECK(known_operators().size() == 234);
  CHECK(Target().release == known_releases().back());
}

TEST_CASE("an operator is supported from the release that brought it") {
  struct Row {
    const char* op;
    TrtVersion release;
    Support support;
    bool refused;
  };
  const Row rows[] = {
      {"Conv", {8, 0}, Support::supported, false},
      {"Conv", {11, 1}, Support::supported, false},
      {"Conv", {11, 5}, Support::supported, false},
      {"Attention", {10, 13}, Support::unsupported, false},
      {"Attention", {10, 14}, Support::supported, false},
      {"Gelu", {9, 0}, Support::unsupported, false},
      {"Gelu", {9, 1}, Support::unsupported, true},
      {"Gelu", {10, 0}, Support::supported, false},
      {"Unique", {9, 0}, Support::unsupported, false},
      {"Unique", {11, 1}, Support::unsupported, true},
      {"Unique", {11, 5}, Support::unsupported, true},
      {"DFT", {9, 0}, Support::unsupported, false},
      {"DFT", {11, 1}, Support::unsupported, true},
      {"DFT", {11, 2}, Support::supported, false},
      {"DFT", {11, 5}, Support::supported, false},
      {"TRT_FullyConnected", {9, 3}, Support::supported, false},
      {"TRT_FullyConnected", {10, 0}, Support::unsupported, false},
      {"conv", {10, 0}, Support::unknown_op, false},
      {"", {10, 0}, Support::unknown_op, false},
      {"Zzz", {10, 0}, Support::unknown_op, false},
      // Between and beyond the known releases the newest earlier facts hold.
      {"HardSwish", {8, 3}, Support::unsupported, false},
      {"Swish", {12, 0}, Support::supported, false},
      {"Conv", {7, 2}, Support::supported, false},
  };
  for (const Row& row : rows) {
    INFO(row.op << " " << to_string(row.release));
    const OpSupport support = op_support(row.op, row.release);
    CHECK(support.support == row.support);
    CHECK(support.refused_before_plugins == row.refused);
    CHECK(support.evidence.empty() == (row.support == Support::unknown_op));
  }
}

TEST_CASE("first and last release that takes an operator") {
  CHECK(op_support("Attention", {8, 0}).first_supported == TrtVersion{10, 14});
  CHECK(op_support("Attention", {8, 0}).last_supported == known_releases().back());
  CHECK(op_support("DFT", {11, 1}).first_supported == TrtVersion{11, 2});
  CHECK(op_support("TRT_RNNv2", {10, 0}).last_supported == TrtVersion{9, 3});
  CHECK_FALSE(op_support("Unique", {10, 0}).first_supported);
  CHECK_FALSE(op_support("Foo", {10, 0}).first_supported);
}

TEST_CASE("how far a row was read") {
  using Seen = std::optional<TrtVersion>;
  CHECK(op_support("Conv", {8, 0}).seen == newest_read_release());
  CHECK(op_support("Zzz", {8, 0}).seen == newest_read_release());
  CHECK(op_support("TRT_RNNv2", {9, 3}).seen == Seen({9, 3}));
  CHECK(op_support("DFT", {11, 1}).seen == Seen({11, 1}));
  CHECK(op_support("DFT", {11, 5}).seen == Seen({11, 2}));
  CHECK(builtin_plugin("ROIAlign_TRT", {11, 5}).value().seen == newest_read_release());
  CHECK(builtin_plugin("Clip_TRT", {10, 0}).value().seen == Seen({10, 16}));
  CHECK(builtin_plugin("FFTPlugin", {11, 5}).value().seen == Seen());
}

TEST_CASE("DFT is served by a shipped plugin") {
  CHECK_FALSE(op_support("DFT", {11, 1}).through_plugin);
  CHECK(op_support("DFT", {11, 2}).through_plugin);
  CHECK(op_support("DFT", {11, 2}).evidence != op_support("DFT", {11, 1}).evidence);
}

TEST_CASE("documented opsets") {
  CHECK(opset_range({8, 6}).max == 17);
  CHECK(opset_range({9, 3}).min == 7);
  CHECK(opset_range({10, 0}).min == 9);
  CHECK(opset_range({10, 12}).interpolated);
  CHECK_FALSE(opset_range({10, 10}).interpolated);
  CHECK(opset_range({10, 12}).highest == 24);
  CHECK(opset_range({11, 1}).max == 24);
  CHECK(opset_range({11, 1}).highest == 24);
  CHECK(opset_range({11, 3}).interpolated);
  CHECK(opset_range({11, 3}).max == 24);
  CHECK(opset_range({11, 3}).highest == 25);
  CHECK_FALSE(opset_range({11, 5}).interpolated);
  CHECK(opset_range({11, 5}).max == 25);
}

TEST_CASE("plugins that ship") {
  CHECK(builtin_plugin("EfficientNMS_TRT", {8, 6}).value().version == "1");
  CHECK_FALSE(builtin_plugin("EfficientNMS_TRT", {9, 3}).value().needs_init);
  CHECK(builtin_plugin("EfficientNMS_TRT", {10, 0}).value().needs_init);
  CHECK_FALSE(builtin_plugin("CustomFCPluginDynamic", {10, 0}).value().needs_init);
  CHECK(builtin_plugin("ROIAlign_TRT", {10, 0}).value().version == "1");
  CHECK(builtin_plugin("ROIAlign_TRT", {10, 1}).value().version == "2");
  CHECK(builtin_plugin("ROIAlign_TRT", "1", {10, 1}).value().version == "1");
  CHECK_FALSE(builtin_plugin("ROIAlign_TRT", "2", {10, 0}));
  CHECK_FALSE(builtin_plugin("ROIAlign_TRT", "", {10, 0}));
  CHECK_FALSE(builtin_plugin("Clip_TRT", {11, 0}));
  CHECK_FALSE(builtin_plugin("Clip_TRT", {11, 5}));
  CHECK(builtin_plugin("EfficientNMS_TRT", {11, 5}).value().needs_init);
  CHECK_FALSE(builtin_plugin("FFTPlugin", {11, 1}));
  CHECK(builtin_plugin("FFTPlugin", {11, 2}).value().needs_init);
  CHECK_FALSE(builtin_plugin("LayerNorm", {8, 5}));  // in the source tree only, not in the product
  CHECK(std::ranges::is_sorted(builtin_plugin_names()));
}

TEST_CASE("the nearest word is a plausible misspelling or nothing") {
  struct Row {
    const char* word;
    const char* expected;
  };
  const std::string_view words[] = {"Conv", "ConvTranspose", "MatMul", "LayerNormalization"};
  const Row rows[] = {{"conv", "Conv"},
                      {"Cnov", "Conv"},
                      {"Matmull", "MatMul"},
                      {"LayerNormalisation", "LayerNormalization"},
                      {"ConvTransposed", "ConvTranspose"},
                      {"Foo", ""},
                      {"", ""},
                      {"FusedMatMulWithBias", ""}};
  for (const Row& row : rows) {
    INFO(row.word);
    CHECK(nearest_word(row.word, words).value_or("") == row.expected);
  }
  CHECK(did_you_mean("Cnov", words) == ", did you mean `Conv`?");
  CHECK(did_you_mean("Foo", words) == "");
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(nearest_word(std::string(100000, 'a'), words) == std::nullopt);
}
