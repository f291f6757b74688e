// What a fingerprint depends on, and what it does not.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>

#include "proto_edits.hpp"
#include "text/hash.hpp"

using namespace trtcheck;

namespace {

const std::string kModel = R"(
<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
agraph (float[N,3] x, float[N,3] u) => (float[N,3] y)
<float[3] w = {1, 2, 3}, int64[2] sizes = {3, 1}, uint8[2] codes = {1, 2}> {
  [p] p = Abs (x)
  [q] q = Exp (p)
  [r] r = Neg (q)
  [s] s = Clip (r, , top)
  [k] top = Constant <value = float {6.0}> ()
  [t] t = Add (s, w)
  [foo] y = my.Foo <alpha = 1.5, mode = "fast", axes = [1, 2]> (t, sizes, u, codes)
})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("not in the text: " + from);
  return text.replace(at, from.size(), to);
}

/// Of the first finding of that rule.
std::string print_of(const std::string& bytes, std::string_view code = "OPS103") {
  const Report report = check(test::as_bytes(bytes), {});
  const auto it = std::ranges::find(report.findings, code, [](const Finding& f) { return f.rule->code; });
  REQUIRE(it != report.findings.end());
  CHECK(it->fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(it->fingerprint.size() == 16);
  return it->fingerprint;
}

std::string print_of_text(const std::string& text, std::string_view code = "OPS103") {
  return print_of(test::onnx_bytes(text), code);
}

std::string with_module(const char* scopes) {
  return print_of(test::edited(kModel, [&](onnx::ModelProto& model) {
    test::add_metadata(*model.mutable_graph()->mutable_node(6), "pkg.torch.onnx.name_scopes", scopes);
  }));
}

}  // namespace

TEST_CASE("the hash is the one that it was") {
  // SplitMix64 of state 0 begins with e220a8397b1dcdaf (its authors' reference implementation).
  CHECK(Hash(0).value() == 0xe220a8397b1dcdafU);
  CHECK(Hash(1).add("abc").value() != Hash(1).add("abd").value());
  CHECK(Hash(1).add("abcdefgh").add("i").value() != Hash(1).add("abcdefg").add("hi").value());
  CHECK(Hash(1).add(1).add(2).value() != Hash(1).add(2).add(1).value());
  CHECK(Hash(1).add("").value() != Hash(1).value());
  CHECK(Hash(1).add(std::string_view("\0", 1)).value() != Hash(1).add(std::string_view("\0\0", 2)).value());
}

TEST_CASE("fingerprints of a release are those of every other one") {
  // A change of this number makes every baseline stale: kVersion and a line in CHANGELOG.md, or undo what did it.
  CHECK(print_of_text(kModel) == "85a4699bd205e3c9");
}

TEST_CASE("what a fingerprint does not depend on") {
  const std::string base = print_of_text(kModel);
  const auto same = [&](const std::string& from, const std::string& to) {
    CAPTURE(from, to);
    CHECK(print_of_text(replaced(kModel, from, to)) == base);
  };
  same("[foo]", "[another]");
  same("[foo]", "");
  same("[t] t", "[zz] t");
  same("float[N,3] u", "float[8,3] u");
  same("float[N,3] u", "float[M,7] u");
  same("{1, 2, 3}", "{7, 8, 9}");
  same("codes = {1, 2}", "codes = {3, 4}");
  same("{6.0}", "{5.0}");
  same("alpha = 1.5, mode = \"fast\"", "mode = \"fast\", alpha = 1.5");
  same("[p] p", "unrelated = Relu (x)\n  [p] p");
  same("[s] s = Clip (r, , top)\n  [k] top = Constant <value = float {6.0}> ()",
       "[k] top = Constant <value = float {6.0}> ()\n  [s] s = Clip (r, , top)");
  same("q = Exp (p)", "q = Sin (p)");  // four nodes upstream
  // A constant is the same in a node and as an initializer.
  const std::string without = replaced(kModel, "  [k] top = Constant <value = float {6.0}> ()\n", "");
  CHECK(print_of_text(replaced(without, "<float[3] w", "<float top = {6.0}, float[3] w")) == base);
}

TEST_CASE("names of tensors and nodes") {
  const std::string renamed = test::edited(kModel, [](onnx::ModelProto& model) {
    for (onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
      node.set_name("n" + node.name());
      for (std::string& input : *node.mutable_input())
        input += input.empty() || input == "x" || input == "u" ? "" : "_1";
      for (std::string& output : *node.mutable_output()) output += output == "y" ? "" : "_1";
    }
    for (onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer())
      tensor.set_name(tensor.name() + "_1");
  });
  CHECK(print_of(renamed) == print_of_text(kModel));
}

