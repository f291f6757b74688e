// Codes of 16 bits, which TensorRT has no layers for: what was quantized to them stays as it was before. The results
// are nearer to those of the network before it was quantized.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::wide_codes_removed {
namespace {

bool is_wide(std::optional<DataType> type) { return type == DataType::int16 || type == DataType::uint16; }

/// Whether they give back numbers of the type that was quantized.
bool give_back(const Draft& draft, const CodeReaders& readers, ValueId data) {
  for (const NodeId reader : readers.dequantizers) {
    if (draft.type(draft.model().node(reader).output(0)) != draft.type(data)) return false;
  }
  return !readers.dequantizers.empty() && draft.type(data).has_value();
}

/// What moved the codes moves the numbers. @returns the new name of each of the codes
std::vector<std::string> move_numbers(Draft& draft, const CodeReaders& readers, std::string data) {
  std::vector<std::string> names{std::move(data)};
  draft.rewire(readers.codes.front(), names.front());
  for (std::size_t i = 1; i < readers.codes.size(); ++i) {
    names.push_back(draft.fresh(name_of(draft, readers.codes[i])));
    draft.add(edit::SetOutput{edit::place_of(draft.model(), readers.makers[i]), readers.outputs[i], names.back()});
    draft.rewire(readers.codes[i], names.back());
  }
  return names;
}

void skip(Draft& draft, NodeId dequantize, const std::string& numbers) {
  const ValueId output = draft.model().node(dequantize).output(0);
  if (!draft.model().value(output).is_output) {
    draft.rewire(output, numbers);
    return draft.remove_node(dequantize);
  }
  const edit::NodeAt place = edit::place_of(draft.model(), dequantize);
  draft.add(edit::SetOperator{place, "Identity", ""});
  draft.add(edit::SetInputs{place, {numbers}});
  for (const Attribute& attribute : draft.model().node(dequantize).attributes()) {
    draft.add(edit::RemoveAttribute{place, std::string(attribute.name)});
  }
}

bool make(Draft& draft, const Finding&) {
  const NodeId quantize = quantizer_before(draft);
  if (!quantize) return false;
  const Node& node = draft.model().node(quantize);
  if (!is_wide(draft.type(node.output(0)))) return false;
  const auto readers = code_readers(draft, quantize);
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  if (!give_back(draft, *readers, node.input(0))) return false;
  const auto range = code_range(draft, quantize);
  if (!range) return draft.refuse("scale and zero point are not constant");
  const std::string data = within(draft, quantize, range->low, range->high);
  const std::vector<std::string> names = move_numbers(draft, *readers, data);
  for (const NodeId dequantize : readers->dequantizers) {
    const ValueId codes = draft.model().node(dequantize).input(0);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (readers->codes[i] == codes) skip(draft, dequantize, names[i]);
    }
  }
  draft.remove_node(quantize);
  for (const std::size_t i : {1U, 2U}) {
    drop_stored(draft, node.input(i));
    for (const NodeId reader : readers->dequantizers) drop_stored(draft, draft.model().node(reader).input(i));
  }
  draft.title(fmt::format("leave `{}` in {}: no codes of 16 bits", name_of(draft, node.input(0)),
                          to_string(*draft.type(node.input(0)))));
  return true;
}

constexpr std::string_view kFindings[] = {"MDL312", "QDQ101", "QDQ102", "QDQ109"};
constexpr std::string_view kOps[] = {"QuantizeLinear", "DequantizeLinear"};

}  // namespace

extern constinit const Cure cure{
    .name = "wide-codes-removed",
    .kind = CureClass::choice,
    .summary = "what is quantized to INT16 or UINT16 is left as it is: TensorRT has no layers of such codes",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::wide_codes_removed
