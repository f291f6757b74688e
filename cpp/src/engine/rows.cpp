#include "engine/rows.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "facts/dispatch.hpp"
#include "rules/claims.hpp"
#include "rules/list.hpp"
#include "rules/ops/seen.hpp"
#include "shapes/known_values.hpp"
#include "target/dla.hpp"
#include "target/release_span.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"

namespace trtcheck::engine {
namespace {

using checks::Row;
using checks::Subject;

/// "1, 2 or 4"; texts in backticks.
std::string allowed_values(const Row& row, bool as_text = false) {
  std::vector<std::string> values;
  for (const std::string_view value : row.allowed)
    values.push_back(as_text ? fmt::format("`{}`", value) : std::string(value));
  return alternatives(values);
}

/// The attribute's value as a row writes it, of a list each; empty for tensors and graphs.
std::vector<std::string> value_texts(const Attribute& attribute) {
  std::vector<std::string> texts;
  if (attribute.type == AttributeType::int_) texts.push_back(std::to_string(attribute.i()));
  if (attribute.type == AttributeType::float_) texts.push_back(fmt::format("{}", attribute.f()));
  if (attribute.type == AttributeType::string) texts.emplace_back(attribute.s());
  if (attribute.type == AttributeType::ints) {
    for (const std::int64_t value : attribute.ints()) texts.push_back(std::to_string(value));
  }
  return texts;
}

/// Messages and remedies of rows that have none of their own.
class Teller {
 public:
  Teller(rules::RuleContext& context, const Row& row, const NodeFacts& node)
      : context_(&context), row_(&row), node_(&node), op_(node.node().op_type), label_(context.label(node.id())) {}

  rules::FindingBuilder add() {
    if (!row_->message.empty()) return own_message();
    switch (row_->subject) {
      case Subject::attribute_value:
      case Subject::attribute_type:
      case Subject::attribute_absent:
        return about_attribute();
      case Subject::constant:
        return about_constant("an initializer or a Constant");
      case Subject::folded:
        return about_constant("something that follows from constants");
      case Subject::output_absent:
        return about_output();
      default:
        return about_input();
    }
  }

 private:
  rules::FindingBuilder own_message() {
    rules::FindingBuilder finding = context_->add(checks::message(*row_, *node_));
    if (row_->index != checks::kNone) finding.value(input_name());
    return finding;
  }

  rules::FindingBuilder about_attribute() {
    const std::string_view name = row_->attribute;
    if (row_->subject == Subject::attribute_absent) {
      return context_
          ->add(fmt::format("{} `{}` has the attribute `{}`, which TensorRT {} refuses", op_, label_, name, release()))
          .fix(fmt::format("remove `{}` when it has its default value, else compute the same with other operators",
                           name));
    }
    const Attribute* attribute = node_->node().attribute(name);
    if (row_->subject == Subject::attribute_type) {
      const std::string asked = attribute == nullptr ? "?" : to_string(static_cast<DataType>(attribute->i()));
      return context_
          ->add(fmt::format("attribute `{}` of {} `{}` asks for {}, TensorRT {} takes {}", name, op_, label_, asked,
                            release(), allowed_values(*row_)))
          .fix("ask for a type that TensorRT takes and cast the result");
    }
    const bool is_text = attribute == nullptr || attribute->type == AttributeType::string;
    const bool is_list = attribute != nullptr && attribute->type == AttributeType::ints;
    const std::string allowed = allowed_values(*row_, is_text);
    return context_
        ->add(fmt::format("attribute `{}` of {} `{}` {} {}, TensorRT {} takes {}", name, op_, label_,
                          is_list ? "holds" : "is", refused_value(attribute), release(), allowed))
        .fix(fmt::format("use {} for `{}`, or compute the same with other operators", allowed, name));
  }

  [[nodiscard]] std::string refused_value(const Attribute* attribute) const {
    if (attribute == nullptr) return "left out";
    const std::vector<std::string> values = value_texts(*attribute);
    const auto refused = std::ranges::find_if(values, [&](const std::string& value) {
      return std::ranges::find(row_->allowed, value) == row_->allowed.end();
    });
    const std::string value = refused == values.end() ? "?" : *refused;
    return attribute->type == AttributeType::string ? "`" + value + "`" : value;
  }

