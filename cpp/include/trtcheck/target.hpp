// The TensorRT release that a model is checked for, and what that release supports.
//
// All facts come from `cpp/data` with their evidence, embedded as constexpr tables at build time.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// TensorRT, or TensorRT-RTX (Windows ML, PCs with RTX): a line of its own with releases of its own.
enum class Product : std::uint8_t { tensorrt, rtx };
TRTCHECK_API std::string_view to_string(Product product) noexcept;  ///< "TensorRT", "TensorRT-RTX"

/// A TensorRT release, "10.13", or one of TensorRT-RTX, "rtx-1.7". Patch numbers are accepted and dropped: the facts
/// are per minor release.
struct TrtVersion {
  std::int32_t major_version = 0;  ///< the 10 of 10.13
  std::int32_t minor_version = 0;  ///< the 13 of 10.13
  /// rtx: the numbers are those of the TensorRT release that it is like, 11.4 of rtx-1.7 (the branch that it was built
  /// from).
  Product product = Product::tensorrt;

  friend constexpr bool operator==(const TrtVersion&, const TrtVersion&) = default;  ///< of one product, too
  /// Older is less. A TensorRT-RTX stands beside the TensorRT release that it is like, not before or after it.
  friend constexpr std::weak_ordering operator<=>(const TrtVersion& a, const TrtVersion& b) noexcept {
    if (const auto order = a.major_version <=> b.major_version; order != 0) return order;
    return a.minor_version <=> b.minor_version;
  }
};
/// "10.13", "rtx-1.7"
TRTCHECK_API std::string to_string(TrtVersion version);
/// Every TensorRT release with facts, oldest first.
TRTCHECK_API std::span<const TrtVersion> known_releases() noexcept;
/// Every TensorRT-RTX release with facts, oldest first.
TRTCHECK_API std::span<const TrtVersion> known_rtx_releases() noexcept;
/// The newest release whose tables were read. What is said of later ones follows from it and from release notes.
TRTCHECK_API TrtVersion newest_read_release() noexcept;
/// "10.13" or "10.13.2" -> {10, 13}; "latest" -> the newest known of TensorRT; "rtx-1.7", "rtx-1.7.1".
/// @throws Error  not a version, several of them, or a release without facts (the message names the nearest known one)
TRTCHECK_API TrtVersion parse_release(std::string_view text);
/// The releases that a text names, oldest first, TensorRT before TensorRT-RTX, never none: "10.13", "latest",
/// "rtx-1.7"; a range of one product, both ends included, one of which may be left out ("8.6..10.13", "8.6..",
/// "..10.13", "rtx-1.5.."); "all".
/// @throws Error  it names none (the message names the nearest that does)
TRTCHECK_API std::vector<TrtVersion> parse_releases(std::string_view text);

enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, int8, fp8, int4, fp4 };
/// @throws Error  unknown word, with a suggestion
TRTCHECK_API Precision parse_precision(std::string_view text);
TRTCHECK_API std::string_view to_string(Precision precision) noexcept;

/// CUDA compute capability, 8.6 = {8, 6}.
struct ComputeCapability {
  std::int32_t major_version = 0;                                                                   ///< the 8 of 8.6
  std::int32_t minor_version = 0;                                                                   ///< the 6 of 8.6
  friend constexpr auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;  ///< older is less
};
/// @throws Error  neither of the form "8.6" (also "86", "sm_86") nor the name of a GPU ("RTX 4090", "h100", "orin")
TRTCHECK_API ComputeCapability parse_compute_capability(std::string_view text);

/// One input of an optimization profile; each list has one entry per axis.
struct ProfileInput {
  std::string name;               ///< of the graph input
  std::vector<std::int64_t> min;  ///< smallest
  std::vector<std::int64_t> opt;  ///< what the engine is tuned for
  std::vector<std::int64_t> max;  ///< largest

  friend bool operator==(const ProfileInput&, const ProfileInput&) = default;  ///< same name and sizes
};
/// "x=1x3:4x3:8x3", one shape for all three when there is no colon; or "x:1x3", as for `trtexec --shapes`.
/// @throws Error  malformed, ranks differ, or not min <= opt <= max
TRTCHECK_API ProfileInput parse_profile(std::string_view text);

