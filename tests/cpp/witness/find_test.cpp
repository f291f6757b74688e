// Where a witness is looked for, and which one is trusted.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>

#include <temporary_folder.hpp>

#include "witness/locate.hpp"
#include "witness/remember.hpp"

using namespace trtcheck;
using namespace trtcheck::witness;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// For the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

void write(const fs::path& file, const std::string& text = "") {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

fs::path wheel(const fs::path& folder, const std::string& release) {
  write(folder / ("libtensorrt_rtx.so." + release));
  write(folder / ("libtensorrt_onnxparser_rtx.so." + release));
  return folder;
}

fs::path program(const fs::path& file, const std::string& script) {
  write(file, "#!/bin/sh\n" + script + "\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

constexpr const char* kGood =
    R"(echo '{"format":1,"library":{"path":"","parser":"","product":"rtx","release":"1.7.1"},"parsed":true,)"
    R"("errors":[],"built":true,"log":[],"seconds":{"parse":0,"build":0}}')";

/// Of several: answers as the release in its library's path.
constexpr const char* kByPath = R"(
if [ "$1" = --self-test ]; then echo '{"format":1,"fatal":"no TensorRT on the library path"}'; exit 2; fi
case "$2" in *1.4.0*) r=1.4.0;; *1.7.1*) r=1.7.1;; *) echo '{"format":1,"fatal":"is version 9.9.9"}'; exit 2;; esac
echo '{"format":1,"library":{"path":"","parser":"","product":"rtx","release":"'$r'"},"parsed":true,"errors":[],'\
'"built":true,"log":[],"seconds":{"parse":0,"build":0}}')";

/// In folders of the cache and in two of the variable: 1.4.0, 1.7.1 twice, and one that is not known.
class SideBySide {
 public:
  SideBySide()
      : cache_("XDG_CACHE_HOME", folder_.path / "cache"),
        none_("VIRTUAL_ENV", ""),
        places_("TRTCHECK_WITNESS", (folder_.path / "a 1.7.1").string() + ":" + (folder_.path / "b 9.9.9").string()),
        program_(program(folder_.path / "w", kByPath)) {
    wheel(folder_.path / "a 1.7.1", "1");
    wheel(folder_.path / "b 9.9.9", "1");
    wheel(folder_.path / "cache/trtcheck/witness/1.4.0/tensorrt_rtx_libs", "1");
    wheel(folder_.path / "cache/trtcheck/witness/1.7.1/tensorrt_rtx_libs", "1");
  }
  [[nodiscard]] FoundWitnesses of(const std::string& word) const {
    return find_witnesses({.path = word, .program = program_.string(), .folders = {}});
  }
  [[nodiscard]] std::string releases(const std::string& word) const {
    std::string text;
    for (const Witness& each : of(word).witnesses) text += each.release + " ";
    return text;
  }

 private:
  test::TemporaryFolder folder_;
  Variable cache_, none_, places_;
  fs::path program_;
};

WitnessSearch searching(const fs::path& path) { return {.path = path.string(), .program = "/bin/true", .folders = {}}; }

}  // namespace

TEST_CASE("library and parser are found in the folders of wheels and environments") {
  const test::TemporaryFolder folder;
  const fs::path packages("lib/python3.11/site-packages");
  const std::string package = "onnxruntime_ep_nv_tensorrt_rtx", nvidias = "tensorrt_rtx_libs";
  for (const fs::path& place :
       {fs::path(), fs::path(package), packages / package, fs::path(nvidias), packages / nvidias, fs::path("lib")}) {
    const test::TemporaryFolder own;
    wheel(own.path / place, "1.7.1");
    const auto found = libraries_in(own.path);
    INFO(place);
    REQUIRE(found);
    CHECK(found->library == (own.path / place / "libtensorrt_rtx.so.1.7.1").string());
    CHECK(found->parser == (own.path / place / "libtensorrt_onnxparser_rtx.so.1.7.1").string());
  }
  CHECK(!libraries_in(folder.path));
  write(folder.path / "libnvinfer.so.10.9.0");
  write(folder.path / "libnvonnxparser.so.10.9.0.txt");
  CHECK(!libraries_in(folder.path));  // no parser
  write(folder.path / "libnvonnxparser.so.10.9.0");
  CHECK(libraries_in(folder.path));
}

