#include "view/dispatch.hpp"

#include <algorithm>

#include "target/gates.hpp"

namespace trtcheck {
namespace {

Handler plugin_for(std::string_view name, const Target& target) {
  if (std::ranges::find(target.plugins, name) != target.plugins.end()) return Handler::user_plugin;
  return builtin_plugin(name, target.release) ? Handler::builtin_plugin : Handler::none;
}

}  // namespace

Handler handler_of(const Node& node, const Target& target) {
  // From 10.15 a node that names a plugin namespace is offered to the registry first.
  if (node.attribute("plugin_namespace") != nullptr && gates::plugin_namespace_first.open_in(target.release)) {
    if (const Handler plugin = plugin_for(node.op_type, target); plugin != Handler::none) return plugin;
  }
  const OpSupport support = op_support(node.op_type, target.release);
  if (support.refused_before_plugins) return Handler::refused;
  if (support.support == Support::supported || support.support == Support::experimental) return Handler::importer;
  const Handler plugin = plugin_for(node.op_type, target);
  if (node.call() && gates::local_functions.open_in(target.release)) {
    const bool plugin_first =
        gates::plugin_before_function.open_in(target.release) && !gates::plugin_namespace_first.open_in(target.release);
    return plugin_first && plugin != Handler::none ? plugin : Handler::function;
  }
  return plugin;
}

}  // namespace trtcheck
