// Classical machine learning (ai.onnx.ml): TensorRT takes none of it; shapes and types are followed all the same.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "shapes/ops/helpers.hpp"
#include "shapes/shapes_impl.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kTrained = "the number of scores depends on the trained parameters";

/// STRING when the operator lists strings in that attribute, else INT64.
DataType label_type(OpContext& op, std::string_view strings) {
  const Attribute* labels = op.attr(strings);
  return labels != nullptr && !labels->strings().empty() ? DataType::string : DataType::int64;
}

std::size_t length_of(const Attribute* list) {
  if (list == nullptr) return 0;
  return std::max({list->strings().size(), list->ints().size(), list->floats().size()});
}

/// Numbers and words that stand for each other.
void check_pairs(OpContext& op) {
  const Attribute* words = op.attr("cats_strings");
  const Attribute* numbers = op.attr("cats_int64s");
  if (words != nullptr && numbers != nullptr && length_of(words) == length_of(numbers)) return;
  op.standard_forbids(fmt::format("attributes `cats_strings` and `cats_int64s` have {} and {} entries",
                                  length_of(words), length_of(numbers)));
}

/// How many labels a classifier names, in either kind.
std::size_t label_count(OpContext& op, std::string_view strings, std::string_view ints) {
  const Attribute* words = op.attr(strings);
  if (words != nullptr && !words->strings().empty()) return words->strings().size();
  return op.attr_ints(ints).value_or(std::span<const std::int64_t>{}).size();
}

/// Rows of the input; a vector is one.
Dim samples(OpContext& op) {
  if (op.has_rank(0) && op.rank(0) == 2) return op.dim(0, 0);
  return op.has_rank(0) && op.rank(0) == 1 ? op.literal(1) : op.unknown("the batch size is not known", 0);
}

}  // namespace

/// Imputer, Binarizer, Normalizer, Scaler: element by element. The last two give FLOAT.
void infer_elementwise_to_float(OpContext& op) { set_like_typed(op, DataType::float32); }

/// The last axis is replaced by what the indices pick.
void infer_array_feature_extractor(OpContext& op) {
  if (!op.has_rank(0) || op.rank(0) < 2)
    return op.set_type(0, op.type(0), op.has_rank(0) ? "ONNX leaves open what comes of one axis" : "");
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  const auto picked = op.element_count(1);
  out.back() =
      picked ? *picked : op.unknown("the number of indices is not known", static_cast<std::int32_t>(out.size()) - 1);
  op.set(0, op.type(0), out);
}

/// What a map holds is not followed: the node says the type.
void infer_cast_map(OpContext& op) {
  const std::string_view to = op.attr_string("cast_to", "TO_FLOAT");
  const DataType type = to == "TO_FLOAT"    ? DataType::float32
                        : to == "TO_INT64"  ? DataType::int64
                        : to == "TO_STRING" ? DataType::string
                                            : DataType::undefined;
  op.set_type(0, type, "contents of maps are not followed");
}

void infer_dict_vectorizer(OpContext& op) { op.set_type(0, DataType::undefined, "contents of maps are not followed"); }

/// One row per sample: as many values of each input as the node states.
void infer_feature_vectorizer(OpContext& op) {
  const auto sizes = op.attr_ints("inputdimensions");
  Dim total = op.literal(0);
  for (const std::int64_t size : sizes.value_or(std::span<const std::int64_t>{})) {
    total = op.dims().add(total, op.literal(size));
  }
  if (!sizes) total = op.unknown("attribute `inputdimensions` is missing", 1);
  op.set(0, DataType::float32, {samples(op), total});
}

/// CategoryMapper, and LabelEncoder of version 1: words to numbers or numbers to words.
void infer_category_mapper(OpContext& op) {
  if (op.node().op_type == "CategoryMapper") check_pairs(op);
  const DataType from = op.type(0);
  set_like_typed(op, from == DataType::string  ? DataType::int64
                     : from == DataType::int64 ? DataType::string
                                               : DataType::undefined);
}

namespace {

/// One of the lists or the tensor of `values_` or `keys_`; a default that fits.
void check_label_encoder(OpContext& op) {
  const Attribute* stated = op.attr("default_tensor");
  if (stated == nullptr || !stated->t()) return;
  const Tensor& fallback = op.model().tensor(stated->t());
  if (fallback.dims.size() != 1 || fallback.dims[0] != 1) {
    op.standard_forbids("attribute `default_tensor` must have one axis with one element");
  }
  const Attribute* values = op.attr("values_tensor");
  if (values == nullptr || !values->t() || op.model().tensor(values->t()).type == fallback.type) return;
  op.standard_forbids("attributes `default_tensor` and `values_tensor` have different element types");
}

}  // namespace

void infer_label_encoder(OpContext& op) {
  check_label_encoder(op);
  struct Values {
    std::string_view name;
    DataType type;
  };
  constexpr std::array kLists{Values{"values_strings", DataType::string}, Values{"values_int64s", DataType::int64},
                              Values{"values_floats", DataType::float32}};
  DataType type = DataType::undefined;
  if (const Attribute* tensor = op.attr("values_tensor"); tensor != nullptr && tensor->t()) {
    type = op.model().tensor(tensor->t()).type;
  }
  for (const Values& values : kLists) {
    if (type == DataType::undefined && op.attr(values.name) != nullptr) type = values.type;
  }
  set_like_typed(op, type);
}

