// Places of a file, found in its document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/edit.hpp>

#include "edit/document.hpp"

namespace trtcheck::edit {

/// A graph or the body of a function; they have the same kinds of fields under different numbers.
struct GraphMessage {
  Message* message = nullptr;
  bool is_function = false;
  std::vector<std::size_t> nodes{};  ///< indices of their fields, by position
};

/// A node: its message, and where it stands in that of its graph.
struct NodeMessage {
  Message* message = nullptr;
  GraphMessage* graph = nullptr;
  std::size_t field = 0;
};

/// Reads the places of edits in a file that was read as a model: it has a main graph. What does not exist is an `Error`
/// of one line.
class Locator {
 public:
  /// @param path  for errors
  Locator(Message& root, std::string path) : root_(&root), path_(std::move(path)) {}

  [[nodiscard]] Message& root() const noexcept { return *root_; }
  /// @throws Error  there is none
  [[nodiscard]] GraphMessage& graph(const GraphAt& at);
  [[nodiscard]] NodeMessage node(const NodeAt& at);
  /// The message of the model or of a function. @throws Error  there is none
  [[nodiscard]] Message& importer(const std::optional<std::uint32_t>& function);
  /// The indices of the node's attributes of that name: no file should have more than one.
  [[nodiscard]] static std::vector<std::size_t> attributes(Message& node, std::string_view name);
  /// Entries (inputs, outputs, initializers, value_info) of that name; `name_field` is that of the entry's name.
  [[nodiscard]] std::vector<std::size_t> named(Message& graph, std::uint32_t entries, std::uint32_t name_field,
                                               std::string_view name);
  [[noreturn]] void fail(const std::string& cause) const;

 private:
  /// The graph of that index among those of the attributes; nullptr: they have fewer.
  [[nodiscard]] static Message* body(Message& node, const std::vector<std::size_t>& named, std::size_t index);

  /// All entries of one list, by their name.
  using Entries = std::unordered_map<std::string_view, std::vector<std::size_t>>;

  Message* root_;
  std::string path_;
  std::unordered_map<const Message*, std::unordered_map<std::uint32_t, Entries>> lists_;  ///< by graph and list
  std::unordered_map<std::string, GraphMessage> graphs_;                                  ///< by place
};

/// "the main graph", "the body `then_branch` of node 3 of the main graph"
[[nodiscard]] std::string words(const GraphAt& at);

}  // namespace trtcheck::edit