TEST_CASE("the place that is named counts before all others") {
  const test::TemporaryFolder named, listed, environment, variable;
  for (const auto* each : {&named, &listed, &environment, &variable}) wheel(each->path, "1.7.1");
  const Variable none("VIRTUAL_ENV", environment.path), other("TRTCHECK_WITNESS", variable.path);
  WitnessSearch search{.path = named.path, .program = "/bin/true", .folders = {listed.path}};
  CHECK_THAT(locate(search).front().library, Contains(named.path.string()));
  search.path.clear();
  CHECK_THAT(locate(search).front().library, Contains(listed.path.string()));
  search.folders.clear();
  CHECK_THAT(locate(search).front().library, Contains(environment.path.string()));
  fs::remove_all(environment.path);
  CHECK_THAT(locate(search).front().library, Contains(variable.path.string()));
  fs::remove_all(variable.path);
  CHECK_THROWS_WITH(locate(search), Contains("TRTCHECK_WITNESS: there is no such file or folder"));
}

TEST_CASE("several versions in one place are found, each with its parser, the newest first") {
  const test::TemporaryFolder folder;
  for (const char* release : {"1.5.0", "1.7.1"}) wheel(folder.path, release);
  wheel(folder.path / "tensorrt_rtx_libs", "1");
  fs::create_symlink(folder.path / "libtensorrt_rtx.so.1.7.1", folder.path / "libtensorrt_rtx.so");
  const std::vector<Libraries> found = all_libraries_in(folder.path);
  REQUIRE(found.size() == 3);
  CHECK(found[0].library == (folder.path / "libtensorrt_rtx.so.1.7.1").string());
  CHECK(found[1].library == (folder.path / "libtensorrt_rtx.so.1.5.0").string());
  CHECK(found[1].parser == (folder.path / "libtensorrt_onnxparser_rtx.so.1.5.0").string());
  CHECK(found[2].parser == (folder.path / "tensorrt_rtx_libs" / "libtensorrt_onnxparser_rtx.so.1").string());
}

TEST_CASE("of what is kept the newest release is asked, whatever its folder is called") {
  const test::TemporaryFolder folder;
  const Variable none("VIRTUAL_ENV", ""), other("TRTCHECK_WITNESS", ""), cache("XDG_CACHE_HOME", folder.path);
  const fs::path kept = folder.path / "trtcheck/witness";
  const fs::path old = wheel(kept / "1.4.0.76/tensorrt_rtx_libs", "1");
  const fs::path own = program(folder.path / "w", kByPath);
  const WitnessSearch search{.path = {}, .program = own.string(), .folders = {}};
  CHECK(find_witness(search).release == "1.4.0");
  wheel(kept / "0.5.0/onnxruntime_ep_nv_tensorrt_rtx", "1.7.1");
  CHECK(find_witness(search).release == "1.7.1");
  wheel(kept / "zz broken", "9.9.9");
  CHECK(find_witness(search).release == "1.7.1");
  REQUIRE(find_witnesses(search).passed_over.size() == 1);
  CHECK_THAT(find_witnesses(search).passed_over.front(), Contains("is version 9.9.9"));
  fs::remove_all(kept / "0.5.0");
  CHECK(find_witness(search).release == "1.4.0");
  fs::remove_all(old);
  CHECK_THROWS_WITH(find_witness(search), Contains("is version 9.9.9"));
}

TEST_CASE("without any place the loader is asked") {
  const test::TemporaryFolder folder;
  const Variable none("VIRTUAL_ENV", ""), other("TRTCHECK_WITNESS", ""), cache("XDG_CACHE_HOME", folder.path);
  const Witness found = locate({.path = {}, .program = "/bin/true", .folders = {}}).front();
  CHECK(found.library.empty());
  CHECK(found.program == "/bin/true");
}

TEST_CASE("a library, its folder or a program may be named") {
  const test::TemporaryFolder folder;
  wheel(folder.path, "1.6.1");
  CHECK(locate(searching(folder.path / "libtensorrt_rtx.so.1.6.1")).front().parser ==
        (folder.path / "libtensorrt_onnxparser_rtx.so.1.6.1").string());
  const fs::path own = program(folder.path / "own witness", "exit 1");
  CHECK(locate(searching(own)).front().program == own.string());
  CHECK(locate(searching(own)).front().library.empty());
}

