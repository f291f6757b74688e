// What makes a finding the same finding in a new export of the model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>

#include "check/structure.hpp"
#include "provenance/provenance.hpp"

namespace trtcheck {

/// A fingerprint is made of: the code of the rule and the id of the fact; the kinds of graphs around the node;
/// operator, domain and attributes of the node; the producers of its inputs, three nodes upstream; which input or
/// output is at fault; the path of the PyTorch module, when it was recorded. Tensors count by element type and dims,
/// small ones of sizes and axes by contents too; weights are never read. Not in it: positions, names of nodes and of
/// tensors between them, dims of graph inputs, severity and message. Several findings of a model may share one.
class Fingerprints {
 public:
  explicit Fingerprints(const Model& model) noexcept : model_(&model), structure_(model), provenances_(model) {}

  /// Fills them in, consequences included.
  void add_to(std::vector<Finding>& findings);
  void add_to(Finding& finding);

 private:
  /// What findings at one node share. A node may have as many findings as inputs.
  struct Place {
    NodeId node;
    std::string module;
    std::unordered_map<std::string_view, std::uint64_t> operands;  ///< hash by name of the input or output
  };
  [[nodiscard]] std::uint64_t of(const Finding& finding);
  [[nodiscard]] std::uint64_t at_fault(const Finding& finding);
  [[nodiscard]] std::uint64_t elsewhere(ValueId id);
  [[nodiscard]] std::uint64_t users_of(const Value& value);
  [[nodiscard]] ValueId find(std::string_view name, GraphId from);
  void go_to(NodeId node);
  [[nodiscard]] std::string module_of(NodeId node);

  const Model* model_;
  Structure structure_;
  rules::Provenances provenances_;
  Place place_;
  std::vector<ValueId> by_name_;  ///< made when first asked
  std::unordered_map<std::uint32_t, std::uint64_t> elsewhere_;
};

}  // namespace trtcheck