/// What the model is checked against.
struct Target {
  TrtVersion release;                                   ///< default: the newest known
  std::vector<Precision> precisions;                    ///< beyond FP32; empty = not stated
  std::optional<ComputeCapability> compute_capability;  ///< of the GPU; nothing = not stated
  bool dla = false;                                     ///< layers are to run on NVIDIA's DLA, with GPU fallback
  bool strongly_typed = false;        ///< asked for where it is a choice, 9.0 to 10.16: see `is_strongly_typed`
  std::vector<std::string> plugins;   ///< operator names served by the user's plugins
  std::vector<ProfileInput> profile;  ///< optimization profile; empty = none
  std::vector<ShapeFunction> shape_functions;  ///< of operators that nobody else knows
  bool require_profile = false;  ///< nothing but a profile gives sizes: no default of trtexec, see no-profile
  TRTCHECK_API Target();
  [[nodiscard]] TRTCHECK_API bool asks_for(Precision precision) const noexcept;  ///< among `precisions`
};

/// Whether the types of the file are those of the engine, and no cast is inserted: every network from 11.0 on and of
/// TensorRT-RTX; from 9.0 to 10.16 where `target.strongly_typed` asks for it (`trtexec --stronglyTyped`); never before.
[[nodiscard]] TRTCHECK_API bool is_strongly_typed(const Target& target) noexcept;

/// Profile of `target` as ranges for `infer`.
TRTCHECK_API InferOptions infer_options(const Target& target);

enum class Support : std::uint8_t { unknown_op, unsupported, supported, experimental };

/// What a release says of one operator. Only op_type counts: the parser does not look at the domain.
struct OpSupport {
  Support support = Support::unknown_op;      ///< of the release
  bool refused_before_plugins = false;        ///< a static check turns it down, no plugin or function helps (9.1 on)
  bool through_plugin = false;                ///< its importer asks the plugin registry for a plugin that ships
  std::optional<TrtVersion> first_supported;  ///< the first known release that accepts it
  std::optional<TrtVersion> last_supported;   ///< the newest known release that accepts it
  std::optional<TrtVersion> seen;             ///< the newest release in which it was read; nothing: in none
  std::string_view evidence;                  ///< where the statement comes from; empty for an unknown operator
};
TRTCHECK_API OpSupport op_support(std::string_view op_type, TrtVersion release) noexcept;

/// The opsets of the ONNX domain that a release documents.
struct OpsetRange {
  std::int64_t min = 0;       ///< documented
  std::int64_t max = 0;       ///< documented, not enforced by the parser
  std::int64_t highest = 0;   ///< what the maximum may be; the same unless interpolated
  bool interpolated = false;  ///< the release itself was not read
};
TRTCHECK_API OpsetRange opset_range(TrtVersion release) noexcept;

/// A plugin that ships with TensorRT.
struct BuiltinPlugin {
  std::string_view name;             ///< "EfficientNMS_TRT"
  std::string_view version;          ///< "1"
  bool needs_init = false;           ///< from 10.0 the application must call initLibNvInferPlugins
  std::optional<TrtVersion> seen{};  ///< the newest release in which it was read; nothing: in none
};
/// The newest version of the plugin in that release, if it ships there.
TRTCHECK_API std::optional<BuiltinPlugin> builtin_plugin(std::string_view name, TrtVersion release) noexcept;
/// That very version of the plugin, if it ships there.
TRTCHECK_API std::optional<BuiltinPlugin> builtin_plugin(std::string_view name, std::string_view version,
                                                         TrtVersion release) noexcept;
/// Names of all plugins that ship with some known release, sorted.
TRTCHECK_API std::span<const std::string_view> builtin_plugin_names() noexcept;

/// Every operator name with a row in the support table, sorted (for "did you mean").
TRTCHECK_API std::span<const std::string_view> known_operators() noexcept;
/// Operators that TensorRT-RTX imports and no TensorRT release does, sorted.
TRTCHECK_API std::span<const std::string_view> known_rtx_operators() noexcept;

}  // namespace trtcheck
