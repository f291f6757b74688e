#include "engine/tell_facts.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "rules/claims.hpp"
#include "rules/list.hpp"
#include "rules/ops/rest_on.hpp"
#include "shapes/known_values.hpp"
#include "target/dla.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::engine {
namespace {

using facts::Fact;
using facts::Subject;

/// "1, 2 or 4"; texts in backticks.
std::string allowed_values(const Fact& fact, bool as_text = false) {
  std::vector<std::string> values;
  for (const std::string_view value : fact.allowed)
    values.push_back(as_text ? fmt::format("`{}`", value) : std::string(value));
  return alternatives(values);
}

/// The attribute's value as a fact writes it, of a list each; empty for tensors and graphs.
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

/// Messages and remedies of facts that have none of their own.
class Teller {
 public:
  Teller(rules::RuleContext& context, const Fact& fact, const NodeView& node)
      : context_(&context), fact_(&fact), node_(&node), op_(node.node().op_type), label_(context.label(node.id())) {}

  rules::FindingBuilder add() {
    if (!fact_->message.empty()) return own_message();
    switch (fact_->subject) {
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
    rules::FindingBuilder finding = context_->add(facts::message(*fact_, *node_));
    if (fact_->index != facts::kNone) finding.value(input_name());
    return finding;
  }

  rules::FindingBuilder about_attribute() {
    const std::string_view name = fact_->attribute;
    if (fact_->subject == Subject::attribute_absent) {
      return context_
          ->add(fmt::format("{} `{}` has the attribute `{}`, which {} refuses", op_, label_, name, release()))
          .fix(fmt::format("remove `{}` when it has its default value, else compute the same with other operators",
                           name));
    }
    const Attribute* attribute = node_->node().attribute(name);
    if (fact_->subject == Subject::attribute_type) {
      const std::string asked = attribute == nullptr ? "?" : to_string(static_cast<DataType>(attribute->i()));
      return context_
          ->add(fmt::format("attribute `{}` of {} `{}` asks for {}, {} accepts {}", name, op_, label_, asked, release(),
                            allowed_values(*fact_)))
          .fix("ask for a type that TensorRT accepts and cast the result");
    }
    const bool is_text = attribute == nullptr || attribute->type == AttributeType::string;
    const bool is_list = attribute != nullptr && attribute->type == AttributeType::ints;
    const std::string allowed = allowed_values(*fact_, is_text);
    return context_
        ->add(fmt::format("attribute `{}` of {} `{}` {} {}, {} accepts {}", name, op_, label_, is_list ? "holds" : "is",
                          refused_value(attribute), release(), allowed))
        .fix(fmt::format("use {} for `{}`, or compute the same with other operators", allowed, name));
  }

  [[nodiscard]] std::string refused_value(const Attribute* attribute) const {
    if (attribute == nullptr) return "left out";
    const std::vector<std::string> values = value_texts(*attribute);
    const auto refused = std::ranges::find_if(values, [&](const std::string& value) {
      return std::ranges::find(fact_->allowed, value) == fact_->allowed.end();
    });
    const std::string value = refused == values.end() ? "?" : *refused;
    return attribute->type == AttributeType::string ? "`" + value + "`" : value;
  }

  rules::FindingBuilder about_constant(std::string_view needed) {
    const ValueId input = node_->input(fact_->index);
    const Node* producer = context_->producer(input);
    const std::string origin = producer == nullptr
                                   ? "is no constant"
                                   : fmt::format("is computed by {} `{}`", producer->op_type,
                                                 context_->label(context_->model().value(input).producer));
    rules::FindingBuilder finding =
        context_->add(fmt::format("input {} `{}` of {} `{}` {}, {} needs {} there", fact_->index, context_->name(input),
                                  op_, label_, origin, release(), needed));
    finding.value(context_->name(input));
    if (context_->shapes().folds_to_constant(input)) {
      return finding
          .note("its value is constant all the same: folding constants before the conversion removes the obstacle")
          .fix("fold constants: `trtcheck simplify` writes down what it computes");
    }
    return finding.fix(fmt::format("make `{}` a constant when exporting", context_->name(input)),
                       context_->model().value(input).producer);
  }

  rules::FindingBuilder about_output() {
    const Value& value = context_->model().value(node_->output(fact_->index));
    const bool is_used = !value.users.empty() || value.is_output;
    return context_
        ->add(fmt::format("{} `{}` has the output {} `{}`, which {} does not produce", op_, label_, fact_->index,
                          value.name, release()))
        .value(value.name)
        .fix(is_used ? fmt::format("compute `{}` with other operators", value.name)
                     : fmt::format("remove the output `{}`: nobody reads it", value.name));
  }

  rules::FindingBuilder about_input() {
    const std::string_view name = input_name();
    if (fact_->subject == Subject::input_absent) {
      return context_
          ->add(fmt::format("{} `{}` has the optional input {} `{}`, which {} refuses", op_, label_, fact_->index, name,
                            release()))
          .value(name)
          .fix("export the model without it");
    }
    const std::string whose = fmt::format("input {} `{}` of {} `{}`", fact_->index, name, op_, label_);
    const ValueShape& shape = context_->shape(node_->node().input(fact_->index));
    if (fact_->subject == Subject::type_in || fact_->subject == Subject::type_not_in) {
      const std::string remark = fact_->subject == Subject::type_in
                                     ? fmt::format(", {} accepts {}", release(), allowed_values(*fact_))
                                     : fmt::format(", which {} refuses", release());
      return context_->add(fmt::format("{} is {}{}", whose, to_string(shape.type), remark))
          .value(name)
          .fix(type_remedy(shape.type));
    }
    const std::string_view bound = fact_->subject == Subject::rank_at_least  ? "at least "
                                   : fact_->subject == Subject::rank_at_most ? "at most "
                                                                             : "";
    return context_
        ->add(fmt::format("{} has rank {}, {} accepts rank {}{}", whose, shape.rank(), release(), bound,
                          allowed_values(*fact_)))
        .value(name)
        .fix("reshape the input before the node, and the result after it");
  }

  /// A cast to the nearest type that the fact leaves open.
  [[nodiscard]] std::string type_remedy(DataType type) const {
    static constexpr std::pair<DataType, std::string_view> kFloats[] = {{DataType::float32, "FP32"},
                                                                        {DataType::float16, "FP16"}};
    static constexpr std::pair<DataType, std::string_view> kNumbers[] = {
        {DataType::int32, "INT32"}, {DataType::int64, "INT64"}, {DataType::float32, "FP32"}};
    const bool is_whole = shapes::is_countable(type);
    for (const auto& [to, in_network] :
         is_whole ? std::span<const std::pair<DataType, std::string_view>>(kNumbers) : kFloats) {
      const bool is_named = std::ranges::find(fact_->allowed, in_network) != fact_->allowed.end();
      if (is_named != (fact_->subject == Subject::type_in)) continue;
      const bool rounds = is_whole && type != DataType::boolean && to == DataType::float32;
      return fmt::format("cast `{}` to {} before the node{}", input_name(), to_string(to),
                         rounds ? ", which is exact up to 2^24" : "");
    }
    return "compute the same with other operators";
  }

  [[nodiscard]] std::string release() const { return context_->release().name(); }
  [[nodiscard]] std::string_view input_name() const { return context_->name(node_->node().input(fact_->index)); }

  rules::RuleContext* context_;
  const Fact* fact_;
  const NodeView* node_;
  std::string_view op_;
  std::string label_;
};

bool is_about_rank(const Fact& fact) {
  return fact.subject == Subject::rank_in || fact.subject == Subject::rank_at_least ||
         fact.subject == Subject::rank_at_most;
}

bool is_about_the_same(const Fact& one, const Fact& other) {
  const bool is_about_node = one.attribute.empty() && one.index == facts::kNone;
  return !is_about_node && one.attribute == other.attribute && one.index == other.index;
}

int weight(facts::Effect effect) {
  switch (effect) {
    case facts::Effect::refuse:
      return 4;
    case facts::Effect::change:
    case facts::Effect::ignore:
      return 3;
    case facts::Effect::document:
      return 2;
    case facts::Effect::slow:
    case facts::Effect::fallback:
      break;
  }
  return 1;
}

}  // namespace

const Rule& rule_of(const Fact& fact) noexcept {
  switch (fact.effect) {
    case facts::Effect::change:
      return rules::silently_different::rule;
    case facts::Effect::ignore:
      return rules::silently_ignored::rule;
    case facts::Effect::slow:
      return rules::slow_form::rule;
    case facts::Effect::document:
      return rules::documented_limit::rule;
    case facts::Effect::fallback:
      return rules::dla_fallback::rule;
    case facts::Effect::refuse:
      break;
  }
  return rules::form_unsupported::rule;
}

std::string code_of(const Fact& fact) { return fmt::format("{}:{}", rule_of(fact).code, fact.id); }

FactsOfRun::FactsOfRun(const rules::RuleContext::Run& run, const Target& target, std::span<const Rule* const> rules,
                       bool is_all)
    : operators_(&run.view.operators),
      alike_(run.partition.parts_by(rules::form_unsupported::rule.gates)),
      gpu_(target.compute_capability),
      is_all_(is_all),
      rules_(rules) {
  for (const TrtVersion release : run.releases) {
    const ReleaseView view(release);
    releases_.push_back(
        {known_release(release), is_strongly_typed(view, target.strongly_typed), may_run_on_dla(target, view)});
  }
}

ReleaseSet FactsOfRun::holding(const Fact& fact, std::size_t op) const {
  if (!fact.holds_on(gpu_)) return 0;
  const bool is_fallback = &rule_of(fact) == &rules::dla_fallback::rule;
  const Handler handler = fact.of_plugin ? Handler::builtin_plugin : Handler::importer;
  const std::int64_t opset = operators_->all()[op].opset;
  ReleaseSet found = 0;
  for (std::size_t i = 0; i < releases_.size(); ++i) {
    const Release& release = releases_[i];
    const bool holds = operators_->handler(i, op) == handler && fact.holds(release.known, opset, release.is_strong) &&
                       (!is_fallback || release.has_dla);
    if (holds) found |= ReleaseSet{1} << i;
  }
  return found;
}

std::vector<FactPart> FactsOfRun::of(std::size_t op) const {
  std::vector<FactPart> found;
  for (const Fact& fact : facts::facts_of(operators_->all()[op].op_type)) {
    const ReleaseSet holds = holding(fact, op);
    if (holds == 0 || !is_run(rule_of(fact))) continue;
    for (std::uint32_t group = 0; group < alike_.size(); ++group) {
      const ReleaseSet releases = holds & alike_[group];
      if (releases != 0) found.push_back({&fact, &rule_of(fact), releases, group});
    }
  }
  return found;
}

bool FactsOfRun::is_run(const Rule& rule) const noexcept {
  return is_all_ || std::ranges::find(rules_, &rule) != rules_.end();
}

bool is_heard(const Fact& fact, const facts::Outcome& outcome) noexcept {
  const bool is_doubtful = outcome.holds == Truth::unknown && fact.tells_unknown && !outcome.is_absent;
  return outcome.holds == Truth::yes || is_doubtful;
}

std::vector<ReleaseSet> parts_of_evidence(const Fact& fact, ReleaseSet among, std::span<const TrtVersion> releases) {
  std::vector<ReleaseSet> parts;
  std::vector<std::pair<Product, std::string>> bases;
  for_each_release(among, [&](std::size_t i) {
    std::pair basis(releases[i].product, evidence::basis_of(fact.evidence, releases[i], kReleaseName));
    const auto same = static_cast<std::size_t>(std::ranges::find(bases, basis) - bases.begin());
    if (same == bases.size()) {
      bases.push_back(std::move(basis));
      parts.push_back(0);
    }
    parts[same] |= ReleaseSet{1} << i;
  });
  return parts;
}

void overrule(std::vector<Speaker>& speakers, bool has_conflict) {
  if (has_conflict) std::erase_if(speakers, [](const Speaker& one) { return is_about_rank(*one.fact); });
  if (speakers.size() < 2) return;
  const std::vector<Speaker> all = speakers;
  for (Speaker& one : speakers) {
    for (const Speaker& other : all) {
      const bool outweighs = other.outcome.holds == Truth::yes && is_about_the_same(*one.fact, *other.fact) &&
                             weight(other.fact->effect) > weight(one.fact->effect);
      if (outweighs) one.releases &= ~other.releases;
    }
  }
  std::erase_if(speakers, [](const Speaker& one) { return one.releases == 0; });
}

void tell(rules::RuleContext& context, const Speaker& speaker, const NodeView& node) {
  const Fact& fact = *speaker.fact;
  rules::FindingBuilder finding = Teller(context, fact, node).add();
  finding.fact(fact.id);
  for (const std::string& words : evidence::words_of(fact.evidence)) finding.evidence(words);
  if (!fact.source.empty()) finding.evidence(fact.source);
  if (!fact.remedy.empty()) finding.fix(std::string(fact.remedy));
  if (rule_of(fact).certainty == Certainty::proven) rules::rest_on(context, finding, fact.evidence);
  if (speaker.outcome.holds != Truth::yes) finding.severity(Severity::warning).certainty(Certainty::likely);
  if (speaker.outcome.is_claimed) {
    rules::rests_on_claim(finding, is_about_rank(fact) ? "the rank" : "one of the shapes");
  } else if (speaker.outcome.differs && fact.effect == facts::Effect::refuse) {
    rules::rests_on_size_of_onnx(finding);
  }
}

}  // namespace trtcheck::engine
