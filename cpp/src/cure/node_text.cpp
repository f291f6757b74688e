#include "cure/node_text.hpp"

#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "text/printable.hpp"

namespace trtcheck::cure {
namespace {

constexpr std::size_t kMostItems = 8;
constexpr std::size_t kMostText = 60;

template <class T>
std::string list_text(std::span<const T> items) {
  std::string out = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == kMostItems) return out + ", ...]";
    out += fmt::format("{}{}", i == 0 ? "" : ", ", items[i]);
  }
  return out + "]";
}

std::string quoted(std::string_view text) {
  const bool is_long = text.size() > kMostText;
  return fmt::format("\"{}{}\"", printable(text.substr(0, kMostText)), is_long ? "..." : "");
}

std::string tensor_text(const Model& model, TensorId id) {
  const Tensor& tensor = model.tensor(id);
  return fmt::format("{}{}", to_string(tensor.type), list_text(tensor.dims));
}

std::string value_text(const Model& model, const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::float_:
      return fmt::format("{}", attribute.f());
    case AttributeType::int_:
      return fmt::format("{}", attribute.i());
    case AttributeType::string:
      return quoted(attribute.s());
    case AttributeType::tensor:
      return tensor_text(model, attribute.t());
    case AttributeType::floats:
      return list_text(attribute.floats());
    case AttributeType::ints:
      return list_text(attribute.ints());
    default:
      return "...";
  }
}

std::string names_text(const Model& model, std::span<const ValueId> values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == kMostItems) return out + ", ...";
    out += fmt::format("{}{}", i == 0 ? "" : ", ", printable(model.value(values[i]).name));
  }
  return out;
}

}  // namespace

std::string node_text(const Model& model, NodeId id) {
  const Node& node = model.node(id);
  std::string attributes;
  for (const Attribute& attribute : node.attributes()) {
    attributes += fmt::format("{}{} = {}", attributes.empty() ? " <" : ", ", printable(attribute.name),
                              value_text(model, attribute));
  }
  if (!attributes.empty()) attributes += ">";
  const std::string domain = node.domain().empty() ? "" : printable(node.domain()) + ".";
  return fmt::format("{} = {}{}{} ({})", names_text(model, node.outputs), domain, printable(node.op_type), attributes,
                     names_text(model, node.inputs));
}

}  // namespace trtcheck::cure
