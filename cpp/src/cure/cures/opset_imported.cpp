// Imports of operator sets that are listed twice, or are missing.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::opset_imported {
namespace {

/// Every node of the ONNX domain means the same in both.
bool means_the_same(const Model& model, std::int64_t a, std::int64_t b) {
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& node = model.node(NodeId{i});
    if (!node.domain().empty()) continue;
    const auto* const first = schema::schema_facts("", node.op_type, a);
    if (first == nullptr || first != schema::schema_facts("", node.op_type, b)) return false;
  }
  return true;
}

bool keep_first(Draft& draft) {
  const auto imports = draft.model().opset_imports();
  for (auto later = imports.begin(); later != imports.end(); ++later) {
    const auto first = std::ranges::find(imports, later->domain, &OpsetImport::domain);
    if (first == later || first->version == later->version) continue;
    const bool is_same = later->domain.empty() && means_the_same(draft.model(), first->version, later->version);
    if (!is_same) draft.promises(CureClass::choice);
    draft.add(edit::ImportOpset{{}, std::string(first->domain), first->version});
    draft.title(fmt::format("import only opset {}, the one that TensorRT reads", first->version));
    return true;
  }
  return false;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.rule->code == "OPS204") return keep_first(draft);
  constexpr std::int64_t kUsual = 17;
  draft.promises(CureClass::choice);
  draft.add(edit::ImportOpset{{}, {}, kUsual});
  draft.title(fmt::format("import opset {} of ONNX: the file does not say which one was meant", kUsual));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS203", "OPS204"};

}  // namespace

extern constinit const Cure cure{
    .name = "opset-imported",
    .kind = CureClass::proven,
    .summary = "one operator set of ONNX is imported, once",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::opset_imported
