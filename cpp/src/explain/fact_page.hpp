// A fact as a page of Markdown: when it holds, what happens, how it is known, the models that show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/fact.hpp"

namespace trtcheck::explain {

/// What several operators, or spans of opsets, have in common is there once.
struct FactCase {
  const facts::Fact* fact;
  std::vector<std::string_view> ops;
};
/// Empty: no fact has that id.
[[nodiscard]] std::vector<FactCase> cases_of(std::string_view id);

/// "8.2 to 9.3", "8.2" where both are one.
[[nodiscard]] std::string releases(TrtVersion first, TrtVersion last);
/// The releases in which the fact can speak: some have no DLA.
[[nodiscard]] std::string releases_of(const facts::Fact& fact);
/// "compute capability up to 9.0", "compute capability 8.7"; "" = of all.
[[nodiscard]] std::string gpus_of(const facts::Fact& fact);
/// "read in the sources of TensorRT 8.0 to 10.10; refused by TensorRT-RTX 1.5 to 1.7; ...", and where to look it up.
[[nodiscard]] std::string evidence_text(const facts::Fact& fact);

/// "Pad: attribute `mode` is not constant, reflect, edge or wrap" for one operator; several are counted.
/// @pre some fact has that id
[[nodiscard]] std::string fact_summary(std::string_view id);

/// All cases of a fact.
/// @pre some fact has that id
[[nodiscard]] std::string fact_page(std::string_view id);

}  // namespace trtcheck::explain
