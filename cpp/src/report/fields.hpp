// The one description of what a finding is made of: JSON, pickling and the Python bindings follow it, in this order.
// Ids of nodes are pickled and shown to nobody.
#pragma once

#include <tuple>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

template <class Class, class Member>
struct Field {
  constexpr Field(const char* called, Member Class::*at, const char* says = "") noexcept
      : name(called), member(at), doc(says) {}

  const char* name;       ///< key in JSON, attribute in Python
  Member Class::*member;  ///< where it is
  const char* doc;        ///< in Python
};

/// `kAll`: the fields of one class, as a tuple.
template <class Class>
struct Fields;

template <class Class>
concept Described = requires {
  Fields<Class>::kAll;
};

/// Calls `use` with each field of the class.
template <Described Class, class Use>
constexpr void for_each_field(const Use& use) {
  std::apply([&](const auto&... fields) { (use(fields), ...); }, Fields<Class>::kAll);
}

template <>
struct Fields<SourceLocation> {
  static constexpr std::tuple kAll{
      Field{"file", &SourceLocation::file, "As the exporter recorded it."},
      Field{"line", &SourceLocation::line, "Counted from 1."},
      Field{"function", &SourceLocation::function, "\"\" when not recorded."},
      Field{"code", &SourceLocation::code, "The text of the line; \"\" when not recorded."},
  };
};

template <>
struct Fields<Note> {
  static constexpr std::tuple kAll{
      Field{"message", &Note::message, "One line."},
      Field{"node", &Note::node, "The node that it is about, or \"\"."},
      Field{"node_id", &Note::node_id},
      Field{"source", &Note::source, "The line of that node, when the exporter recorded it."},
      Field{"library", &Note::library, "The line of the library that `source` called, if any."},
  };
};

template <>
struct Fields<Fix> {
  static constexpr std::tuple kAll{
      Field{"title", &Fix::title, "Imperative, one line."},
      Field{"applicability", &Fix::applicability,
            "\"safe\" keeps the outputs, \"unsafe\" needs your consent, \"display\" is words only."},
      Field{"node", &Fix::node, "The node to change; \"\" when that is the node of the finding, or none."},
      Field{"node_id", &Fix::node_id},
      Field{"source", &Fix::source, "The line of that node, when the exporter recorded it."},
      Field{"library", &Fix::library, "The line of the library that `source` called, if any."},
  };
};

template <>
struct Fields<Neighbourhood::Node> {
  static constexpr std::tuple kAll{
      Field{"kind", &Neighbourhood::Node::kind},
      Field{"role", &Neighbourhood::Node::role},
      Field{"op_type", &Neighbourhood::Node::op_type},
      Field{"name", &Neighbourhood::Node::name},
  };
};

template <>
struct Fields<Neighbourhood::Edge> {
  static constexpr std::tuple kAll{
      Field{"from", &Neighbourhood::Edge::from},         Field{"to", &Neighbourhood::Edge::to},
      Field{"value", &Neighbourhood::Edge::value},       Field{"type", &Neighbourhood::Edge::type},
      Field{"at_fault", &Neighbourhood::Edge::at_fault}, Field{"contents", &Neighbourhood::Edge::contents},
  };
};

template <>
struct Fields<Neighbourhood> {
  static constexpr std::tuple kAll{
      Field{"nodes", &Neighbourhood::nodes},
      Field{"edges", &Neighbourhood::edges},
  };
};

template <>
struct Fields<Finding> {
  static constexpr std::tuple kAll{
      Field{"rule", &Finding::rule, "The rule that found it."},  // in JSON its code and its name
      Field{"fact", &Finding::fact, "\"pad-mode\": which of the facts that the rule tells; \"\" = it tells one."},
      Field{"severity", &Finding::severity, "Of this finding; at most that of the rule, unless overridden."},
      Field{"certainty", &Finding::certainty, "Of this finding; at most that of the rule."},
      Field{"of_other_releases", &Finding::of_other_releases,
            "It is likely because it is known of other releases; a note says which."},
      Field{"message", &Finding::message, "One line."},
      Field{"node", &Finding::node, "Name of the node, or OpType_position; \"\" when it concerns the whole model."},
      Field{"op_type", &Finding::op_type, "Operator of the node; \"\" without a node."},
      Field{"graph", &Finding::graph, "\"main\", \"main/If_3.then_branch\", ..."},
      Field{"value", &Finding::value, "The tensor at fault, or \"\"."},
      Field{"signature", &Finding::signature, "One line for each input of the node: \"x: FLOAT[N,4,H,W]\"."},
      Field{"source", &Finding::source,
            "The recorded line of the PyTorch program: the innermost one outside of installed packages, if there is "
            "one."},
      Field{"library", &Finding::library, "The innermost line of an installed package that `source` called, if any."},
      Field{"module", &Finding::module, "Path of the PyTorch module: \"encoder.layers.10\"; \"\" when not recorded."},
      Field{"notes", &Finding::notes, "The chain of reasons."},
      Field{"fix", &Finding::fix, "The remedy, when there is one."},
      Field{"evidence", &Finding::evidence, "Sources, most direct first."},
      Field{"witness", &Finding::witness, "What NVIDIA's own builder says of it, where it was asked; else \"\"."},
      Field{"fingerprint", &Finding::fingerprint,
            "16 hexadecimal digits, the same for the same defect in a new export of the model."},
      Field{"group", &Finding::group,
            "16 hexadecimal digits that findings of one model share which have one cause; \"\" = no other has "
            "its cause."},
      Field{"neighbourhood", &Finding::neighbourhood},  // in Python a picture
      Field{"consequences", &Finding::consequences, "Findings that follow from this one."},
      Field{"node_id", &Finding::node_id},
      Field{"caused_by", &Finding::caused_by},
  };
};

template <>
struct Fields<Unlisted> {
  static constexpr std::tuple kAll{
      Field{"rule", &Unlisted::rule},
      Field{"severity", &Unlisted::severity},
      Field{"count", &Unlisted::count},
  };
};

template <>
struct Fields<Suppressed> {
  static constexpr std::tuple kAll{
      Field{"by", &Suppressed::by,
            "Metadata of the \"model\" or of a \"node\", \"settings\" (per-node-ignores), or the \"baseline\"."},
      Field{"reason", &Suppressed::reason, "As it was written; \"\" when none was given."},
      Field{"finding", &Suppressed::finding, "As it would have been reported."},
  };
};

}  // namespace trtcheck::report
