#include "cure/state.hpp"

#include <utility>

#include <fmt/format.h>

#include "model/fetch.hpp"

namespace trtcheck::cure {
namespace {

void add_all(std::span<const Finding> findings, std::vector<const Finding*>& into) {
  std::vector<std::span<const Finding>> lists{findings};
  while (!lists.empty()) {
    const std::span<const Finding> list = lists.back();
    lists.pop_back();
    for (const Finding& finding : list) {
      into.push_back(&finding);
      if (!finding.consequences.empty()) lists.emplace_back(finding.consequences);
    }
  }
}

}  // namespace

SourceFile watched(Readable file, std::string base_dir) {
  auto has_failed = std::make_shared<bool>(false);
  const auto read = [inner = std::move(file.read), has_failed](std::uint64_t offset, std::span<std::byte> into) {
    try {
      inner(offset, into);
    } catch (const Error&) {
      *has_failed = true;
      throw;
    }
  };
  return {{.path = std::move(file.path), .size = file.size, .read = read}, std::move(base_dir), std::move(has_failed)};
}

Model model_of(const SourceFile& origin, const edit::Pieces& pieces, const Limits& limits) {
  return read_lasting_model(edit::readable(pieces, origin.file), origin.base_dir, limits);
}

State::State(const SourceFile& origin, edit::Pieces pieces, const CheckOptions& options)
    : pieces_(std::move(pieces)),
      target_(options.target),
      model_(std::make_unique<Model>(model_of(origin, pieces_, options.limits))),
      analysis_(std::make_unique<Analysis>(*model_)),
      report_(check(*analysis_, options)) {
  add_all(report_.findings, findings_);
  for (std::uint32_t i = 0; i < model_->value_count(); ++i) values_.emplace(model_->value(ValueId{i}).name, ValueId{i});
}

Key State::key(const Finding& finding) const {
  std::string_view made = finding.value;
  if (finding.node_id) {
    const Node& node = model_->node(finding.node_id);
    for (const ValueId output : node.outputs) {
      if (!output) continue;
      made = model_->value(output).name;
      break;
    }
  }
  return {fmt::format("{}:{}:{}:{}", finding.rule->code, finding.fact, finding.node_id ? "" : "model", made),
          finding.severity};
}

ValueId State::value(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? ValueId{} : found->second;
}

}  // namespace trtcheck::cure
