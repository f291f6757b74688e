// Declarations, places and what is written, where Python has no words for it.
#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/error.hpp>

#include "as_bytes.hpp"
#include "edit/declare.hpp"
#include "edit/document.hpp"
#include "edit/edited.hpp"
#include "edit/left_out.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"
#include "model/fields.hpp"
#include "model/wire.hpp"
#include "onnx_text.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
using namespace trtcheck::edit;

namespace {

const std::string kText = R"(g (float[2] x, bool c) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {3, 4}> {
  a = Add (x, w)
  y = Add (a, v)
})";

std::string content(const Pieces& pieces, const std::string& old) {
  return pieces.content(trtcheck::readable(test::as_bytes(old)).read);
}

}  // namespace

TEST_CASE("places for data have names") {
  for (const std::string_view name : {"kept", "copied", "inlined", "external"}) {
    CHECK(to_string(parse_data_place(name)) == name);
  }
  CHECK_THROWS_WITH(parse_data_place("copies"),
                    "data: `copies` is no place for data, did you mean `copied`?: kept, copied, inlined, external");
}

TEST_CASE("what was a tensor is declared as what holds tensors") {
  const std::string old = test::onnx_bytes(kText);
  const Model model = read_model(test::as_bytes(old));
  const TypeValue floats{.type = DataType::float32, .dims = {{std::int64_t{2}}}};
  const std::string made =
      content(declared(model, std::vector<Declaration>{{{}, "x", floats, {Holder::sequence}}}), old);
  const Model read = read_model(test::as_bytes(made));
  const Graph& main = read.graph(GraphId{0});
  CHECK(read.type(read.value(main.inputs[0]).declared).kind == Type::Kind::sequence);
  CHECK(read.type(read.value(main.inputs[1]).declared).kind == Type::Kind::tensor);
  CHECK_THROWS_WITH(declared(model, std::vector<Declaration>{{{.function = 3}, "x", floats}}),
                    "there is no function 3, the model has 0");
}

TEST_CASE("weights that somebody holds already are left out") {
  const std::string text = test::onnx_bytes(kText);
  const std::string w = "12345678";
  const std::string v = "abcdefgh";
  const std::vector<Edit> raw_bytes{PutTensor{{}, "w", {.type = DataType::float32, .dims = {2}, .bytes = w}},
                                    PutTensor{{}, "v", {.type = DataType::float32, .dims = {2}, .bytes = v}}};
  const std::string old = edit::apply(test::as_bytes(text), raw_bytes);
  const Model model = read_model(test::as_bytes(old));
  REQUIRE(model.tensor_count() == 2);
  const auto weight = [&](std::uint32_t at) { return model.tensor(TensorId{at}).raw; };
  const Readable file = trtcheck::readable(test::as_bytes(old));
  Pieces pieces;
  pieces.copy({0, old.size()});
  const auto without = [&](const std::vector<ByteRange>& weights) {
    const std::string made = content_without(model, pieces, file, {weights, "@"});
    const Model read = read_model(test::as_bytes(made));
    std::vector<std::string> raw;
    for (std::uint32_t at = 0; at < read.tensor_count(); ++at) {
      const ByteRange range = read.tensor(TensorId{at}).raw;
      raw.push_back(made.substr(range.offset, range.length));
    }
    return raw;
  };
  CHECK(without({}) == std::vector{w, v});
  CHECK(without({weight(0), weight(1)}) == std::vector<std::string>{"@0", "@1"});
  CHECK(without({weight(1)}) == std::vector<std::string>{w, "@0"});
  // What an edit brought nobody holds, nor what is no raw bytes.
  const std::vector<Edit> more{PutTensor{{}, "w", {.type = DataType::float32, .dims = {2}, .bytes = "ABCDEFGH"}},
                               RemoveTensor{{}, "v"}};
  const Pieces brought = edited(model, more);
  const std::vector<ByteRange> all{weight(0), weight(1)};
  const std::string changed = content_without(read_model(readable(brought, file), "", {}), brought, file, {all, "@"});
  CHECK(changed.find("ABCDEFGH") != std::string::npos);
  CHECK(changed.find('@') == std::string::npos);
  Pieces whole;
  whole.copy({0, text.size()});
  const Readable typed = trtcheck::readable(test::as_bytes(text));
  CHECK(content_without(read_model(test::as_bytes(text)), whole, typed, {{}, "@"}) == text);
  // Not the same range.
  CHECK(without({{weight(0).offset, 4}, {weight(1).offset + 1, 7}}) == std::vector{w, v});
}

TEST_CASE("a written file that is another model is refused") {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "net.onnx").string();
  const std::string bytes = test::onnx_bytes(kText);
  const Model model = read_model(test::as_bytes(bytes));
  const auto look = [&](std::string_view text) {
    std::ofstream(path, std::ios::binary) << test::onnx_bytes(text);
    same_model(model, path, {})(File::open(path));
  };
  CHECK_NOTHROW(look(kText));
  const std::string refusal = path + ": cannot write: the file is another model when it is read again";
  CHECK_THROWS_WITH(
      look("g (float[2] x, bool c, float[2] v, float[2] w, float[2] a) => (float[2] y) { y = Add(a, v) }"), refusal);
  CHECK_THROWS_WITH(look("g (float[2] x) => (float[2] y) { a = Relu(x) y = Relu(a) }"), refusal);
  CHECK_THROWS_WITH(
      look("g (float[2] x, bool c, float[2] w, float[2] v) => (float[2] y) { a = Add(x, w) y = Add(a, v) }"), refusal);
}

TEST_CASE("where external data is, seen from another folder") {
  const test::TemporaryFolder folder;
  const std::string from = (folder.path / "a/b/net.onnx").string();
  const auto seen = [&](const char* to, const char* location) {
    return moved_location(from, (folder.path / to).string(), location);
  };
  CHECK(seen("a/b/out.onnx", "w.bin") == "w.bin");
  CHECK(seen("a/out.onnx", "w.bin") == "b/w.bin");
  CHECK(seen("out.onnx", "c/w.bin") == "a/b/c/w.bin");
  CHECK_THROWS_WITH(seen("a/b/c/out.onnx", "w.bin"), Catch::Contains("`w.bin` would be outside of its folder"));
  // What no runtime reads stays as it is.
  CHECK(seen("out.onnx", "").empty());
  CHECK(seen("out.onnx", "../w.bin") == "../w.bin");
  CHECK(seen("out.onnx", "/w.bin") == "/w.bin");
}

TEST_CASE("a message that is none is one line") {
  const std::string old = test::onnx_bytes(kText);
  const Model model = read_model(test::as_bytes(old));
  const auto look_into_name = [](Message& tensor, bool) {
    (void)tensor.open(tensor.fields(wire::bytes(field::tensor::name)).front());
  };
  CHECK_THROWS_WITH(with_tensors(model, look_into_name), Catch::StartsWith("cannot be edited: "));
}