TEST_CASE("what cannot be a witness is refused with its reason") {
  const test::TemporaryFolder folder;
  write(folder.path / "libother.so.1");
  write(folder.path / "text.txt");
  write(folder.path / "alone" / "libnvinfer.so.11");
  CHECK_THROWS_WITH(locate(searching(folder.path / "nothing")), Contains("--witness: there is no such file or folder"));
  CHECK_THROWS_WITH(locate(searching(folder.path)), Contains("holds neither TensorRT-RTX nor TensorRT 10 or 11"));
  CHECK_THROWS_WITH(locate(searching(folder.path / "libother.so.1")), Contains("is no library of TensorRT-RTX"));
  CHECK_THROWS_WITH(locate(searching(folder.path / "text.txt")), Contains("is neither a library nor a program"));
  CHECK_THROWS_WITH(locate(searching(folder.path / "alone" / "libnvinfer.so.11")), Contains("no ONNX parser beside"));
}

TEST_CASE("a witness has to pass the self-test") {
  const test::TemporaryFolder folder;
  const auto found = [&](const std::string& script) {
    return find_witness(searching(program(folder.path / "w", script)));
  };
  CHECK(found(kGood).release == "1.7.1");
  CHECK(found(kGood).product == "TensorRT-RTX");
  CHECK_THROWS_WITH(found("kill -SEGV $$"), Contains("the self-test failed: the parser crashed: SIGSEGV"));
  CHECK_THROWS_WITH(found("echo hello"), Contains("what the witness printed is no answer"));
  CHECK_THROWS_WITH(found("echo '{\"format\":1,\"fatal\":\"is version 9.9.9, which is not known\"}'"),
                    "the witness cannot be asked: is version 9.9.9, which is not known");
  std::string refuses = kGood;
  refuses.replace(refuses.find("\"built\":true"), 12, "\"built\":false");
  CHECK_THROWS_WITH(found(refuses), Contains("a model of one Relu was refused"));
}

TEST_CASE("the self-test runs once for each library") {
  const test::TemporaryFolder folder;
  const Variable cache("XDG_CACHE_HOME", folder.path / "cache");
  const std::string count = (folder.path / "count").string();
  const fs::path own = program(folder.path / "w", "echo x >> " + count + "\n" + kGood);
  wheel(folder.path / "wheel", "1.7.1");
  const WitnessSearch search{.path = folder.path / "wheel", .program = own.string(), .folders = {}};
  const auto runs = [&] { return fs::file_size(count) / 2; };
  CHECK(find_witness(search).release == "1.7.1");
  CHECK(find_witness(search).release == "1.7.1");
  CHECK(runs() == 1);
  write(folder.path / "wheel" / "libtensorrt_rtx.so.1.7.1", "another");
  CHECK(find_witness(search).release == "1.7.1");
  CHECK(runs() == 2);
}

TEST_CASE("a cache that cannot be written or was spoilt does not matter") {
  const test::TemporaryFolder folder;
  wheel(folder.path / "wheel", "1.7.1");
  const WitnessSearch search{
      .path = folder.path / "wheel", .program = program(folder.path / "w", kGood).string(), .folders = {}};
  {
    const Variable cache("XDG_CACHE_HOME", "/proc/nothing");
    CHECK(find_witness(search).release == "1.7.1");
  }
  const Variable cache("XDG_CACHE_HOME", folder.path / "cache");
  CHECK(find_witness(search).release == "1.7.1");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path / "cache" / "trtcheck")) {
    write(entry.path(), "{\"key\": 3");
  }
  CHECK(find_witness(search).release == "1.7.1");
}

TEST_CASE("witnesses are found by the release that they answer for") {
  const SideBySide all;
  CHECK(all.releases("all") == "1.4.0 1.7.1 ");
  CHECK(all.releases("10.16") == "1.4.0 ");
  CHECK(all.releases("rtx-1.4") == "1.4.0 ");
  CHECK(all.releases("11.4") == "1.7.1 ");
  CHECK(all.releases("") == "1.7.1 ");
  REQUIRE(all.of("all").passed_over.size() == 1);
  CHECK_THAT(all.of("all").passed_over.front(), Contains("is version 9.9.9"));
}

TEST_CASE("a release that nobody answers for is refused, with the wheel that brings it") {
  const SideBySide all;
  CHECK_THROWS_WITH(all.of("11.2"), Contains("no witness answers for TensorRT 11.2 (there is TensorRT-RTX 1.4.0, "
                                             "TensorRT-RTX 1.7.1): `pip install --target ") &&
                                        Contains("/trtcheck/witness/1.6.1 tensorrt_rtx_cu12_libs==1.6.1.120` brings"));
  CHECK_THROWS_WITH(all.of("10.13"), Contains("without a GPU there are witnesses of 10.16, 11.0, 11.2, 11.4"));
  CHECK_THROWS_WITH(all.of("10.99"), Contains("no facts about TensorRT 10.99 are known"));
}
