#include "inferred.hpp"

#include <array>
#include <stdexcept>

#include "as_bytes.hpp"
#include "onnx_text.hpp"

namespace trtcheck::test {

Inferred::Inferred(std::string_view text, int opset, const InferOptions& options)
    : bytes_(std::make_unique<std::string>(onnx_bytes(text, opset))),
      model_(read_model(as_bytes(*bytes_))),
      shapes_(infer(model_, options)) {}

ValueId Inferred::value(std::string_view name) const {
  ValueId found;
  for (std::uint32_t i = 0; i < model_.value_count(); ++i) {
    if (model_.value(ValueId{i}).name == name) found = ValueId{i};
  }
  if (!found) throw std::runtime_error("no value " + std::string(name));
  return found;
}

std::string Inferred::known(std::string_view name) const {
  const ValueShape& shape = shapes_[value(name)];
  if (!shape.is_known) return "-";
  std::string out;
  for (const Dim dim : shape.known) out += (out.empty() ? "" : ",") + shapes_.dims().text(dim);
  return out;
}

std::string Inferred::conflicts() const {
  std::string out;
  for (const Conflict& conflict : shapes_.conflicts()) out += (out.empty() ? "" : "\n") + conflict.message;
  return out;
}

std::string Inferred::obligations() const {
  static constexpr std::array kNeeds{"equal", "divides", "one_or_equal", "at_least", "in_range"};
  std::string out;
  for (const Obligation& need : shapes_.obligations()) {
    if (!out.empty()) out += "\n";
    out += std::string(kNeeds[static_cast<std::size_t>(need.need)]) + " " + shapes_.dims().text(need.a) + " " +
           shapes_.dims().text(need.b);
  }
  return out;
}

std::string Inferred::mismatches() const {
  std::string out;
  for (const auto& mismatch : shapes_.mismatches()) out += (out.empty() ? "" : "\n") + mismatch.message;
  return out;
}

}  // namespace trtcheck::test
