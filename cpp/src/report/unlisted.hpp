// What a report counts and does not list, for formats that know findings only.
#pragma once

#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

/// A finding that stands for the counted ones: it says how many they are, and how to see them.
[[nodiscard]] Finding stand_in(const Unlisted& unlisted);

/// The report with a stand-in behind the findings of each severity; counts and verdict stay the same.
[[nodiscard]] Report with_stand_ins(const Report& report);

}  // namespace trtcheck::report
