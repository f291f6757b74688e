#include "checked.hpp"

#include <algorithm>
#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <sstream>
#include <stdexcept>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck::test {
namespace {

std::vector<std::string> words(std::string_view text, char separator) {
  std::vector<std::string> found;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);) {
    if (!word.empty()) found.push_back(word);
  }
  return found;
}

/// "NAME:MIN:MAX", then words such as "nan=3", "inf=1", "neg_inf=1", "type=FLOAT16"; 1000 elements.
MeasuredTensor measured(const std::string& text) {
  const std::vector<std::string> parts = words(text, ':');
  MeasuredTensor tensor;
  tensor.name = parts.at(0);
  tensor.type = DataType::float32;
  tensor.elements = 1000;
  tensor.min = std::stod(parts.at(1));
  tensor.max = std::stod(parts.at(2));
  for (std::size_t i = 3; i < parts.size(); ++i) {
    const std::vector<std::string> pair = words(parts[i], '=');
    if (pair.at(0) == "nan")
      tensor.nans = std::stoull(pair.at(1));
    else if (pair.at(0) == "inf")
      tensor.plus_infinite = std::stoull(pair.at(1));
    else if (pair.at(0) == "neg_inf")
      tensor.minus_infinite = std::stoull(pair.at(1));
    else if (parts[i] == "type=FLOAT16")
      tensor.type = DataType::float16;
    else
      throw std::runtime_error("no word of measured ranges: " + parts[i]);
  }
  return tensor;
}

void set_option(CaseOptions& options, const std::string& key, const std::string& value) {
  Target& target = options.target;
  if (key == "target")
    target.release = parse_release(value);
  else if (key == "cc")
    target.compute_capability = parse_compute_capability(value);
  else if (key == "profile")
    target.profile.push_back(parse_profile(value));
  else if (key == "dla")
    target.dla = value == "yes";
  else if (key == "strong")
    target.strongly_typed = value == "yes";
  else if (key == "require_profile")
    target.require_profile = value == "yes";
  else if (key == "opset")
    options.opset = std::stoi(value);
  else if (key == "folder")
    options.folder = std::string(TRTCHECK_SOURCE_DIR) + "/" + value;
  else if (key == "outputs")
    options.declares_outputs = value != "bare";
  else if (key == "advice")
    options.tells_advice = value == "yes";
  else if (key == "weights")
    options.read_weights = value == "read";
  else if (key == "ranges")
    options.ranges.tensors.push_back(measured(value));
  else if (key == "plugin")
    target.plugins = words(value, ',');
  else if (key == "precision") {
    for (const std::string& word : words(value, ',')) target.precisions.push_back(parse_precision(word));
  } else {
    throw std::runtime_error("no option of a rule case: " + key);
  }
}

/// What is told of most models as small as cases are: told where a case asks for it.
constexpr std::string_view kAdvice[] = {"HWD108"};

std::string place_of(const Finding& finding) {
  return finding.node_id ? finding.graph + "/" + finding.node : std::string("-");
}

/// `part` with the newest release in place of {newest}.
bool contains(const std::string& text, std::string part) {
  constexpr std::string_view kNewest = "{newest}";
  for (std::size_t at = part.find(kNewest); at != std::string::npos; at = part.find(kNewest, at)) {
    part.replace(at, kNewest.size(), to_string(known_releases().back()));
  }
  return text.find(part) != std::string::npos;
}

bool agree(const ExpectedFinding& expected, const Finding& actual) {
  const bool same_head = expected.severity == to_string(actual.severity) && expected.code == actual.rule->code &&
                         expected.place == place_of(actual) && contains(actual.message, expected.message);
  const auto has_note = [&](const std::string& text) {
    return std::ranges::any_of(actual.notes, [&](const Note& note) { return contains(note.message, text); });
  };
  const bool same_fix = expected.fix.empty() || (actual.fix && contains(actual.fix->title, expected.fix));
  const bool same_certainty = expected.certainty.empty() || expected.certainty == to_string(actual.certainty);
  return same_head && same_fix && same_certainty && std::ranges::all_of(expected.notes, has_note) &&
         difference(expected.consequences, actual.consequences).empty();
}

}  // namespace

CaseOptions parse_options(std::string_view text) {
  CaseOptions options;
  for (const std::string& word : words(text, ' ')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw std::runtime_error("no option of a rule case: " + word);
    set_option(options, word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

std::vector<Finding> findings_of(std::string_view onnx_text, std::string_view options_text) {
  const CaseOptions options = parse_options(options_text);
  std::string bytes = onnx_bytes(onnx_text, options.opset);
  if (options.declares_outputs) bytes = with_declared_outputs(bytes);
  CheckOptions how;
  how.target = options.target;
  how.read_weights = options.read_weights;
  if (!options.tells_advice) how.ignore.assign(std::begin(kAdvice), std::end(kAdvice));
  if (!options.ranges.tensors.empty()) {
    Ranges ranges = options.ranges;
    ranges.graph = graph_id(read_model(as_bytes(bytes)));
    how.ranges = std::make_shared<const Ranges>(std::move(ranges));
  }
  return check(as_bytes(bytes), how, options.folder).findings;
}

std::string describe(const Finding& finding) {
  std::string text = std::string(to_string(finding.severity)) + " " + std::string(finding.rule->code) + " " +
                     place_of(finding) + ": " + finding.message + "\n";
  text += "  certainty: " + std::string(to_string(finding.certainty)) + "\n";
  for (const Note& note : finding.notes) text += "  note: " + note.message + "\n";
  if (finding.fix) text += "  fix: " + finding.fix->title + "\n";
  for (const Finding& consequence : finding.consequences) text += "  consequence: " + describe(consequence);
  return text;
}

std::string describe(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += describe(finding);
  return text.empty() ? "none\n" : text;
}

std::string difference(const std::vector<ExpectedFinding>& expected, const std::vector<Finding>& actual) {
  std::vector<const Finding*> left;
  for (const Finding& finding : actual) left.push_back(&finding);
  std::string text;
  for (const ExpectedFinding& want : expected) {
    const auto it = std::ranges::find_if(left, [&](const Finding* finding) { return agree(want, *finding); });
    if (it == left.end()) {
      text += "missing: " + want.severity + " " + want.code + " " + want.place + ": " + want.message + "\n";
    } else {
      left.erase(it);
    }
  }
  for (const Finding* finding : left) text += "not expected: " + describe(*finding);
  return text;
}

}  // namespace trtcheck::test
