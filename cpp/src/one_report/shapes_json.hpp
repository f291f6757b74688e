// Parts of the JSON document of `trtcheck shapes` (data/shapes.schema.json) that are small enough for a tree of values.
#pragma once

#include <trtcheck/why.hpp>

#include "one_report/unknown_names.hpp"
#include "report/envelope.hpp"

namespace trtcheck::one_report {

[[nodiscard]] report::Json json_of(const Why& why);
[[nodiscard]] report::Json json_of(const SizeDemand& demand);
[[nodiscard]] report::Json json_of(const SizeConflict& conflict);
[[nodiscard]] report::Json json_of(const Model& model, const NamedUnknown& unknown);

}  // namespace trtcheck::one_report
