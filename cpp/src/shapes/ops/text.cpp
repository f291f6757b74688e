// Operators on words.
#include <algorithm>

#include <fmt/core.h>

#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

namespace {

/// [C] and [N,C] are what these operators take.
bool is_line_or_table(OpContext& op) {
  if (!op.has_rank(0)) return false;
  const std::size_t rank = op.rank(0);
  if (rank != 1 && rank != 2) op.conflict(fmt::format("rank {}, 1 or 2 is required", rank), op.node().input(0));
  return rank == 1 || rank == 2;
}

}  // namespace

void infer_string_normalizer(OpContext& op) {
  if (!is_line_or_table(op)) return op.set_type(0, DataType::string, {});
  const Dim given = op.in(0).dims.back();
  const Attribute* stopwords = op.attr("stopwords");
  const bool keeps_all = stopwords == nullptr || stopwords->strings().empty();
  // One empty word stands for none.
  const Dim most = op.dims().max(given, op.literal(1));
  const Dim words = keeps_all ? most
                              : op.unknown("stop words are left out", static_cast<std::int32_t>(op.rank(0)) - 1,
                                           {1, op.dims().bounds(most).high});
  if (op.rank(0) == 1) return op.set(0, DataType::string, {words});
  (void)op.require_equal(op.dim(0, 0), op.literal(1), "StringNormalizer accepts one line");
  op.set(0, DataType::string, {op.literal(1), words});
}

void infer_tfidf_vectorizer(OpContext& op) {
  if (!is_line_or_table(op)) return op.set_type(0, DataType::float32, {});
  const auto indexes = op.attr_ints("ngram_indexes");
  if (!indexes || indexes->empty() || std::ranges::min(*indexes) < 0) {
    op.conflict("attribute `ngram_indexes` has to state numbers, none of them negative");
    return op.set_type(0, DataType::float32, "the n-grams are not known");
  }
  const Dim columns = op.dims().add(op.literal(std::ranges::max(*indexes)), op.literal(1));
  if (op.rank(0) == 1) return op.set(0, DataType::float32, {columns});
  op.set(0, DataType::float32, {op.dim(0, 0), columns});
}

void infer_string_split(OpContext& op) {
  if (!op.has_rank(0)) {
    op.set_type(1, DataType::int64, {});
    return op.set_type(0, DataType::string, {});
  }
  op.set(1, DataType::int64, op.in(0).dims);
  std::vector<Dim> out(op.in(0).dims.begin(), op.in(0).dims.end());
  const std::int64_t splits = op.attr_int("maxsplit", -1);
  const Interval range{0, splits >= 0 && splits < Interval::kMax ? splits + 1 : Interval::kMax};
  out.push_back(
      op.unknown("as many columns as the longest line has parts", static_cast<std::int32_t>(out.size()), range));
  op.set(0, DataType::string, out);
}

}  // namespace trtcheck::shapes
