#include "facts/fact.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "facts/fact_data.hpp"
#include "text/name_index.hpp"

namespace trtcheck::facts {
namespace {

// "and all later ones"
constexpr std::int64_t kAnyOpset = 1 << 30;

#include "facts.inc"

static_assert(std::ranges::is_sorted(kFacts, {}, &FactData::op));

using FactsByOp = NameIndex<kFacts, [](const FactData& fact) { return fact.op; }>;

TrtVersion release_at(std::size_t index) noexcept {
  const std::size_t count = known_releases().size();
  return index < count ? known_releases()[index] : known_rtx_releases()[index - count];
}

Fact made(const FactData& data) noexcept {
  return {.op = data.op,
          .id = data.id,
          .effect = data.effect,
          .subject = data.subject,
          .attribute = data.attribute,
          .index = data.index,
          .allowed = std::span(kTexts).subspan(data.allowed, data.allowed_count),
          .first = release_at(data.first),
          .last = release_at(data.last),
          .opset_min = data.opset_min,
          .opset_max = data.opset_max == kAnyOpset ? 0 : data.opset_max,
          .network = data.network,
          .of_plugin = data.of_plugin,
          .gpu_first = data.gpu_first,
          .gpu_last = data.gpu_last,
          .condition = data.condition,
          .words = data.words,
          .sentence = data.sentence,
          .tells_unknown = data.tells_unknown,
          .refused_by = data.refused_by,
          .message = std::span(kPieces).subspan(data.message, data.message_count),
          .says = data.says,
          .remedy = data.fix,
          .evidence = {.read = data.read_first == kNone ? std::nullopt
                                                        : std::optional(evidence::Span{release_at(data.read_first),
                                                                                       release_at(data.read_last)}),
                       .measured = std::span(kMeasured).subspan(data.measured, data.measured_count),
                       .reported = std::span(kTexts).subspan(data.reported, data.reported_count)},
          .source = data.source,
          .example = data.example,
          .near = data.near,
          .model_opset = data.model_opset};
}

/// That version of TensorRT-RTX was seen to accept such models: it is ahead of the branch that it is of.
bool is_refuted(std::span<const evidence::Measurement> measured, TrtVersion known) noexcept {
  return std::ranges::any_of(measured, [known](const evidence::Measurement& one) {
    return one.verdict == evidence::Verdict::accepted && one.first <= known && known <= one.last;
  });
}

}  // namespace

bool Fact::holds(TrtVersion known, std::int64_t opset, bool is_strong) const noexcept {
  if (known < first || last < known) return false;
  if (network != Network::any && (network == Network::strongly_typed) != is_strong) return false;
  // What holds in TensorRT holds in the TensorRT-RTX that is like it, and not the other way round.
  if (first.product == Product::rtx && known.product != Product::rtx) return false;
  if (known.product == Product::rtx && is_refuted(evidence.measured, known)) return false;
  if (opset == 0) return opset_min == 1 && opset_max == 0;
  return opset_min <= opset && (opset_max == 0 || opset <= opset_max);
}

std::span<const Fact> facts_of(std::string_view op_type) {
  const std::span<const FactData> found = FactsByOp::find(op_type);
  if (found.empty()) return {};
  return all_facts().subspan(static_cast<std::size_t>(found.data() - kFacts), found.size());
}

std::span<const Fact> all_facts() {
  static const std::vector<Fact> facts = [] {
    std::vector<Fact> made_facts;
    made_facts.reserve(std::size(kFacts));
    for (const FactData& data : kFacts) made_facts.push_back(made(data));
    return made_facts;
  }();
  return facts;
}

std::span<const Expression> expressions() noexcept { return kExpressions; }

}  // namespace trtcheck::facts
