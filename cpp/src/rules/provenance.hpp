// Where a node comes from in the user's program, as far as the exporter wrote it down.
//
// The dynamo exporter of PyTorch leaves the Python stack and the module scopes in the node's metadata_props; the
// TorchScript exporter leaves a stack in doc_string (with verbose=True) and the module path in the node's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::rules {

struct Provenance {
  std::optional<SourceLocation> source;
  std::string module;  ///< "encoder.layers.10"; "" = not recorded, or the root module
};

/// A node without a record of its own takes that of the node whose body or call it stands in.
Provenance provenance_of(const Model& model, NodeId node);

/// The innermost frame of a Python stack, most recent call last (`File "x.py", line 3, in forward` and the text of
/// the line), that is not code of PyTorch itself.
std::optional<SourceLocation> source_from_stack(std::string_view stack);
/// The same from `x.py(3): forward` lines, most recent call first; also from `# x.py:3:0`.
std::optional<SourceLocation> source_from_doc_string(std::string_view doc);
/// "['', 'layers.0', 'layers.0.conv', 'conv2d']" -> "layers.0.conv": the last entry is the operator.
std::string module_from_scopes(std::string_view scopes);
/// ": m.Net/layers.0: m.Block/conv2d: aten.conv2d.default" -> "layers.0".
std::string module_from_namespace(std::string_view text);
/// "/layer1/layer1.0/conv/Conv" -> "layer1.0.conv"; "" when the name is not of that form.
std::string module_from_node_name(std::string_view name);

}  // namespace trtcheck::rules
