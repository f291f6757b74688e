#include <catch2/catch.hpp>

#include <trtcheck/discover.hpp>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <temporary_folder.hpp>

using namespace trtcheck;
namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

namespace {

/// A folder that vanishes; paths are named from it.
class Folder {
 public:
  [[nodiscard]] std::string path(const std::string& name) const { return name.empty() ? root_ : root_ + "/" + name; }
  void write(const std::string& name, const std::string& text = "") const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  void link(const std::string& name, const std::string& to) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    fs::create_symlink(path(to), path(name));
  }
  /// What is found, named from this folder.
  [[nodiscard]] Paths find(const Paths& words, const DiscoverOptions& options = {}) const {
    Paths full;
    for (const std::string& word : words) full.push_back(path(word));
    const FoundModels found = find_models(full, options);
    Paths names;
    for (const std::string& model : found.models) {
      names.push_back(model == root_ ? "" : model.substr(root_.size() + 1));
    }
    return names;
  }

 private:
  test::TemporaryFolder made_;
  std::string root_ = made_.path.string();
};

FoundModels find_one(const std::string& word) { return find_models(std::vector<std::string>{word}, {}); }

}  // namespace

TEST_CASE("a folder gives its models, sorted") {
  const Folder folder;
  for (const char* name : {"b.onnx", "a/z.onnx", "a.onnx", "a/weights.bin", "a/b/c.onnx", "readme.md", ".onnx"}) {
    folder.write(name);
  }
  CHECK(folder.find({""}) == Paths{"a.onnx", "a/b/c.onnx", "a/z.onnx", "b.onnx"});
  CHECK(folder.find({"a/"}) == Paths{"a/b/c.onnx", "a/z.onnx"});
}

TEST_CASE("files stand for themselves, in the order of the words, once") {
  const Folder folder;
  folder.write("b.onnx");
  folder.write("a.onnx");
  folder.write("model.bin");
  CHECK(folder.find({"model.bin", "b.onnx", "./b.onnx", "", "missing.onnx"}) ==
        Paths{"model.bin", "b.onnx", "a.onnx", "missing.onnx"});
  const std::vector<std::string> words{"-", "-"};
  CHECK(find_models(words, {}).models == Paths{"-"});
}

TEST_CASE("folders of tools are passed over unless they are named") {
  const Folder folder;
  for (const char* name : {".git/a.onnx", ".venv/a.onnx", "node_modules/a.onnx", ".hidden/a.onnx", "build/a.onnx"}) {
    folder.write(name);
  }
  CHECK(folder.find({""}) == Paths{".hidden/a.onnx", "build/a.onnx"});
  CHECK(folder.find({".venv"}) == Paths{".venv/a.onnx"});
}

TEST_CASE("links are followed, loops end, a folder is looked at once") {
  const Folder folder;
  folder.write("z/a.onnx");
  folder.write("z/blob");
  folder.link("z/up", "");
  folder.link("a-link", "z");
  folder.link("z/linked.onnx", "z/blob");
  folder.link("z/gone.onnx", "nowhere");
  folder.link("z/self", "z/self");
  CHECK(folder.find({""}) == Paths{"z/a.onnx", "z/gone.onnx", "z/linked.onnx"});
  CHECK(folder.find({"a-link"}) == Paths{"a-link/a.onnx", "a-link/gone.onnx", "a-link/linked.onnx"});
}

TEST_CASE("a pipe in a folder is no model") {
  const Folder folder;
  folder.write("a.onnx");
  REQUIRE(::mkfifo(folder.path("pipe.onnx").c_str(), 0600) == 0);
  CHECK(folder.find({""}) == Paths{"a.onnx"});
  CHECK(folder.find({"pipe.onnx"}) == Paths{"pipe.onnx"});
}

