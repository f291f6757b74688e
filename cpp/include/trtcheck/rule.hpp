// A rule: one descriptor, the only source of its code, name, severity, texts and evidence.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <trtcheck/conflict_id.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/gate_set.hpp>
#include <trtcheck/refused_by.hpp>

namespace trtcheck {

/// error: TensorRT refuses for every allowed shape. warning: for some shape, or silently different, or not
/// provable. info: cost or advice.
enum class Severity : std::uint8_t { info, warning, error };
/// proven: TensorRT's source or documentation says so. likely: reported failures agree. possible: suspected.
enum class Certainty : std::uint8_t { possible, likely, proven };
/// What a fix can promise: safe = same outputs; unsafe = needs consent; display = words only.
enum class Applicability : std::uint8_t { none, display, unsafe, safe };

TRTCHECK_API std::string_view to_string(Severity severity) noexcept;
TRTCHECK_API std::string_view to_string(Certainty certainty) noexcept;
TRTCHECK_API std::string_view to_string(Applicability applicability) noexcept;

namespace rules {
class RuleContext;
}

/// One thing that a check looks for.
struct Rule {
  std::string_view code;                    ///< "QDQ104": family and number, for ever
  std::string_view name;                    ///< "residual-not-quantized": the defect, kebab-case
  std::string_view since;                   ///< trtcheck version that brought it
  Severity severity = Severity::warning;    ///< the highest severity that it reports
  Certainty certainty = Certainty::likely;  ///< the highest certainty that it reports
  /// The highest for TensorRT-RTX, where that is less: what was read or measured of TensorRT only is likely there.
  Certainty rtx_certainty = Certainty::proven;
  Applicability fix = Applicability::none;  ///< what its fixes can promise
  std::string_view summary;                 ///< one line, no full stop
  /// Markdown with fixed headings: What it checks / Why TensorRT cares / Example / Instead / Fix / Evidence.
  /// Example and Instead hold one ```onnx block each (ONNX text) and are run as tests.
  std::string_view docs;
  std::span<const std::string_view> evidence = {};  ///< sources, most direct first
  /// What TensorRT prints when it meets the defect, `*` for what varies: "kernel weights has count * but * was
  /// expected". See messages.hpp.
  std::span<const std::string_view> messages = {};
  /// Of `ops`, the conflicts of shapes that this rule judges, by reporting them or by knowing that TensorRT accepts
  /// them: shape-conflict leaves them to it.
  std::span<const ConflictId> conflicts = {};
  std::span<const std::string_view> ops = {};  ///< op types the check is called for; empty = once per model
  bool quantized_only = false;                 ///< the check is for models in which something dequantizes
  /// Nothing is reported of nodes that they never see; `partition` cuts at what the parser refuses alone.
  RefusedBy refused_by = RefusedBy::parser;
  void (*check)(rules::RuleContext&) = nullptr;  ///< looks at a node or a model; nullptr = the engine reports it
  /// What its answers depend on. It runs once for all releases that are alike in this; to ask for more ends it.
  GateSet gates = {};
  Asks asks = Asks::gates;  ///< what else of a release its answers depend on
};

/// All rules, sorted by code.
TRTCHECK_API std::span<const Rule* const> all_rules() noexcept;
/// By code ("QDQ104", any case) or name; nullptr when there is none.
TRTCHECK_API const Rule* find_rule(std::string_view code_or_name) noexcept;

}  // namespace trtcheck
