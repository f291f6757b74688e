// What the dynamic axes of a model may be, and which of them make TensorRT refuse it.
//
//     const trtcheck::AxesReport axes = trtcheck::axes(trtcheck::read_model("model.onnx"));
//     for (const trtcheck::DynamicAxis& axis : axes.axes) std::cout << axis.name << ": " << to_string(axis.state) <<
//     "\n"; if (!axes.fix_command.empty()) std::cout << axes.fix_command << "\n";   // trtcheck fix --static height=224
//     ...
//
// A model is checked once with all axes dynamic, once with numbers, and then with some of them: the rules that had
// something to say, and no others, are asked again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>

namespace trtcheck {

/// What a model lets a size be.
enum class AxisState : std::uint8_t {
  free,       ///< any size
  equal,      ///< the size of another axis
  fixed,      ///< one number only
  multiples,  ///< multiples of a number
  at_most,    ///< up to a number
  at_least,   ///< from a number on
  some,       ///< some sizes, which have no simple rule
  tied,       ///< a condition on several axes
  none,       ///< no size that was tried
  computed,   ///< of an output: follows from the axes of inputs
  data,       ///< of an output: depends on the numbers that are computed
};
TRTCHECK_API std::string_view to_string(AxisState state) noexcept;  ///< "at-most"

/// A condition that a node puts on an axis.
struct AxisCondition {
  AxisState state = AxisState::free;       ///< what it comes to
  std::int64_t number = 0;                 ///< of fixed, multiples, at_most and at_least
  std::string other{};                     ///< of equal: the other axis
  std::string text{};                      ///< "only multiples of 16"
  std::string why{};                       ///< "Reshape `r` needs `16` to divide `N`"
  std::string node{};                      ///< label of the node that forces it; "" = none
  std::string op_type{};                   ///< of that node
  std::optional<SourceLocation> source{};  ///< of that node, as in a finding
};

/// A size that is not known when the model is exported: a symbol, or an axis without a name.
struct DynamicAxis {
  std::string name{};                       ///< "batch"; of an axis without a name "x.dim2"
  std::vector<std::string> places{};        ///< "axis 0 of `x`"
  AxisState state = AxisState::free;        ///< the strongest condition
  std::vector<AxisCondition> conditions{};  ///< empty = free
  std::string reaches{};                    ///< "Conv `stem`", the first node that it reaches; "" = none
  std::int64_t size = 0;                    ///< that it was pinned to for the comparison; 0: of an output
};

/// A finding that is there because axes are dynamic.
struct AxisCause {
  Finding finding;                             ///< with all axes dynamic
  std::vector<std::vector<std::string>> sets;  ///< each set of axes alone is enough; the smallest first
  bool has_all_sets = true;                    ///< false: there may be more, looking for them would cost too much
};

/// An axis that is a number, though others like it are dynamic, or somebody asked for it.
struct FixedAxis {
  std::string place{};      ///< "axis 0 of `mask`"
  std::int64_t number = 0;  ///< in the file
  bool is_asked = false;    ///< `AxesOptions::asked` names it
  std::string why{};        ///< what may have happened
};

/// How a model is asked about its axes.
struct AxesOptions {
  CheckOptions check;              ///< what to check for; its profile does not count
  std::vector<std::string> asked;  ///< axes of inputs that were to be dynamic: "x.dim0"
};

/// A size that an axis is to be pinned to.
struct PinnedAxis {
  std::string name;       ///< of the axis
  std::int64_t size = 0;  ///< that fits its conditions
};

/// The axes of one model.
struct AxesReport {
  std::string path;                  ///< of the model; "" = from memory
  std::vector<DynamicAxis> axes;     ///< of inputs, in their order
  std::vector<DynamicAxis> outputs;  ///< symbols that only outputs have
  std::vector<FixedAxis> fixed;      ///< that came out as numbers
  std::vector<AxisCause> caused;     ///< findings that dynamic axes cause, worst first
  std::size_t remaining = 0;         ///< errors and warnings that stay when all axes are numbers
  std::vector<PinnedAxis> pins;      ///< the smallest set without which no error and no warning is caused
  bool pins_suffice = true;          ///< a check with the pinned axes says so
  std::size_t checks = 0;            ///< how many checks were made, those of a few rules included
  std::string dynamic_shapes;        ///< Python, for torch.export; "" = no axis is left
  std::string dynamic_axes;          ///< Python, for torch.onnx.export(dynamo=False)
  std::string fix_command;           ///< "" = nothing has to be pinned
};

/// @throws Error  an option makes no sense, such as an asked axis that does not exist
[[nodiscard]] TRTCHECK_API AxesReport axes(const Model& model, const AxesOptions& options = {});

/// Ends in a newline.
/// @throws Error  there is no such format (there are full, json and html)
[[nodiscard]] TRTCHECK_API std::string render(const AxesReport& report, const RenderOptions& options);

}  // namespace trtcheck
