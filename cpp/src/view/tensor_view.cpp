#include "view/tensor_view.hpp"

#include "model/tensor_values.hpp"

namespace trtcheck {

std::optional<std::vector<double>> TensorView::floats(TensorId id, std::int64_t limit) const {
  if (!id) return std::nullopt;
  auto values = decode_floats(*model_, model_->tensor(id), limit);
  if (!values) note_unread(id, limit);
  return values;
}

std::optional<std::vector<std::int64_t>> TensorView::ints(TensorId id, std::int64_t limit) const {
  if (!id) return std::nullopt;
  auto values = decode_ints(*model_, model_->tensor(id), limit);
  if (!values) note_unread(id, limit);
  return values;
}

const std::optional<HalfScan>& TensorView::in_half(TensorId id) const {
  const auto known = in_half_.find(id);
  if (known != in_half_.end()) return known->second;
  return in_half_.emplace(id, scan_for_half(*model_, model_->tensor(id))).first->second;
}

std::optional<TensorView::SizeMismatch> TensorView::size_mismatch(TensorId id) const {
  const Tensor& tensor = model_->tensor(id);
  const std::optional<std::uint64_t> needs = bytes_needed(tensor);
  if (!needs) return std::nullopt;
  SizeMismatch result{0, *needs, true};
  switch (tensor.data) {
    case Tensor::Data::none:
      break;
    case Tensor::Data::raw:
      result.has = tensor.raw.length;
      break;
    case Tensor::Data::external: {
      const StringPair* length = find_pair(tensor.external, "length");
      const std::optional<std::uint64_t> stated = length == nullptr ? std::nullopt : to_number(length->value);
      if (!stated) return std::nullopt;
      result.has = *stated;
      break;
    }
    case Tensor::Data::typed: {
      const std::optional<std::uint64_t> elements = typed_element_count(*model_, tensor);
      if (!elements) return std::nullopt;
      result = {*elements, static_cast<std::uint64_t>(*tensor.element_count()), false};
      // The last number of a 4-bit or 2-bit type may be filled in part.
      const std::uint64_t per_number =
          bits_of(tensor.type) < 6 ? 8 / static_cast<std::uint64_t>(bits_of(tensor.type)) : 1;
      if (result.has >= result.needs && result.has - result.needs < per_number) return std::nullopt;
      break;
    }
  }
  if (result.has == result.needs) return std::nullopt;
  return result;
}

void TensorView::note_unread(TensorId id, std::int64_t limit) const {
  if (why_unread(*model_, model_->tensor(id), limit)) unread_.insert(id);
}

ExternalFile TensorView::external(TensorId id) const { return external_file(*model_, model_->tensor(id)); }

}  // namespace trtcheck
