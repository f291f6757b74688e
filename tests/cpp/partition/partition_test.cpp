// Pieces of models, computed by hand.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>
#include <trtcheck/partition.hpp>
#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <temporary_folder.hpp>

namespace trtcheck {
namespace {

using Catch::Matchers::Contains;

PartitionOptions options(bool ort, const std::string& target = "10.13") {
  PartitionOptions made;
  made.ort = ort;
  made.check.target.release = parse_release(target);
  return made;
}

class Cut {
 public:
  Cut(const std::string& text, const PartitionOptions& options, int opset = 18)
      : bytes_(test::onnx_bytes(text, opset)),
        model_(read_model(test::as_bytes(bytes_))),
        report_(partition(model_, options)) {}
  const PartitionReport* operator->() const { return &report_; }
  [[nodiscard]] const PartitionReport& report() const { return report_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// "one two | three": nodes of the pieces that run, in the main graph or in a body.
  [[nodiscard]] std::string pieces(const std::string& graph = "main") const {
    std::string text;
    for (const GraphPiece& piece : report_.pieces) {
      if (piece.runs && piece.graph == graph) {
        text += fmt::format("{}{}", text.empty() ? "" : " | ", fmt::join(piece.nodes, " "));
      }
    }
    return text;
  }
  /// "if:body:p": nodes that run elsewhere, why, and the node in their bodies.
  [[nodiscard]] std::string refused() const {
    std::string text;
    for (const RefusedNode& node : report_.refused) {
      text += fmt::format("{}{}:{}{}{}", text.empty() ? "" : " ", node.node, node.reason, node.inner.empty() ? "" : ":",
                          node.inner);
    }
    return text;
  }
  [[nodiscard]] const GraphPiece& in(const std::string& graph) const {
    for (const GraphPiece& piece : report_.pieces) {
      if (piece.graph == graph) return piece;
    }
    throw std::runtime_error("no piece in " + graph);
  }

 private:
  std::string bytes_;
  Model model_;
  PartitionReport report_;
};

std::string names(const std::vector<CrossingTensor>& tensors) {
  std::string text;
  for (const CrossingTensor& tensor : tensors) text += (text.empty() ? "" : " ") + tensor.name;
  return text;
}

/// TensorRT has no BitwiseNot.
std::string chain(std::size_t count, std::size_t refused) {
  std::string nodes;
  for (std::size_t i = 0; i < count; ++i) {
    nodes += fmt::format("[n{}] t{} = {} (t{}) ", i, i + 1, i == refused ? "BitwiseNot" : "Neg", i);
  }
  return fmt::format("agraph (int32[4] t0) => (int32[4] t{}) {{ {} }}", count, nodes);
}

TEST_CASE("a chain is cut wherever the refused node stands") {
  constexpr std::size_t kCount = 5;
  for (std::size_t refused = 0; refused <= kCount; ++refused) {
    std::string before, after;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (i != refused)
        (i < refused ? before : after) += fmt::format("{}n{}", (i < refused ? before : after).empty() ? "" : " ", i);
    }
    const std::string expected = before + (before.empty() || after.empty() ? "" : " | ") + after;
    for (const bool ort : {false, true}) {
      CAPTURE(refused, ort);
      const Cut made(chain(kCount, refused), options(ort));
      CHECK(made.pieces() == expected);
      CHECK(made.refused() == (refused < kCount ? fmt::format("n{}:parser", refused) : ""));
      CHECK(made->now.nodes == (refused < kCount ? kCount - 1 : kCount));
    }
  }
}

TEST_CASE("what crosses is what the pieces read and make") {
  const Cut made(R"(agraph (int32[4] x, int32[4] other) => (int32[4] y, int32[4] z)
    <int32[4] w = {1, 2, 3, 4}> {
      [a] a = Add (x, w) [b] z = Mul (a, other) [bad] c = BitwiseNot (a) [d] d = Add (c, z) [e] y = Add (d, w) })",
                 options(false));
  REQUIRE(made.pieces() == "a b | d e");
  const GraphPiece& first = made->pieces[0];
  const GraphPiece& second = made->pieces[1];
  CHECK(names(first.inputs) == "x other");
  CHECK(names(first.outputs) == "a z");
  CHECK(names(second.inputs) == "c z");
  CHECK(names(second.outputs) == "y");
  CHECK(first.outputs[1].is_of_model);
  CHECK(second.bytes_in == 2 * 4 * 4 - 16 * (second.inputs[1].is_of_model ? 1U : 0U));
}

constexpr const char* kBranches = R"(agraph (bool c, int32[8] x) => (int32[8] y) {{
  [one] a = Add (x, x)
  [if] b = If (c) <
    then_branch = t () => (int32[8] u) {{ [p] u = {} (a) }},
    else_branch = e () => (int32[8] v) {{ [q] w = Neg (a) [r] v = {} (w) }}
  >
  [two] y = Neg (b)
}})";

