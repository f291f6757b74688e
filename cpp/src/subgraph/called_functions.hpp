// Which functions a part of a model calls.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck::subgraph {

/// Functions that nodes call, and those that these call.
class CalledFunctions {
 public:
  explicit CalledFunctions(const Model& model);

  void add(const Node& node);

  /// Positions among the functions of the model.
  [[nodiscard]] const std::set<std::size_t>& called() const noexcept { return called_; }
  /// Of all nodes that were met.
  [[nodiscard]] const std::set<std::string_view>& domains() const noexcept { return domains_; }

 private:
  void meet(const Node& node);
  void enter(std::size_t function);

  const Model* model_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> by_name_;
  std::vector<std::vector<GraphId>> graphs_;  ///< per function
  std::set<std::size_t> called_;
  std::set<std::string_view> domains_;
  std::vector<std::size_t> waiting_;
};

}  // namespace trtcheck::subgraph
