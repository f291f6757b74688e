#include "facts/dispatch.hpp"

#include <algorithm>

namespace trtcheck {
namespace {

constexpr TrtVersion kLocalFunctions{9, 0};
constexpr TrtVersion kPluginBeforeFunction{10, 7};
constexpr TrtVersion kPluginBeforeImporter{10, 15};

Handler plugin_for(std::string_view name, const Target& target) {
  if (std::ranges::find(target.plugins, name) != target.plugins.end()) return Handler::user_plugin;
  return builtin_plugin(name, target.release) ? Handler::builtin_plugin : Handler::none;
}

}  // namespace

Handler handler_of(const Node& node, const Target& target) {
  // From 10.15 a node that names a plugin namespace is offered to the registry first.
  if (target.release >= kPluginBeforeImporter && node.attribute("plugin_namespace") != nullptr) {
    if (const Handler plugin = plugin_for(node.op_type, target); plugin != Handler::none) return plugin;
  }
  const OpSupport support = op_support(node.op_type, target.release);
  if (support.refused_before_plugins) return Handler::refused;
  if (support.support == Support::supported || support.support == Support::experimental) return Handler::importer;
  const Handler plugin = plugin_for(node.op_type, target);
  if (node.call && target.release >= kLocalFunctions) {
    const bool plugin_first = target.release >= kPluginBeforeFunction && target.release < kPluginBeforeImporter;
    return plugin_first && plugin != Handler::none ? plugin : Handler::function;
  }
  return plugin;
}

}  // namespace trtcheck
