// Which finding has to stay.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/finding.hpp>

#include "cure/state.hpp"

namespace trtcheck::reducing {

/// The finding of the model that is looked for, by what stays the same when nodes go: positions and labels of nodes
/// without a name do not.
class Goal {
 public:
  /// @param words  "OPS401:pad-mode@node"
  /// @throws Error  nothing is called so; the model has no such finding
  Goal(const cure::State& state, std::string_view words);
  /// Nothing but that no error comes up.
  explicit Goal(const cure::State& state);

  /// The first finding of the model that it is; nullptr: there is none, or an error came up that was not there.
  [[nodiscard]] const Finding* shown_in(const cure::State& state) const;
  /// The same of the report alone, whatever errors there are.
  [[nodiscard]] const Finding* in(const cure::State& state) const;
  /// All of them, the first 16.
  [[nodiscard]] std::vector<const Finding*> all_in(const cure::State& state) const;
  [[nodiscard]] bool has_new_error(const cure::State& state) const;
  [[nodiscard]] bool is_none() const noexcept { return rule_ == nullptr; }
  /// The value that its node makes has another name from now on. "" = any node.
  [[nodiscard]] const std::string& value() const noexcept { return value_; }
  void rename_value(std::string name) { value_ = std::move(name); }

 private:
  [[nodiscard]] bool is_meant(const cure::State& state, const Finding& finding) const;
  void note_errors(const cure::State& state);

  const Rule* rule_ = nullptr;
  std::string fact_;
  Severity severity_ = Severity::info;
  std::string value_;
  bool is_of_model_ = false;  ///< it is about no node
  std::set<std::string> errors_;
};

}  // namespace trtcheck::reducing