void infer_linear_classifier(OpContext& op) {
  const DataType type = label_type(op, "classlabels_strings");
  const bool fits = op.has_rank(0) && (op.rank(0) == 1 || op.rank(0) == 2);
  if (op.has_rank(0) && !fits) op.conflict("one or two axes are required", op.node().input(0));
  const Dim batch = !fits             ? op.unknown("the batch size is not known", 0)
                    : op.rank(0) == 1 ? op.literal(1)
                                      : op.dim(0, 0);
  op.set(0, type, {batch});
  const Attribute* intercepts = op.attr("intercepts");
  std::size_t classes = intercepts == nullptr ? 0 : intercepts->floats().size();
  // One intercept tells two classes apart.
  if (classes == 1 && label_count(op, "classlabels_strings", "classlabels_ints") == 2) classes = 2;
  const Dim scores = classes == 0 ? op.unknown(kTrained, 1) : op.literal(static_cast<std::int64_t>(classes));
  op.set(1, DataType::float32, {batch, scores});
}

/// Scores of support vector machines depend on what they were trained with.
void infer_classifier(OpContext& op) {
  op.set_type(0, label_type(op, "classlabels_strings"), kTrained);
  op.set_type(1, DataType::float32, kTrained);
}

/// One score per class and sample.
void infer_tree_ensemble_classifier(OpContext& op) {
  const std::size_t classes = label_count(op, "classlabels_strings", "classlabels_int64s");
  const Dim rows = samples(op);
  op.set(0, label_type(op, "classlabels_strings"), {rows});
  op.set(1, DataType::float32,
         {rows, classes == 0 ? op.unknown(kTrained, 1) : op.literal(static_cast<std::int64_t>(classes))});
}

void infer_regressor(OpContext& op) { op.set_type(0, DataType::float32, kTrained); }

namespace {

/// As many entries as nodes, or as leaves, and numbers of the input's type.
void check_tree(OpContext& op) {
  const auto elements = [&](std::string_view name) -> std::optional<std::int64_t> {
    const Attribute* stated = op.attr(name);
    if (stated == nullptr) return std::nullopt;
    if (stated->t()) return op.model().tensor(stated->t()).element_count();
    return static_cast<std::int64_t>(length_of(stated));
  };
  const auto check = [&](std::string_view name, std::string_view other) {
    const auto have = elements(name);
    const auto want = elements(other);
    if (!have || !want || *have == *want) return;
    op.standard_forbids(fmt::format("attributes `{}` and `{}` have {} and {} entries", name, other, *have, *want));
  };
  constexpr std::array<std::string_view, 6> kOfNodes{"nodes_modes",        "nodes_splits",    "nodes_truenodeids",
                                                     "nodes_falsenodeids", "nodes_trueleafs", "nodes_falseleafs"};
  for (const std::string_view name : kOfNodes) check(name, "nodes_featureids");
  check("leaf_weights", "leaf_targetids");
  for (const std::string_view name : {"nodes_splits", "leaf_weights"}) {
    const Attribute* stated = op.attr(name);
    if (stated == nullptr || !stated->t() || op.type(0) == DataType::undefined) continue;
    if (op.model().tensor(stated->t()).type == op.type(0)) continue;
    op.standard_forbids(fmt::format("attribute `{}` and input 0 have different element types", name));
  }
}

}  // namespace

void infer_tree_ensemble_regressor(OpContext& op) {
  op.set(0, DataType::float32, {samples(op), op.literal(std::max<std::int64_t>(op.attr_int("n_targets", 1), 1))});
}

void infer_linear_regressor(OpContext& op) {
  op.set(0, DataType::float32, {samples(op), op.literal(std::max<std::int64_t>(op.attr_int("targets", 1), 1))});
}

void infer_tree_ensemble(OpContext& op) {
  if (op.has_rank(0) && op.rank(0) != 2) {
    op.conflict("two axes are required", op.node().input(0));
    return op.set_type(0, op.type(0), "the input has no batch of rows");
  }
  check_tree(op);
  const Dim rows = op.has_rank(0) ? op.dim(0, 0) : op.unknown("the batch size is not known", 0);
  const std::int64_t targets = op.attr_int("n_targets", -1);
  op.set(0, op.type(0), {rows, targets >= 0 ? op.literal(targets) : op.unknown(kTrained, 1)});
}

/// One axis more: one column per category.
void infer_one_hot_encoder(OpContext& op) {
  if ((length_of(op.attr("cats_strings")) > 0) == (length_of(op.attr("cats_int64s")) > 0)) {
    op.standard_forbids("one of the attributes `cats_strings` and `cats_int64s` is required");
  }
  const std::size_t categories = label_count(op, "cats_strings", "cats_int64s");
  if (!op.has_rank(0)) return op.set_type(0, DataType::float32, {});
  DimVector out(op.in(0).dims.begin(), op.in(0).dims.end());
  out.push_back(op.literal(static_cast<std::int64_t>(categories)));
  op.set(0, DataType::float32, out);
}

/// A sequence of maps from labels to numbers.
void infer_zip_map(OpContext& op) {
  op.set_sequence(0, DataType::undefined);
  const bool has_words = length_of(op.attr("classlabels_strings")) > 0;
  if (has_words == (length_of(op.attr("classlabels_int64s")) > 0)) return;
  ValueShape map;
  map.kind = ValueShape::Kind::map;
  map.type = has_words ? DataType::string : DataType::int64;
  op.set_elements(0, {.counted = false, .each = {map}});
}

}  // namespace trtcheck::shapes
