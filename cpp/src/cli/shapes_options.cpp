#include "cli/shapes_options.hpp"

#include <algorithm>

namespace trtcheck::cli {
namespace {

/// "N=4" as an assumption.
std::string size_word(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  const bool is_number = equals != std::string::npos && equals + 1 < word.size() && word.size() - equals <= 18 &&
                         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(equals) + 1, word.end(),
                                     [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || equals == 0) refuse(fmt::format("--set: `{}`: write NAME=SIZE, such as N=4", word));
  return fmt::format("{} == {}", word.substr(0, equals), word.substr(equals + 1));
}

}  // namespace

void ShapesWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add_list("--profile", profiles, "size range of an input; repeatable").value("NAME=MIN:OPT:MAX");
  options.add_list("--set", sizes, "number for a size that the model names; repeatable").value("NAME=SIZE");
  options
      .add("--assume", assume, "what holds of its sizes: 'S % 8 == 0', 'N <= 512', 'past + seq == total'; repeatable")
      .value("RELATION");
  options.add("--why", why, "print the way of a size back to inputs and constants; repeatable").value("VALUE[:AXIS]");
  options.add_list("--only", only, "values whose name matches: * ? [a-z]; repeatable").value("PATTERN");
  settings.add_shape_functions_to(options);
  output.add_to(options);
}

ShapesRequest ShapesWords::request() const {
  ShapesRequest request{.path = path,
                        .target = {},
                        .config = settings.choice(),
                        .overrides = settings.overrides(),
                        .assume = {},
                        .why = why,
                        .only = only,
                        .output = output.request()};
  for (const std::string& word : profiles) {
    request.target.profile.push_back(parsed("--profile", word, parse_profile));
  }
  for (const std::string& word : sizes) request.assume.push_back(size_word(word));
  request.assume.insert(request.assume.end(), assume.begin(), assume.end());
  return request;
}

}  // namespace trtcheck::cli