TEST_CASE("near misses") {
  const std::vector<std::pair<std::string, std::string>> changes{
      {"alpha = 1.5", "alpha = 1.25"},
      {"alpha = 1.5", "beta = 1.5"},
      {"alpha = 1.5, ", ""},
      {"mode = \"fast\"", "mode = \"slow\""},
      {"axes = [1, 2]", "axes = [2, 1]"},
      {"(t, sizes, u, codes)", "(t, sizes, u)"},
      {"(t, sizes, u, codes)", "(t, sizes, , codes)"},
      {"(t, sizes, u, codes)", "(u, sizes, t, codes)"},
      {"(t, sizes, u, codes)", "(s, sizes, u, codes)"},
      {"(t, sizes, u, codes)", "(t, sizes, x, codes)"},
      {"sizes = {3, 1}", "sizes = {1, 3}"},
      {"int64[2] sizes", "int32[2] sizes"},
      {"uint8[2] codes = {1, 2}", "uint8[3] codes = {1, 2, 3}"},
      {"t = Add (s, w)", "t = Mul (s, w)"},
      {"t = Add (s, w)", "t = Add (s, s)"},
      {"r = Neg (q)", "r = Log (q)"},  // three nodes upstream
      {"r = Neg (q)", "r = Pow (q, w)"},
      {"s = Clip (r, , top)", "s = Clip (q, , top)"},
      {"(r, , top)", "(r, top)"},
      {"float[N,3] u", "float16[N,3] u"},
      {"float[N,3] u", "float[N,3,1] u"},
  };
  std::set<std::string> seen{print_of_text(kModel)};
  for (const auto& [from, to] : changes) {
    CAPTURE(from, to);
    CHECK(seen.insert(print_of_text(replaced(kModel, from, to))).second);
  }
}

TEST_CASE("the module path is part of it") {
  const std::string first = with_module("['', 'layers.0', 'layers.0.act', 'foo']");
  CHECK(first != with_module("['', 'layers.1', 'layers.1.act', 'foo']"));
  CHECK(first != print_of_text(kModel));
  // Of the older exporter: in the name of the node, whose last part is not.
  const std::string named = print_of_text(replaced(kModel, "[foo]", "[\"/layers.0/act/Foo\"]"));
  CHECK(named == first);
  CHECK(named == print_of_text(replaced(kModel, "[foo]", "[\"/layers.0/act/Foo_1\"]")));
  CHECK(named != print_of_text(replaced(kModel, "[foo]", "[\"/layers.1/act/Foo\"]")));
}

TEST_CASE("the kind of graph is part of it, its place is not") {
  const std::string branches = R"(<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
  agraph (bool c, bool d, float[N,3] x) => (float[N,3] y) {
    w = If (d) <
      then_branch = b () => (float[N,3] m) { m = Neg (x) }, else_branch = a () => (float[N,3] k) { k = Relu (x) }>
    y = If (c) <
      then_branch = yes () => (float[N,3] t) { t = my.Foo (x) },
      else_branch = no () => (float[N,3] e) { e = Relu (x) }
    >
  })";
  const std::string swapped =
      replaced(replaced(branches, "then_branch = yes", "else_branch = yes"), "else_branch = no", "then_branch = no");
  CHECK(print_of_text(branches) != print_of_text(swapped));
  CHECK(print_of_text(branches) == print_of_text(replaced(branches, "Relu (x) }>", "Relu (x) }>\n v = Neg (x)")));
  CHECK(print_of_text(branches) != print_of_text("<ir_version: 10, opset_import: [\"\" : 17, \"my\" : 1]> agraph "
                                                 "(float[N,3] x) => (float[N,3] t) { t = my.Foo (x) }"));
}

TEST_CASE("which value is at fault") {
  // Both inputs of one node are undefined: two findings, two fingerprints.
  const Report report =
      check(test::as_bytes(test::onnx_bytes("agraph (float[N,3] x) => (float[N,3] y) { y = Add (u, v) }")), {});
  std::set<std::string> prints;
  for (const Finding& finding : report.findings) {
    CHECK(finding.rule->code == "MDL103");
    prints.insert(finding.fingerprint);
  }
  CHECK(prints.size() == 2);
  // Of the whole model: by the name that the outside knows.
  const auto missing = [](const char* input) {
    CheckOptions options;
    options.target.profile = {parse_profile("y=1x3")};
    const std::string bytes = test::onnx_bytes("agraph (float[N,3] y, float[M,3] " + std::string(input) +
                                               ") => (float[K,3] z) { z = Concat <axis = 0> (y, " + input + ") }");
    const Report found = check(test::as_bytes(bytes), options);
    REQUIRE(found.findings.size() == 1);
    CHECK(found.findings[0].rule->code == "PRF102");
    return found.findings[0].fingerprint;
  };
  CHECK(missing("a") == missing("a"));
  CHECK(missing("a") != missing("b"));
}

TEST_CASE("an initializer at fault is told by who reads it") {
  const auto print = [](const char* name, const char* op) {
    const std::string text =
        "agraph (float[N,3] x) => (float[N,3] y) { [" + std::string(name) + "] y = " + op + " (x, " + name + ") }";
    const std::string bytes = test::edited(text, [&](onnx::ModelProto& model) {
      onnx::TensorProto* tensor = model.mutable_graph()->add_initializer();
      tensor->set_name(name);
      tensor->set_data_type(onnx::TensorProto::FLOAT);
      tensor->add_dims(3);  // and no data
    });
    return print_of(bytes, "MDL212");
  };
  CHECK(print("w", "Add") == print("w", "Add"));
  CHECK(print("w", "Add") == print("onnx__Add_7", "Add"));
  CHECK(print("w", "Add") != print("w", "Mul"));
}

TEST_CASE("consequences and suppressed findings have theirs") {
  const std::string bytes = test::edited(kModel, [](onnx::ModelProto& model) {
    test::add_metadata(model, "trtcheck.ignore", "OPS103: served by our plugin");
  });
  const Report report = check(test::as_bytes(bytes), {});
  REQUIRE(report.suppressions.size() == 1);
  CHECK(report.suppressions[0].finding.fingerprint == print_of_text(kModel));
}
