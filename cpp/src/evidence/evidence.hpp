// How a fact about TensorRT is known, as values, and how certain that makes it for a release. The sentences that say so
// are made here and nowhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/rule.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck::evidence {

/// What a version of TensorRT-RTX did with a model in which the fact holds.
enum class Verdict : std::uint8_t {
  refused,
  crashed,
  changed,   ///< it was built, and its results were seen to differ
  ignored,   ///< it was built, and what is not read was seen to make no difference
  built,     ///< it was built; nobody looked at its results
  accepted,  ///< the fact does not hold there
};

struct Measurement {
  TrtVersion first, last;  ///< versions of TensorRT-RTX, both included
  std::string_view span;   ///< the same in words: "1.5 to 1.7"
  Verdict verdict;
};

/// Releases of TensorRT, both included.
struct Span {
  TrtVersion first, last;
};

struct Evidence {
  std::optional<Span> read;                         ///< releases whose sources were opened
  std::span<const Measurement> measured = {};       ///< in the order of their versions
  std::span<const std::string_view> reported = {};  ///< addresses of threads
};

/// Proven: read in the sources of that release of TensorRT, or seen with that version of TensorRT-RTX. Possible: one
/// user reported it, and nothing else is known. Likely: known of other releases only, or reported by several.
[[nodiscard]] Certainty certainty_of(const Evidence& evidence, TrtVersion release) noexcept;

/// What that rests on, where it is not proven: "known up to TensorRT 10.10; 11.5 is assumed to be the same".
/// @param name  of the release, as it is to be written
[[nodiscard]] std::string basis_of(const Evidence& evidence, TrtVersion release, std::string_view name);

/// The evidence itself, in words: "read in the sources of 8.0 to 10.10", "refused by TensorRT-RTX 1.5 to 1.7".
[[nodiscard]] std::vector<std::string> words_of(const Evidence& evidence);

[[nodiscard]] std::string_view to_string(Verdict verdict) noexcept;

/// What was read, or asked of TensorRT-RTX, up to a release: from the oldest one on.
[[nodiscard]] Evidence read_up_to(std::optional<TrtVersion> last);

/// The highest certainty of a rule's findings for that product.
[[nodiscard]] Certainty certainty_of(const Rule& rule, Product product) noexcept;

/// The source is a thread in which users report it.
[[nodiscard]] bool is_report(std::string_view source) noexcept;

}  // namespace trtcheck::evidence