TEST_CASE("a node with bodies runs when all of its bodies do") {
  struct Row {
    std::string then_op, else_op;
    bool ort;
    std::string main, refused, in_then, in_else;
  };
  const Row rows[] = {
      {"Abs", "Abs", true, "one if two", "", "", ""},
      {"Abs", "Abs", false, "one if two", "", "", ""},
      {"BitwiseNot", "Abs", true, "one | two", "if:body:p", "", "q r"},
      {"Abs", "BitwiseNot", true, "one | two", "if:body:r", "p", "q"},
      {"BitwiseNot", "BitwiseNot", true, "one | two", "if:body:p", "", "q"},
      // The parser alone cuts the main graph, and nothing else.
      {"Abs", "BitwiseNot", false, "one | two", "if:body:r", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.then_op, row.else_op, row.ort);
    const Cut made(fmt::format(kBranches, row.then_op, row.else_op), options(row.ort));
    CHECK(made.pieces() == row.main);
    CHECK(made.refused() == row.refused);
    CHECK(made.pieces("main/if.then_branch") == row.in_then);
    CHECK(made.pieces("main/if.else_branch") == row.in_else);
  }
}

TEST_CASE("pieces of bodies say what crosses") {
  const Cut made(fmt::format(kBranches, "BitwiseNot", "Abs"), options(true));
  const GraphPiece& inside = made.in("main/if.else_branch");
  CHECK(names(inside.inputs) == "a");
  CHECK(names(inside.outputs) == "v");
  CHECK_FALSE(inside.inputs[0].is_of_model);
  CHECK(inside.bytes_in == 32);
  CHECK(inside.bytes_out == 32);
  CHECK(inside.number == 3);
  CHECK_FALSE(inside.share);
  CHECK_THAT(fmt::format("{}", fmt::join(made->notes, "\n")), Contains("1 piece with 2 nodes more inside of bodies"));
}

TEST_CASE("weights of the graph around a body are inputs when the parser is asked about it") {
  // The parser requires axes that are an initializer.
  const std::string outside = R"(agraph (bool c, float[4,4] x) => (float[4,1] y) <int64[1] axes = {1}> {
    [if] y = If (c) <
      then_branch = t () => (float[4,1] u) { [p] u = ReduceSum (x, axes) },
      else_branch = e () => (float[4,1] v) { [q] n = Neg (x) [r] v = ReduceSum (n, axes) }
    > })";
  const std::string inside = R"(agraph (bool c, float[4,4] x) => (float[4,1] y) {
    [if] y = If (c) <
      then_branch = t () => (float[4,1] u) <int64[1] axes = {1}> { [p] u = ReduceSum (x, axes) },
      else_branch = e () => (float[4,1] v) <int64[1] own = {1}> { [q] n = Neg (x) [r] v = ReduceSum (n, own) }
    > })";
  const Cut left_out(outside, options(true));
  CHECK(left_out.pieces().empty());
  CHECK(left_out.refused() == "if:body:p");
  CHECK(left_out.pieces("main/if.else_branch") == "q");
  CHECK(Cut(outside, options(false)).pieces() == "if");
  CHECK(Cut(inside, options(true)).pieces() == "if");
}

TEST_CASE("loops, and bodies in bodies") {
  const std::string nested = R"(agraph (int64 n, bool c, int32[4] x) => (int32[4] y) {
    [loop] y = Loop (n, c, x) <body = b (int64 i, bool go, int32[4] s) => (bool go2, int32[4] s2) {
      [keep] go2 = Identity (go)
      [in] h = Neg (s)
      [if] k = If (go) <
        then_branch = t () => (int32[4] u) { [p] pa = Neg (h) [pb] u = %s (pa) },
        else_branch = e () => (int32[4] v) { [q] v = Abs (h) }
      >
      [out] s2 = Add (k, x)
    }> })";
  const auto with = [&](const std::string& op) { return std::string(nested).replace(nested.find("%s"), 2, op); };
  const Cut good(with("Abs"), options(true));
  CHECK(good.refused().empty());
  CHECK(good.pieces() == "loop");
  const Cut bad(with("BitwiseNot"), options(true));
  CHECK(bad.pieces().empty());
  CHECK(bad.refused() == "loop:body:if");
  CHECK(bad.pieces("main/loop.body") == "keep in | out");
  CHECK(bad.pieces("main/loop.body/if.then_branch") == "p");
  CHECK(bad.pieces("main/loop.body/if.else_branch") == "q");
  CHECK(names(bad.in("main/loop.body/if.then_branch").inputs) == "h");
}

