#include "edit/left_out.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "edit/document.hpp"
#include "edit/edited.hpp"
#include "edit/encode.hpp"
#include "model/fields.hpp"
#include "model/wire.hpp"

namespace trtcheck::edit {
namespace {

std::optional<std::size_t> number_of(std::span<const ByteRange> weights, ByteRange range) {
  const auto found = std::ranges::lower_bound(weights, range.offset, {}, &ByteRange::offset);
  if (found == weights.end() || found->offset != range.offset || found->length != range.length) return std::nullopt;
  return static_cast<std::size_t>(found - weights.begin());
}

}  // namespace

std::string content_without(const Model& model, const Pieces& pieces, const Readable& old, const LeftOut& left_out) {
  const auto change = [&](Message& tensor, bool) {
    const std::vector<std::size_t> raw = tensor.fields(wire::bytes(field::tensor::raw_data));
    if (raw.size() != 1) return;
    const std::optional<ByteRange> range = pieces.old_range(tensor.content(raw.front()));
    const std::optional<std::size_t> number = range ? number_of(left_out.weights, *range) : std::nullopt;
    if (!number) return;
    Pieces marked;
    marked.add(text_field(field::tensor::raw_data, std::string(left_out.mark) + std::to_string(*number)));
    tensor.replace(field::tensor::raw_data, marked);
  };
  return with_tensors(model, change).over(pieces).content(old.read);
}

}  // namespace trtcheck::edit