TEST_CASE("patterns that no shell has expanded") {
  const Folder folder;
  for (const char* name : {"a/x1.onnx", "a/x2.onnx", "a/x1.bin", "a/b/c/x1.onnx", "a/.h/x1.onnx", "q[1].onnx"}) {
    folder.write(name);
  }
  struct Case {
    std::string pattern;
    Paths found;
  };
  const std::vector<Case> cases{
      {"a/*", {"a/x1.onnx", "a/x2.onnx"}},
      {"a/x?.onnx", {"a/x1.onnx", "a/x2.onnx"}},
      {"*/x[!1].onnx", {"a/x2.onnx"}},
      {"**/x1.onnx", {"a/b/c/x1.onnx", "a/x1.onnx"}},
      {"a/**", {"a/b/c/x1.onnx", "a/x1.onnx", "a/x2.onnx"}},
      {"**/**/c/*", {"a/b/c/x1.onnx"}},
      {"a/.*/*", {"a/.h/x1.onnx"}},
      {"q[1].onnx", {"q[1].onnx"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    CHECK(folder.find({c.pattern}) == c.found);
  }
  CHECK(find_one(folder.path("no*.onnx")).errors.at(0).cause() == "no model has such a name");
  CHECK(find_one(folder.path("a/[x.onnx")).errors.size() == 1);
}

TEST_CASE(".gitignore counts inside of a repository") {
  const Folder folder;
  for (const char* name : {"repo/a.onnx", "repo/out/b.onnx", "repo/sub/c.onnx", "repo/sub/out/d.onnx"}) {
    folder.write(name);
  }
  folder.write(".gitignore", "*.onnx\n");  // outside
  folder.write("repo/.gitignore", "out/\n");
  folder.write("repo/sub/.gitignore", "!out/\nc.onnx\n");
  CHECK(folder.find({"repo"}).size() == 4);  // no repository yet
  fs::create_directories(folder.path("repo/.git/info"));
  CHECK(folder.find({"repo"}) == Paths{"repo/a.onnx", "repo/sub/out/d.onnx"});
  CHECK(folder.find({"repo/sub"}) == Paths{"repo/sub/out/d.onnx"});
  CHECK(folder.find({"repo/out"}) == Paths{"repo/out/b.onnx"});  // named
  CHECK(folder.find({"repo/out/b.onnx"}) == Paths{"repo/out/b.onnx"});
  CHECK(folder.find({"repo"}, {.respect_gitignore = false}).size() == 4);
  folder.write("repo/.git/info/exclude", "a.onnx\n");
  CHECK(folder.find({"repo"}) == Paths{"repo/sub/out/d.onnx"});
}

TEST_CASE("a repository in a repository follows its own rules") {
  const Folder folder;
  folder.write("repo/.git/HEAD");
  folder.write("repo/.gitignore", "*.onnx\n");
  folder.write("repo/a.onnx");
  folder.write("repo/inner/b.onnx");
  folder.write("repo/inner/.git", "gitdir: ../.git/modules/inner\n");
  folder.write("repo/.git/modules/inner/info/exclude", "c.onnx\n");
  folder.write("repo/inner/c.onnx");
  CHECK(folder.find({"repo"}) == Paths{"repo/inner/b.onnx"});
}

TEST_CASE("excluded models are passed over; named ones only when forced") {
  const Folder folder;
  folder.write("a.onnx");
  folder.write("b.onnx");
  DiscoverOptions options;
  options.excluded = [](const std::string& path) { return path.ends_with("/a.onnx"); };
  CHECK(folder.find({""}, options) == Paths{"b.onnx"});
  CHECK(folder.find({"a.onnx"}, options) == Paths{"a.onnx"});
  options.force_exclude = true;
  CHECK(folder.find({"a.onnx", "b.onnx"}, options) == Paths{"b.onnx"});
  CHECK(folder.find({"*.onnx"}, options) == Paths{"b.onnx"});
}

TEST_CASE("a folder without a model is an error, one whose models are all excluded a warning") {
  const Folder folder;
  folder.write("empty/readme.md");
  folder.write("full/a.onnx");
  CHECK(find_one(folder.path("empty")).errors.at(0).cause() == "there is no model (`*.onnx`) in this folder");
  DiscoverOptions options;
  options.excluded = [](const std::string&) { return true; };
  const std::vector<std::string> words{folder.path("full")};
  const FoundModels found = find_models(words, options);
  CHECK(found.errors.empty());
  CHECK(found.warnings == Paths{folder.path("full") + ": all models (1) are excluded"});
  folder.write("full/.git/HEAD");
  folder.write("full/.gitignore", "*.onnx\n");
  CHECK(find_one(folder.path("full")).errors.at(0).cause().find(".gitignore") != std::string::npos);
}
