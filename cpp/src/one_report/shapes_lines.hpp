// Lines that all forms of `trtcheck shapes` have, with names in backticks. Any bytes: escape them.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/why.hpp>

#include "one_report/unknown_names.hpp"

namespace trtcheck::one_report {

/// "nonzero_1 in 0..80: the number of non-zero elements (NonZero `nz`)"
[[nodiscard]] std::string unknown_line(const Model& model, const NamedUnknown& unknown);
/// "`past + seq` must equal `mask_len`: forced by Add `attn_12` (net.py:12)"
[[nodiscard]] std::string demand_line(const SizeDemand& demand);
/// "Add `a` (net.py:12): ..."
[[nodiscard]] std::string conflict_line(const SizeConflict& conflict);
/// "why axis 1 of `y` is 2*N"
[[nodiscard]] std::string why_heading(const Why& why);
/// "`y` axis 1 = 2*N: Concat `c`, from 3 and 4"; steps are counted from 1.
[[nodiscard]] std::string why_line(const std::vector<WhyStep>& steps, std::size_t at);
/// All but the middle of long runs of nodes that hand a size on.
[[nodiscard]] std::vector<std::size_t> shown_steps(const std::vector<WhyStep>& steps);

}  // namespace trtcheck::one_report
