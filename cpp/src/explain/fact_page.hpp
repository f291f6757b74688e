// A fact as a page of Markdown: when it holds, what happens, how it is known, the models that show it.
#pragma once

#include <string>
#include <string_view>

namespace trtcheck::explain {

/// "Pad: attribute `mode` is not constant, reflect, edge or wrap" for one operator; several are counted.
/// @pre some fact has that id
[[nodiscard]] std::string fact_summary(std::string_view id);

/// All cases of a fact.
/// @pre some fact has that id
[[nodiscard]] std::string fact_page(std::string_view id);

}  // namespace trtcheck::explain