TEST_CASE("the minimal size holds for bodies, too") {
  PartitionOptions two = options(true);
  two.least_nodes = 2;
  const Cut made(fmt::format(kBranches, "Abs", "Abs"), two);
  CHECK(made.refused() == "if:body:p");  // a branch of one node is left out, and with it the If
  CHECK(made.pieces("main/if.else_branch") == "q r");
  two.least_nodes = 1;
  CHECK(Cut(fmt::format(kBranches, "Abs", "Abs"), two).refused().empty());
}

TEST_CASE("options that make no sense are refused") {
  PartitionOptions wrong = options(true);
  wrong.exclude = {"Add Mul"};
  CHECK_THROWS_WITH(Cut(chain(2, 9), wrong), Contains("`Add Mul`: an operator type is one word"));
  PartitionOptions profiled = options(true);
  profiled.check.target.profile = {parse_profile("nobody=1:2:3")};
  CHECK_THROWS_AS(Cut(chain(2, 9), profiled), Error);
  CHECK_THROWS_WITH(render(Cut(chain(2, 9), options(false)).report(), {.format = Format::sarif}),
                    Contains("full, json or html"));
}

std::string written(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

TEST_CASE("pieces are written, those of bodies with the weights from outside") {
  const test::TemporaryFolder folder;
  const std::string path = written(folder.path / "net.onnx", test::onnx_bytes(R"(
    agraph (bool c, float[N,4] x) => (float[N,4] y) <float[4] w = {1, 2, 3, 4}> {
      [one] a = Add (x, w)
      [k] k = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> ()
      [if] y = If (c) <
        then_branch = t () => (float[N,4] u) { [p] u = Bernoulli (a) },
        else_branch = e () => (float[N,4] v) { [q] h = Mul (a, w) [r] g = Sub (h, k) [s] v = Neg (g) }
      > })",
                                                                              18));
  PartitionReport report = partition(read_model(path), options(true));
  write_pieces(path, report, (folder.path / "pieces").string());
  std::map<std::string, std::string> interfaces;
  for (const GraphPiece& piece : report.pieces) {
    CAPTURE(piece.graph);
    REQUIRE(!piece.file.empty());
    const Model made = read_model(piece.file);
    std::string text;
    for (const ValueId id : made.graph().inputs) text += std::string(made.value(id).name) + " ";
    text += fmt::format("-> {} nodes, {} weights", made.node_count(), made.tensor_count());
    interfaces[piece.graph] = text;
    CHECK(check(made, options(true).check).count(Severity::error) == 0);
  }
  CHECK(interfaces["main"] == "x -> 1 nodes, 1 weights");
  CHECK(interfaces["main/if.else_branch"] == "a -> 4 nodes, 1 weights");
  CHECK_THROWS_WITH(write_pieces(path, report, (folder.path / "pieces").string()), Contains("is there already"));
  CHECK_THROWS_AS(write_pieces((folder.path / "gone.onnx").string(), report, (folder.path / "b").string()), Error);
}

TEST_CASE("bodies of one name are not written, and a note says so") {
  const test::TemporaryFolder folder;
  const std::string branch = R"([if] {0} = If (c) <
      then_branch = t () => (int32[8] u) {{ [p] u = BitwiseNot ({1}) }},
      else_branch = e () => (int32[8] v) {{ [q] v = Neg ({1}) }} > )";
  const std::string text = "agraph (bool c, int32[8] x) => (int32[8] y) { " +
                           fmt::format(fmt::runtime(branch), "a", "x") + fmt::format(fmt::runtime(branch), "y", "a") +
                           " }";
  const std::string path = written(folder.path / "net.onnx", test::onnx_bytes(text, 18));
  PartitionReport report = partition(read_model(path), options(true));
  REQUIRE(report.pieces.size() == 2);
  write_pieces(path, report, (folder.path / "pieces").string());
  CHECK(report.pieces[0].file.empty());
  CHECK_THAT(report.notes.back(), Contains("piece 2 is not written: several bodies are called `main/if.else_branch`"));
}

}  // namespace
}  // namespace trtcheck