  rules::FindingBuilder about_constant(std::string_view needed) {
    const ValueId input = node_->input(row_->index);
    const Node* producer = context_->producer(input);
    const std::string origin = producer == nullptr
                                   ? "is no constant"
                                   : fmt::format("is computed by {} `{}`", producer->op_type,
                                                 context_->label(context_->model().value(input).producer));
    rules::FindingBuilder finding =
        context_->add(fmt::format("input {} `{}` of {} `{}` {}, TensorRT {} needs {} there", row_->index,
                                  context_->name(input), op_, label_, origin, release(), needed));
    finding.value(context_->name(input));
    if (context_->shapes().folds_to_constant(input)) {
      return finding
          .note("its value is constant all the same: folding constants before the conversion removes the obstacle")
          .fix("fold constants (onnxsim, or polygraphy surgeon sanitize --fold-constants)");
    }
    return finding.fix(fmt::format("make `{}` a constant when exporting", context_->name(input)),
                       context_->model().value(input).producer);
  }

  rules::FindingBuilder about_output() {
    const Value& value = context_->model().value(node_->output(row_->index));
    const bool is_used = !value.users.empty() || value.is_output;
    return context_
        ->add(fmt::format("{} `{}` has the output {} `{}`, which TensorRT {} does not produce", op_, label_,
                          row_->index, value.name, release()))
        .value(value.name)
        .fix(is_used ? fmt::format("compute `{}` with other operators", value.name)
                     : fmt::format("remove the output `{}`: nobody reads it", value.name));
  }

  rules::FindingBuilder about_input() {
    const std::string_view name = input_name();
    if (row_->subject == Subject::input_absent) {
      return context_
          ->add(fmt::format("{} `{}` has the optional input {} `{}`, which TensorRT {} refuses", op_, label_,
                            row_->index, name, release()))
          .value(name)
          .fix("export the model without it");
    }
    const std::string whose = fmt::format("input {} `{}` of {} `{}`", row_->index, name, op_, label_);
    const ValueShape& shape = context_->shape(node_->node().input(row_->index));
    if (row_->subject == Subject::type_in || row_->subject == Subject::type_not_in) {
      const std::string remark = row_->subject == Subject::type_in
                                     ? fmt::format(", TensorRT {} takes {}", release(), allowed_values(*row_))
                                     : fmt::format(", which TensorRT {} refuses", release());
      return context_->add(fmt::format("{} is {}{}", whose, to_string(shape.type), remark))
          .value(name)
          .fix(type_remedy(shape.type));
    }
    const std::string_view bound = row_->subject == Subject::rank_at_least  ? "at least "
                                   : row_->subject == Subject::rank_at_most ? "at most "
                                                                            : "";
    return context_
        ->add(fmt::format("{} has rank {}, TensorRT {} takes rank {}{}", whose, shape.rank(), release(), bound,
                          allowed_values(*row_)))
        .value(name)
        .fix("reshape the input before the node, and the result behind it");
  }

  /// A cast to the nearest type that the row leaves open.
  [[nodiscard]] std::string type_remedy(DataType type) const {
    static constexpr std::pair<DataType, std::string_view> kFloats[] = {{DataType::float32, "FP32"},
                                                                        {DataType::float16, "FP16"}};
    static constexpr std::pair<DataType, std::string_view> kNumbers[] = {
        {DataType::int32, "INT32"}, {DataType::int64, "INT64"}, {DataType::float32, "FP32"}};
    const bool is_whole = shapes::is_countable(type);
    for (const auto& [to, in_network] :
         is_whole ? std::span<const std::pair<DataType, std::string_view>>(kNumbers) : kFloats) {
      const bool is_named = std::ranges::find(row_->allowed, in_network) != row_->allowed.end();
      if (is_named != (row_->subject == Subject::type_in)) continue;
      const bool rounds = is_whole && type != DataType::boolean && to == DataType::float32;
      return fmt::format("cast `{}` to {} before the node{}", input_name(), to_string(to),
                         rounds ? ", which is exact up to 2^24" : "");
    }
    return "compute the same with other operators";
  }

  [[nodiscard]] std::string release() const { return to_string(context_->target().release); }
  [[nodiscard]] std::string_view input_name() const { return context_->name(node_->node().input(row_->index)); }

