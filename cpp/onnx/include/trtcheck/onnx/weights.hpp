// Weights of a message that becomes another one: they move, and are not copied.
#pragma once

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <google/protobuf/io/coded_stream.h>

#include <trtcheck/error.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/onnx/messages.hpp>
#include <trtcheck/onnx/written.hpp>

#pragma GCC visibility push(hidden)

namespace trtcheck::proto {

/// Calls `visit` with every tensor below the message. The reader has refused graphs that are nested too deep.
template <class Visit>
class EachTensor {
 public:
  explicit EachTensor(const Visit& visit) : visit_(&visit) {}

  void operator()(ModelProto& model) const {
    if (model.has_graph()) look_at(*model.mutable_graph());
    for (auto& function : *model.mutable_functions()) {
      for (NodeProto& node : *function.mutable_node()) look_at(node);
    }
  }

 private:
  void look_at(GraphProto& graph) const {
    for (TensorProto& tensor : *graph.mutable_initializer()) (*visit_)(tensor);
    for (SparseTensorProto& sparse : *graph.mutable_sparse_initializer()) look_at(sparse);
    for (NodeProto& node : *graph.mutable_node()) look_at(node);
  }
  void look_at(NodeProto& node) const {
    for (AttributeProto& attribute : *node.mutable_attribute()) look_at(attribute);
  }
  void look_at(AttributeProto& attribute) const {
    if (attribute.has_t()) (*visit_)(*attribute.mutable_t());
    if (attribute.has_g()) look_at(*attribute.mutable_g());
    if (attribute.has_sparse_tensor()) look_at(*attribute.mutable_sparse_tensor());
    for (TensorProto& tensor : *attribute.mutable_tensors()) (*visit_)(tensor);
    for (GraphProto& graph : *attribute.mutable_graphs()) look_at(graph);
    for (SparseTensorProto& sparse : *attribute.mutable_sparse_tensors()) look_at(sparse);
  }
  void look_at(SparseTensorProto& sparse) const {
    if (sparse.has_values()) (*visit_)(*sparse.mutable_values());
    if (sparse.has_indices()) (*visit_)(*sparse.mutable_indices());
  }

  const Visit* visit_;
};

/// `raw_data` of a message that was borrowed when it was written.
class Weights {
 public:
  Weights(ModelProto& message, const Written& written) {
    std::vector<std::string_view> others;
    EachTensor([&](TensorProto& tensor) {
      const std::string& raw = tensor.raw_data();
      const std::optional<std::uint64_t> offset = raw.empty() ? std::nullopt : written.offset_of(raw);
      if (offset) {
        owners_.push_back({{*offset, raw.size()}, &tensor});
      } else if (raw.starts_with(kMark)) {
        others.push_back(raw);
      }
    })(message);
    std::ranges::sort(owners_, {}, [](const Owner& owner) { return owner.range.offset; });
    for (const Owner& owner : owners_) ranges_.push_back(owner.range);
    const auto is_taken = [&](std::string_view raw) { return raw.starts_with(mark_); };
    for (std::size_t i = 0; mark_.empty() || std::ranges::any_of(others, is_taken); ++i) {
      mark_ = std::string(kMark) + std::to_string(i) + ":";
    }
  }

  [[nodiscard]] std::span<const ByteRange> ranges() const noexcept { return ranges_; }
  /// With which no other `raw_data` of the message begins.
  [[nodiscard]] std::string_view mark() const noexcept { return mark_; }

  /// Where `raw_data` of the other message is the mark and a number, that range takes its place.
  void move_to(ModelProto& other) {
    std::vector<Place> places;
    EachTensor([&](TensorProto& tensor) {
      if (const std::optional<std::size_t> number = number_in(tensor.raw_data())) places.push_back({&tensor, *number});
    })(other);
    // What two tensors share is copied first, and moves for the last of them: from there on nothing can fail.
    std::vector<const Place*> last(owners_.size());
    for (const Place& place : places) last[place.number] = &place;
    for (const Place& place : places) {
      if (last[place.number] != &place) place.tensor->set_raw_data(owners_[place.number].tensor->raw_data());
    }
    for (const Place* place : last) {
      if (place == nullptr) continue;
      *place->tensor->mutable_raw_data() = std::move(*owners_[place->number].tensor->mutable_raw_data());
    }
  }

 private:
  static constexpr std::string_view kMark = "\x01trtcheck";
  struct Owner {
    ByteRange range;
    TensorProto* tensor;
  };
  struct Place {
    TensorProto* tensor;
    std::size_t number;
  };

  [[nodiscard]] std::optional<std::size_t> number_in(std::string_view raw) const {
    if (!raw.starts_with(mark_)) return std::nullopt;
    std::size_t number = 0;
    const char* end = raw.data() + raw.size();
    const auto [rest, failed] = std::from_chars(raw.data() + mark_.size(), end, number);
    if (failed != std::errc() || rest != end || number >= owners_.size()) return std::nullopt;
    return number;
  }

  std::vector<Owner> owners_;
  std::vector<ByteRange> ranges_;
  std::string mark_;
};

/// Makes the message what was made of it; weights move. What throws leaves it as it was.
/// @param changed  `Fixed`, `Simplified` or `Annotated`, of `written`
template <class Changed>
void take_over(ModelProto& message, const Written& written, const Changed& changed) {
  // As deep as the reader goes: three messages for each graph, and types.
  constexpr int kDeepest = 512;
  Weights weights(message, written);
  const std::string bytes = changed.bytes_without(weights.ranges(), weights.mark());
  // On the arena of the message, if it has one: only then swapping copies nothing.
  auto* const arena = message.GetArena();
  ModelProto* const next = message.New(arena);
  const std::unique_ptr<ModelProto> owned(arena == nullptr ? next : nullptr);
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                               static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
  input.SetRecursionLimit(kDeepest);
  if (bytes.size() > INT_MAX || !next->ParsePartialFromCodedStream(&input)) {
    throw Error("", "protobuf cannot read the changed model");
  }
  weights.move_to(*next);
  message.Swap(next);
}

}  // namespace trtcheck::proto

#pragma GCC visibility pop
