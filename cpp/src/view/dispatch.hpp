// Who imports a node in the ONNX parser of a release.
#pragma once

#include <string_view>

#include <trtcheck/model.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

enum class Handler {
  importer,        ///< the parser's own importer for the op type
  refused,         ///< a static checker turns the op type down before anything else is tried (9.1 on)
  function,        ///< the body of the model-local function
  user_plugin,     ///< a plugin that the user named
  builtin_plugin,  ///< a plugin that ships with the release
  none,            ///< nobody: the node is refused
};

/// The order in which the parser looks: importers by op type alone (the domain is not looked at), then model-local
/// functions (from 9.0; from 10.7 to 10.14 a registered plugin of the same name goes first), then plugins.
Handler handler_of(const Node& node, const Target& target);

}  // namespace trtcheck
