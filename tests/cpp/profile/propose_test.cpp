// Proposed profiles: sizes, reasons, commands.
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <trtcheck/profile.hpp>

#include "as_bytes.hpp"
#include "onnx_text.hpp"
#include "profile/commands.hpp"

namespace trtcheck {
namespace {

using Catch::Matchers::Contains;

/// "batch 1:1:8 usual ..., seq 16:16:16 ...", one line for each dim.
std::string told(const ProfileProposal& proposal) {
  std::string text;
  for (const SizeChoice& choice : proposal.choices) {
    text += fmt::format("{} {}:{}:{} {}\n", choice.name, choice.min, choice.opt, choice.max, choice.why);
  }
  return text;
}

std::string sizes(std::span<const ProfileInput> inputs) {
  std::string text;
  for (const ProfileInput& input : inputs) {
    text += fmt::format("{}{}={}:{}:{}", text.empty() ? "" : " ", input.name, fmt::join(input.min, "x"),
                        fmt::join(input.opt, "x"), fmt::join(input.max, "x"));
  }
  return text;
}

class Proposed {
 public:
  explicit Proposed(const std::string& text, const ProposeOptions& options = {})
      : bytes_(test::onnx_bytes(text)),
        model_(read_model(test::as_bytes(bytes_))),
        proposal_(propose(model_, options)) {}
  const ProfileProposal* operator->() const { return &proposal_; }
  [[nodiscard]] const ProfileProposal& get() const { return proposal_; }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  std::string bytes_;
  Model model_;
  ProfileProposal proposal_;
};

TEST_CASE("a proposed profile fits what was inferred") {
  struct Row {
    const char* model;
    const char* profile;
    const char* why;  ///< part of the reasons
  };
  const Row rows[] = {
      // a baked-in size, an extent that must be a multiple, usual lengths, nothing dynamic
      {"agraph (float[N,4096] x) => (float[N,64,64] y) <int64[3] s = {-1,64,64}> { y = Reshape (x, s) }",
       "x=1x4096:1x4096:8x4096", "the usual sizes of a batch"},
      {"agraph (float[1,N] x) => (float[a,b] y) <int64[2] s = {-1,128}> { y = Reshape (x, s) }", "x=1x128:1x128:1x1024",
       "multiples of 128 fit: Reshape `Reshape_0` needs `128` to divide `N`"},
      {"agraph (float[N,S] x) => (float[N,S] y) { y = Relu (x) }", "x=1x1:1x64:8x1024", "the usual lengths"},
      {"agraph (float[2,3] x) => (float[2,3] y) { y = Relu (x) }", "", ""},
      // one name, one size; a table of one length; two names that have to be equal
      {"agraph (float[N,L] x, float[N,L,2] z) => (float[N,L] y, float[N,L,2] w) { y = Relu (x) w = Relu (z) }",
       "x=1x1:1x64:8x1024 z=1x1x2:1x64x2:8x1024x2", "the usual lengths"},
      {"agraph (float[N,L,1] x) => (float[N,4,1] y) <float[1,4,1] t = {1,2,3,4}> { y = Add (x, t) }",
       "x=1x4x1:1x4x1:8x4x1", "4 is the only size up to 4096 that fits"},
      {"agraph (float[1,A] x, float[2,B,1] z) => (float[1,1] y, float[2,1,1] w) <int64[1] k = {9}> { y = Relu (x) w, i "
       "= TopK <axis = 1> (z, k) }",
       "x=1x1:1x64:1x1024 z=2x9x1:2x64x1:2x1024x1", "sizes from 9 on fit"},
      {"agraph (float[N,8] x, float[8,M] z) => (float[a,b] y) { t = Transpose (z) y = Concat <axis = 1> (x, t) }",
       "x=1x8:1x8:8x8 z=8x1:8x1:8x8", "Concat `Concat_1` needs `N` = `M`"},
      // windows that fit: a Conv without padding is no condition, it is inferred
      {"agraph (float[1,1,1,W] x) => (float[a,b,c,d] y) <float[1,1,1,50] w> { y = MaxPool <kernel_shape = [1, 50]> (x) "
       "}",
       "x=1x1x1x50:1x1x1x224:1x1x1x1024", "the usual sizes of images"},
  };
  for (const Row& row : rows) {
    INFO(row.model);
    const Proposed proposed(row.model);
    CHECK(sizes(proposed->inputs) == row.profile);
    CHECK(sizes(propose_profile(proposed.model())) == row.profile);
    CHECK(proposed->fits());
    CHECK_THAT(told(proposed.get()), Contains(row.why));
  }
}

TEST_CASE("what the caller wants counts, and is checked") {
  const char* const model =
      "agraph (float[batch,L] x, float[batch,3] z) => (float[a,4] y, float[batch,3] w) <int64[2] s = {-1,4}> "
      "{ y = Reshape (x, s) w = Relu (z) }";
  const Proposed fixed(model,
                       {.given = {}, .dims = {parse_size_range("batch=4"), parse_size_range("L=8..64")}, .target = {}});
  CHECK(sizes(fixed->inputs) == "x=4x8:4x64:4x64 z=4x3:4x3:4x3");
  CHECK_THAT(told(fixed.get()), Contains("batch 4:4:4 given by --dim"));
  CHECK(fixed->fits());

  const Proposed wrong(model,
                       {.given = {}, .dims = {parse_size_range("batch=1"), parse_size_range("L=6")}, .target = {}});
  CHECK(sizes(wrong->inputs) == "x=1x6:1x6:1x6 z=1x3:1x3:1x3");
  CHECK(!wrong->fits());
  CHECK_THAT(render(wrong.get(), {}), Contains("it does not fit") && Contains("error[SHP10"));

  const Proposed given(model, {.given = {parse_profile("z=2x3:3x3:5x3")}, .dims = {}, .target = {}});
  CHECK(sizes(given->inputs) == "z=2x3:3x3:5x3 x=2x2:3x64:5x1024");
  CHECK_THAT(told(given.get()), Contains("batch 2:3:5 given by the profile of `z`"));

  CHECK_THROWS_WITH(Proposed(model, {.given = {}, .dims = {parse_size_range("bach=1")}, .target = {}}),
                    Contains("no input has a dynamic axis `bach`, did you mean `batch`?"));
  CHECK_THROWS_WITH(Proposed(model, {.given = {parse_profile("q=2x3")}, .dims = {}, .target = {}}),
                    Contains("the model has no such input"));
}

TEST_CASE("sizes of a dim as they are written") {
  CHECK(parse_size_range("batch=4") == SizeRange{"batch", 4, 4, 4});
  CHECK(parse_size_range("batch=1..8") == SizeRange{"batch", 1, 0, 8});
  CHECK(parse_size_range("a=b=1:4:8") == SizeRange{"a=b", 1, 4, 8});
  for (const char* text : {"batch", "=4", "batch=", "batch=0", "batch=8..1", "batch=1:9:8", "batch=1:8", "batch=x",
                           "batch=1..", "batch=99999999999"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_size_range(text), Contains(fmt::format("`{}`: ", text)));
  }
}

TEST_CASE("words of a shell") {
  CHECK(profiles::shell_word("--onnx=a/b-c_1.onnx") == "--onnx=a/b-c_1.onnx");
  CHECK(profiles::shell_word("x:[1,3]") == "'x:[1,3]'");
  CHECK(profiles::shell_word("--minShapes='a:0':1x3") == "\"--minShapes='a:0':1x3\"");
  CHECK(profiles::shell_word("it's $HOME") == "'it'\\''s $HOME'");
  CHECK(profiles::shell_word("") == "''");
}

TEST_CASE("commands take the profile") {
  const Proposed proposed(
      "agraph (float[N,3] x, float[N] z) => (float[N,3] y, float[N] w) { y = Relu (x) w = Relu (z) }");
  const std::vector<std::string> expected = {
      "trtexec --onnx=model.onnx --saveEngine=model.engine --minShapes=x:1x3,z:1 --optShapes=x:1x3,z:1 "
      "--maxShapes=x:8x3,z:8",
      "polygraphy convert model.onnx -o model.engine --trt-min-shapes 'x:[1,3]' 'z:[1]' --trt-opt-shapes 'x:[1,3]' "
      "'z:[1]' "
      "--trt-max-shapes 'x:[8,3]' 'z:[8]'",
      "polygraphy run model.onnx --trt --trt-min-shapes 'x:[1,3]' 'z:[1]' --trt-opt-shapes 'x:[1,3]' 'z:[1]' "
      "--trt-max-shapes 'x:[8,3]' 'z:[8]'",
      "trtcheck check --profile x=1x3:1x3:8x3 --profile z=1:1:8 model.onnx"};
  std::vector<std::string> told;
  for (const ProfileCommand& command : proposed->commands) told.push_back(command.text);
  CHECK(told == expected);
  CHECK_THROWS_WITH(render(proposed.get(), {.format = Format::html}), Contains("full or json"));
}

TEST_CASE("up to 10.16 commands allow the types of the file") {
  const std::string plain = "agraph (float[N,3] x) => (float[N,3] y) { y = Relu (x) }";
  const std::string half = "agraph (float16[N,3] x) => (float16[N,3] y) { y = Relu (x) }";
  const auto quantized = [](const std::string& type) {
    return "agraph (float[N,3] x) => (float[N,3] y) <float s = {1}, " + type +
           " z = {0}> { q = QuantizeLinear (x, s, z) y = DequantizeLinear (q, s, z) }";
  };
  struct Row {
    std::string model;
    const char* release;
    bool strongly_typed;
    const char* trtexec;
    const char* check;
  };
  const Row rows[] = {
      {plain, "11.5", false, "", ""},
      {plain, "10.13", false, "", " --target 10.13"},
      {plain, "10.13", true, " --stronglyTyped", " --target 10.13 --strongly-typed"},
      {plain, "11.0", true, "", " --target 11.0"},
      {plain, "8.6", true, "", " --target 8.6"},
      {half, "8.6", false, " --fp16", " --target 8.6 --precision fp16"},
      {half, "11.5", false, "", ""},
      {quantized("int8"), "10.13", false, " --int8", " --target 10.13 --precision int8"},
      {quantized("int8"), "11.5", false, "", ""},
      {quantized("float8e4m3fn"), "10.13", false, " --stronglyTyped", " --target 10.13 --strongly-typed"},
  };
  for (const Row& row : rows) {
    INFO(row.release << " " << row.model);
    ProposeOptions options;
    options.target.release = parse_release(row.release);
    options.target.strongly_typed = row.strongly_typed;
    const Proposed proposed(row.model, options);
    const auto text = [&](std::size_t i) { return proposed->commands.at(i).text; };
    CHECK_THAT(text(0), Contains(fmt::format("model.engine{} --minShapes", row.trtexec)));
    const std::string polygraphy = std::string(row.trtexec) == " --stronglyTyped" ? " --strongly-typed" : row.trtexec;
    CHECK_THAT(text(1), Contains(fmt::format("model.engine{} --trt-min-shapes", polygraphy)));
    CHECK_THAT(text(2), Contains(fmt::format("--trt{} --trt-min-shapes", polygraphy)));
    CHECK_THAT(text(3), Contains(fmt::format("trtcheck check{} --profile", row.check)));
  }
}

}  // namespace
}  // namespace trtcheck
