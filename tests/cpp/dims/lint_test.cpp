// C++ truncates, dims round down: `/` and `%` stand on integers in dims/checked.hpp and nowhere else in
// dims/ and shapes/. A line that divides real numbers says so: `// real division`.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

// The line without comments and literals.
std::string code_of(const std::string& line) {
  std::string out;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = '\0';
      continue;
    }
    if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') break;
    const bool is_separator = c == '\'' && i > 0 && line[i - 1] >= '0' && line[i - 1] <= '9';
    if (c == '"' || (c == '\'' && !is_separator))
      quote = c;
    else
      out.push_back(c);
  }
  return out;
}

bool divides_raw(const std::string& line) {
  if (line.starts_with("#include") || line.find("// real division") != std::string::npos) return false;
  return code_of(line).find_first_of("/%") != std::string::npos;
}

}  // namespace

TEST_CASE("the search for raw divisions sees code and nothing else") {
  CHECK(divides_raw("  return a / b;"));
  CHECK(divides_raw("  x %= 3;"));
  CHECK(divides_raw("  f('/', a / 2);"));
  CHECK_FALSE(divides_raw("  return a;  // a / b"));
  CHECK_FALSE(divides_raw("  text(\"a/b\", '%');"));
  CHECK_FALSE(divides_raw("#include \"dims/checked.hpp\""));
  CHECK_FALSE(divides_raw("  return scale / 2.0F;  // real division"));
}

TEST_CASE("no file of dims/ or shapes/ divides integers by hand") {
  const std::filesystem::path source = std::filesystem::path(TRTCHECK_SOURCE_DIR) / "cpp" / "src";
  std::size_t lines = 0;
  for (const char* floor : {"dims", "shapes"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / floor)) {
      if (!entry.is_regular_file() || entry.path().filename() == "checked.hpp") continue;
      std::ifstream in(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(in, line); ++lines) {
        ++number;
        if (divides_raw(line)) FAIL_CHECK(entry.path().string() << ":" << number << ": " << line);
      }
    }
  }
  CHECK(lines > 500);
}
