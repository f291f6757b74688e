// What a check found: plain values, independent of the model once made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/neighbourhood.hpp>
#include <trtcheck/rule.hpp>

namespace trtcheck {

/// A line of the user's PyTorch program, taken from what the exporter left in the model.
struct SourceLocation {
  std::string file;       ///< as the exporter recorded it
  std::int64_t line = 0;  ///< counted from 1
  std::string function;   ///< "" = not recorded
  std::string code;       ///< the text of the line; "" = not recorded
};

/// One step in the chain of reasons, from the graph input to the victim.
struct Note {
  std::string message;                      ///< one line, lower case, no full stop
  std::string node;                         ///< label of the node that it is about; "" = none
  NodeId node_id{};                         ///< the same node; none when it is about no node
  std::optional<SourceLocation> source{};   ///< of that node, as in a finding
  std::optional<SourceLocation> library{};  ///< of that node, as in a finding
};

/// A remedy.
struct Fix {
  std::string title;                                     ///< the remedy, imperative: "write 4 instead of -1 at index 1"
  Applicability applicability = Applicability::display;  ///< what it promises
  std::string node{};                       ///< label of the node to change; "" = that of the finding, or no node
  NodeId node_id{};                         ///< the same node
  std::optional<SourceLocation> source{};   ///< of that node, as in a finding
  std::optional<SourceLocation> library{};  ///< of that node, as in a finding
};

/// One defect at one place.
struct Finding {
  const Rule* rule = nullptr;               ///< never null
  std::string fact;                         ///< of several that the rule tells: "pad-mode"; "" = it tells one
  Severity severity = Severity::warning;    ///< at most that of the rule, unless overridden
  Certainty certainty = Certainty::likely;  ///< at most that of the rule
  bool of_other_releases = false;           ///< it is likely because it is known of other releases; a note says which
  std::string message;                      ///< one line, lower case, no full stop
  std::string node;                         ///< node label, "" when it concerns the whole model
  std::string op_type;                      ///< of the node, "" without one
  std::string graph;                        ///< "main", "main/If_3.then_branch"
  std::string value;                        ///< the tensor at fault, "" = none
  std::vector<std::string> signature;       ///< one line per input: "x: FLOAT[N,4,H,W]"
  /// The line of the user's own program, that is the innermost one outside of installed packages; without any the
  /// innermost one of a package. PyTorch and Python themselves never count.
  std::optional<SourceLocation> source;
  std::optional<SourceLocation> library;  ///< the innermost line of an installed package that `source` called
  std::string module;                     ///< "encoder.layers.10", "" = not recorded
  std::vector<Note> notes;                ///< the chain of reasons, first cause first
  std::optional<Fix> fix;                 ///< the remedy, when there is one
  std::vector<std::string> evidence;      ///< sources of the claim, most direct first
  std::string witness;                    ///< what NVIDIA's builder says of it, one line; "" = it was not asked
  std::vector<Finding> consequences;      ///< findings that follow from this one

  /// 16 hexadecimal digits of rule and structure (operator, attributes, path of producers), independent of positions
  /// and of the names of other nodes: the same defect in a new export has the same one. "" = not computed.
  std::string fingerprint;
  /// 16 hexadecimal digits that findings of one model share which have one rule, one severity and one reason: the same
  /// message and fix but for the names of nodes and tensors. "" = it stands alone.
  std::string group;
  Neighbourhood neighbourhood;  ///< empty unless `CheckOptions::neighbourhoods` asked for it

  NodeId node_id;    ///< for sorting; none when it concerns the whole model
  NodeId caused_by;  ///< folded into the finding at that node, if one is at least as severe
};

}  // namespace trtcheck
