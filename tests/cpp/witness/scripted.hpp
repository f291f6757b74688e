// Witnesses that are scripts, models for them, and what they may answer.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include <trtcheck/confirm.hpp>

#include <onnx_text.hpp>
#include <temporary_folder.hpp>

namespace trtcheck::test {

inline constexpr const char* kRelu = "agraph (float[1,4] x) => (float[1,4] y) { [act] y = Relu (x) }";
// Two groups of three channels do not fit four.
inline constexpr const char* kBad =
    "agraph (float[1,4,8,8] x) => (float[1,4,8,8] y) <float[4,3,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1}> "
    "{ [bad] y = Conv <group = 2> (x, w) }";

class Witnesses {
 public:
  /// A script that prints the text.
  Witness saying(const std::string& text) { return running("cat <<'END'\n" + text + "\nEND"); }
  Witness running(const std::string& script) {
    const std::filesystem::path file = folder_.path / fmt::format("witness {}", ++count_);
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return {file.string(), "", "", "TensorRT-RTX", "1.7.1"};
  }
  std::string model(const std::string& text) {
    const std::filesystem::path file = folder_.path / fmt::format(
                                                          "m\xc3\xb6"
                                                          "del {}.onnx",
                                                          ++count_);
    std::ofstream(file, std::ios::binary) << onnx_bytes(text);
    return file.string();
  }

 private:
  TemporaryFolder folder_;
  int count_ = 0;
};

/// New in 10.0.
inline constexpr const char* kGelu =
    "<ir_version: 9, opset_import: [\"\" : 20]> agraph (float[1,4] x) => (float[1,4] y) { y = Gelu (x) }";

inline ConfirmOptions for_release(const char* release) {
  ConfirmOptions options;
  options.check.target.release = parse_release(release);
  return options;
}

inline std::string answer(bool parsed, const std::string& built, const std::string& errors = "[]",
                          const std::string& log = "[]") {
  return fmt::format(
      R"({{"format":1,"library":{{"path":"","parser":"","product":"rtx","release":"1.7.1"}},"parsed":{},"errors":{},)"
      R"("built":{},"not_built":"","log":{},"seconds":{{"parse":0.1,"build":null}}}})",
      parsed, errors, built, log);
}

inline std::string parser_error(const std::string& text, const std::string& node) {
  return R"([{"code":6,"description":")" + text + R"(","file":"","line":0,"function":"","node":0,"node_name":")" +
         node + R"(","operator":"Relu"}])";
}

}  // namespace trtcheck::test