  rules::RuleContext* context_;
  const Row* row_;
  const NodeFacts* node_;
  std::string_view op_;
  std::string label_;
};

bool is_about_rank(const Row& row) {
  return row.subject == Subject::rank_in || row.subject == Subject::rank_at_least ||
         row.subject == Subject::rank_at_most;
}

bool is_about_the_same(const Row& one, const Row& other) {
  const bool is_about_node = one.attribute.empty() && one.index == checks::kNone;
  return !is_about_node && one.attribute == other.attribute && one.index == other.index;
}

int weight(checks::Effect effect) {
  switch (effect) {
    case checks::Effect::refuse:
      return 4;
    case checks::Effect::change:
    case checks::Effect::ignore:
      return 3;
    case checks::Effect::document:
      return 2;
    case checks::Effect::slow:
    case checks::Effect::fallback:
      break;
  }
  return 1;
}

}  // namespace

const Rule& rule_of(const Row& row) noexcept {
  switch (row.effect) {
    case checks::Effect::change:
      return rules::silently_different;
    case checks::Effect::ignore:
      return rules::silently_ignored;
    case checks::Effect::slow:
      return rules::slow_form;
    case checks::Effect::document:
      return rules::documented_limit;
    case checks::Effect::fallback:
      return rules::dla_fallback;
    case checks::Effect::refuse:
      break;
  }
  return rules::form_unsupported;
}

std::string code_of(const Row& row) { return fmt::format("{}:{}", rule_of(row).code, row.id); }

RowsOfRun::RowsOfRun(const Target& target, std::span<const Rule* const> rules, bool is_all)
    : release_(known_release(target.release)), is_strong_(is_strongly_typed(target)), is_all_(is_all) {
  if (may_run_on_dla(target) && (is_all || std::ranges::find(rules, &rules::dla_fallback) != rules.end())) {
    told_.push_back(&rules::dla_fallback);
  }
  if (is_all) return;
  for (const Rule* rule : {&rules::form_unsupported, &rules::silently_different, &rules::silently_ignored,
                           &rules::slow_form, &rules::documented_limit}) {
    if (std::ranges::find(rules, rule) != rules.end()) told_.push_back(rule);
  }
}

std::vector<const Row*> RowsOfRun::of(const OperatorFacts& op) const {
  std::vector<const Row*> found;
  if (op.handler != Handler::importer) return found;
  for (const Row& row : checks::rows_of(op.op_type)) {
    if (row.holds(release_, op.opset, is_strong_) && is_run(rule_of(row))) found.push_back(&row);
  }
  return found;
}

bool RowsOfRun::is_run(const Rule& rule) const noexcept {
  if (is_all_ && &rule != &rules::dla_fallback) return true;
  return std::ranges::find(told_, &rule) != told_.end();
}

std::optional<Speaker> ask(const Row& row, const NodeFacts& node) {
  const checks::Outcome outcome = checks::evaluate(row, node);
  const bool is_doubtful = outcome.holds == Truth::unknown && row.tells_unknown && !outcome.is_absent;
  if (outcome.holds != Truth::yes && !is_doubtful) return std::nullopt;
  return Speaker{&row, outcome};
}

void overrule(std::vector<Speaker>& speakers, bool has_conflict) {
  if (has_conflict) std::erase_if(speakers, [](const Speaker& one) { return is_about_rank(*one.row); });
  if (speakers.size() < 2) return;
  const std::vector<Speaker> all = speakers;
  std::erase_if(speakers, [&](const Speaker& one) {
    return std::ranges::any_of(all, [&](const Speaker& other) {
      return other.outcome.holds == Truth::yes && is_about_the_same(*one.row, *other.row) &&
             weight(other.row->effect) > weight(one.row->effect);
    });
  });
}

void tell(rules::RuleContext& context, const Speaker& speaker, const NodeFacts& node) {
  const Row& row = *speaker.row;
  rules::FindingBuilder finding = Teller(context, row, node).add();
  finding.fact(row.id);
  for (const std::string& words : evidence::words_of(row.evidence)) finding.evidence(words);
  if (!row.source.empty()) finding.evidence(row.source);
  if (!row.remedy.empty()) finding.fix(std::string(row.remedy));
  if (rule_of(row).certainty == Certainty::proven) rules::rest_on(context, finding, row.evidence);
  if (speaker.outcome.holds != Truth::yes) finding.severity(Severity::warning).certainty(Certainty::likely);
  if (speaker.outcome.is_claimed) {
    rules::rests_on_claim(finding, is_about_rank(row) ? "the rank" : "one of the shapes");
  } else if (speaker.outcome.differs && row.effect == checks::Effect::refuse) {
    rules::rests_on_size_of_onnx(finding);
  }
}

}  // namespace trtcheck::engine
