// What kind of operator a node calls, and saying a thing once per operator. Shared by the rules of this folder.
#pragma once

#include <cstddef>
#include <functional>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// True for every name of the ONNX standard (any opset, also ai.onnx.ml) and every name that some known release
/// imports: an operator that exists, whether or not the target takes it.
bool is_onnx_operator(const Node& node);

/// The operator as a message names it. A message, its notes and its fix may all name it, and a name may have a hundred
/// megabytes.
std::string told_name(const Node& node);

/// The functions that the model stores. TensorRT (from 9.0) finds them by name alone, in whatever domain the call is
/// (onnx-tensorrt ModelImporter.cpp importLocalFunctions, 10.10).
class LocalFunctions {
 public:
  explicit LocalFunctions(const RuleContext& context);
  /// True when the node names one of them.
  [[nodiscard]] bool serve(const Node& node) const;

 private:
  std::vector<std::string_view> names_;  // sorted
};

/// Operators in one model that a misspelling is looked for, the search takes time: who misspells more of them?
inline constexpr std::size_t kMostSuggestions = 200;

/// The first node of each operator gets the finding; the others get a short one that is folded into it, so that
/// what follows from them is folded as well.
class FirstOfKind {
 public:
  explicit FirstOfKind(RuleContext& context) noexcept : context_(&context) {}
  /// True when the operator was met before: the node has got its finding then, of that certainty.
  bool is_repeat(NodeId node);
  bool is_repeat(NodeId node, Certainty certainty);

 private:
  using Name = std::pair<std::string_view, std::string_view>;  ///< domain and operator
  struct HashOfName {
    std::size_t operator()(const Name& name) const noexcept { return std::hash<std::string_view>()(name.second); }
  };

  RuleContext* context_;
  // A file of a few megabytes can name 200,000 operators: their entries are freed in one go.
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::unordered_map<Name, NodeId, HashOfName> first_{&memory_};
};

}  // namespace trtcheck::rules
