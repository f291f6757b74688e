// Random damage to models: the driver refuses to read them or reports, and no rule ever fails.
#include <catch2/catch.hpp>
#include <random>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;

namespace {

// Branches, a function, constants, quantization, a convolution: something for every family of rules.
const std::string kModel = test::onnx_bytes(R"(
  <ir_version: 10, opset_import: ["" : 17, "m" : 1]>
  agraph (bool c, float[N,4,8,8] x) => (float[A,B,C,D] y, float[E,F] r)
  <float[8,2,3,3] w = ["location": "w.bin", "offset": "0", "length": "576"], float[8] b = {1,2,3,4,5,6,7,8},
   float s = {0.1}, int8 z = {0}, int64[1] a = {1}, int64[2] shape = {0, -1}> {
    q = QuantizeLinear (x, s, z)
    d = DequantizeLinear (q, s, z)
    t = Conv <group = 2, pads = [1,1,1,1]> (d, w, b)
    u = m.Twice (t)
    y = If (c) <
      then_branch = yes () => (float[A,B,C,D] p) { p = Resize <mode = "linear"> (u, , b) },
      else_branch = no () => (float[A,B,C,D] o) { o, i = MaxPool <kernel_shape = [2,2]> (u) }
    >
    v = Reshape (u, shape)
    r = ReduceSum <keepdims = 0> (v, a)
  }
  <domain: "m", opset_import: ["" : 17]>
  Twice (k) => (l) { l = Add (k, k) })");

std::string damaged(std::mt19937& random) {
  std::string bytes = kModel;
  const auto any = [&](std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random); };
  for (std::size_t i = 0, count = 1 + any(4); i < count; ++i) {
    const std::size_t at = any(bytes.size());
    switch (any(4)) {
      case 0:
        bytes[at] = static_cast<char>(any(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << any(8)));
        break;
      case 2:
        bytes.insert(at, 1, static_cast<char>(any(256)));
        break;
      default:
        bytes.erase(at, 1 + any(3));
        break;
    }
    if (bytes.empty()) return kModel;
  }
  return bytes;
}

}  // namespace

TEST_CASE("damaged models end in an Error or in findings, never in a failed rule") {
  const unsigned seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::size_t read = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string bytes = damaged(random);
    CheckOptions options;
    const auto releases = known_releases();
    options.target.release = releases[static_cast<std::size_t>(i) % releases.size()];
    try {
      const Report report = check(test::as_bytes(bytes), options);
      ++read;
      for (const Finding& finding : report.findings) {
        INFO(finding.message);
        REQUIRE(finding.rule->name != "internal-error");
      }
    } catch (const Error&) {  // could not be read: the other allowed end
    }
  }
  CHECK(read > 1000);
}
