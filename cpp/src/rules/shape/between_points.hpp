// Sizes inside the ranges of the profile, at which a condition does not hold although it does at kMIN, kOPT and kMAX.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/profile/profile_points.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct BadSizes {
  std::vector<DimTable::Binding> sizes;  ///< one for each symbol of the condition, by name
  std::int64_t a = 0;                    ///< left side of the condition there
  std::int64_t b = 0;                    ///< right side
  /// No smaller size fails. False: some of the sizes that were not tried may.
  bool is_smallest = false;
};

/// Tries sizes, a bounded number for all conditions of a model. What it does not find it says nothing about.
class SizeSearch {
 public:
  SizeSearch(const RuleContext& context, const std::vector<ProfilePoint>& points);

  /// Nothing where no size is known that fails, where one side is not exactly known, and where the same condition was
  /// asked before. A condition on several sizes is looked at only where it is one of divisibility (that two sizes have
  /// to be equal the caller knows), and only at sizes that meet all other conditions which tie them together.
  [[nodiscard]] std::optional<BadSizes> find(const Obligation& obligation);

 private:
  using Symbols = std::vector<std::string_view>;
  using Sizes = std::vector<DimTable::Binding>;
  struct Tie {
    const Obligation* obligation;
    Symbols symbols;
  };
  struct Sides {
    std::int64_t a = 0, b = 0;
  };

  [[nodiscard]] bool is_new(const Obligation& obligation);
  [[nodiscard]] const Interval* range_of(std::string_view symbol) const;
  [[nodiscard]] std::optional<Sides> sides(const Obligation& obligation, const Sizes& sizes);
  [[nodiscard]] std::optional<BadSizes> misfit(const Obligation& obligation, const Sizes& sizes, bool is_smallest);
  [[nodiscard]] std::optional<BadSizes> along(const Obligation& obligation, std::string_view symbol, Interval range);
  [[nodiscard]] std::optional<BadSizes> among(const Obligation& obligation, Symbols symbols);
  /// With all that other conditions tie to them.
  [[nodiscard]] Symbols with_tied(Symbols symbols) const;
  [[nodiscard]] bool meets_ties(const Sizes& sizes);

  const RuleContext* context_;
  std::map<std::string_view, Interval> ranges_;
  std::vector<Tie> ties_;
  std::vector<const Obligation*> asked_;
  std::size_t symbols_left_;
  int tries_left_;
  int proofs_left_;
};

}  // namespace trtcheck::rules
