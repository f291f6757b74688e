#include "folded.hpp"

#include <catch2/catch.hpp>

#include <sstream>

#include "as_bytes.hpp"
#include "onnx_text.hpp"

namespace trtcheck::test {
namespace {

template <class T, class Shown = T>
std::string joined(const Constant& constant) {
  std::ostringstream out;
  for (const T element : elements<T>(constant)) out << ' ' << static_cast<Shown>(element);
  return out.str();
}

std::string shown(const Constant& constant) {
  switch (constant.type) {
    case DataType::float32:
      return joined<float>(constant);
    case DataType::float64:
      return joined<double>(constant);
    case DataType::int64:
      return joined<std::int64_t>(constant);
    case DataType::uint64:
      return joined<std::uint64_t>(constant);
    case DataType::int32:
      return joined<std::int32_t>(constant);
    case DataType::uint32:
      return joined<std::uint32_t>(constant);
    case DataType::int8:
      return joined<std::int8_t, int>(constant);
    case DataType::float16:
    case DataType::bfloat16:
      return joined<std::uint16_t>(constant);
    default:
      return joined<std::uint8_t, int>(constant);
  }
}

}  // namespace

Folded::Folded(std::string_view text, int opset, Budget budget) : Folded(Bytes{onnx_bytes(text, opset)}, budget) {}

Folded::Folded(Bytes bytes, Budget budget)
    : bytes_(std::make_unique<std::string>(std::move(bytes.bytes))),
      model_(std::make_unique<Model>(read_model(as_bytes(*bytes_)))),
      shapes_(std::make_unique<Shapes>(infer(*model_))),
      folder_(*model_, *shapes_, budget) {}

Folded Folded::of_bytes(std::string bytes, Budget budget) { return Folded(Bytes{std::move(bytes)}, budget); }

ValueId Folded::id(std::string_view name) const {
  for (auto i = static_cast<std::uint32_t>(model_->value_count()); i-- > 0;) {
    if (model_->value(ValueId{i}).name == name) return ValueId{i};
  }
  FAIL("no value " << name);
  return {};
}

std::string Folded::text(std::string_view name) {
  const std::optional<Constant> constant = value(name);
  if (!constant) return "(" + why_not(name) + ")";
  std::ostringstream out;
  out << to_string(constant->type) << '[';
  for (std::size_t i = 0; i < constant->dims.size(); ++i) out << (i == 0 ? "" : ",") << constant->dims[i];
  out << ']' << shown(*constant);
  return out.str();
}

}  // namespace trtcheck::test
