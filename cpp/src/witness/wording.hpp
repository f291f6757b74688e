// A confirmation in words, for the formats that people read, and one function for each format.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/confirm.hpp>

namespace trtcheck::witness {

[[nodiscard]] std::string render_full(std::span<const Confirmation> all, const RenderOptions& options);
[[nodiscard]] std::string render_json(std::span<const Confirmation> all, const RenderOptions& options);
[[nodiscard]] std::string render_markdown(std::span<const Confirmation> all, const RenderOptions& options);
[[nodiscard]] std::string render_html(std::span<const Confirmation> all, const RenderOptions& options);

// All of it may hold any bytes of a model or of a message: make it fit for the format.

/// "TensorRT-RTX 1.7.1"
[[nodiscard]] std::string name_of(const Witness& witness);
/// "TensorRT-RTX 1.7.1 says `kernel weights has count 12 but 8 was expected`", of the first line that tells something.
[[nodiscard]] std::string saying_text(const Witness& witness, const WitnessMessage& message);
/// "TensorRT 10.16 (TensorRT-RTX 1.4.0)": the branch that it was built from; without one the name.
[[nodiscard]] std::string branch_text(const Witness& witness);
/// The answers about one model, of one witness or of several that were asked.
[[nodiscard]] std::vector<std::span<const Confirmation>> by_model(std::span<const Confirmation> all);
/// Who was asked about any of them, in that order.
[[nodiscard]] std::vector<Witness> witnesses_of(std::span<const Confirmation> all);
/// Of that witness about a model: "refused, agree"; "" = it was not asked.
[[nodiscard]] std::string answer_text(std::span<const Confirmation> of_model, const Witness& witness);
/// "TensorRT 8.6"
[[nodiscard]] std::string release_text(TrtVersion release);
/// "refused by TensorRT-RTX 1.7.1, as predicted for TensorRT rtx-1.7"
[[nodiscard]] std::string outcome_text(const Confirmation& confirmation);
/// "refused for TensorRT 11.5: 1 error"
[[nodiscard]] std::string prediction_text(const Report& report);
/// Of the release that was named, beside the one of the witness: "predicted refused: 1 error; not asked". "" = there is
/// none.
[[nodiscard]] std::string requested_text(const Confirmation& confirmation);
/// "error[QDQ104] scale-length: scale ... has 10 values", of the first findings; the last line counts the others.
[[nodiscard]] std::vector<std::string> finding_texts(const Report& report);
/// What the answers do not say of the releases that were named, in one line; "" = all were asked.
[[nodiscard]] std::string caution_text(std::span<const Confirmation> all);
/// "DequantizeLinear `/dq_1` in main/If_3.then_branch"; "" = no node was found
[[nodiscard]] std::string node_text(const WitnessMessage& message);
/// "net.py:12 in forward: y = f(x)"; "" = not recorded
[[nodiscard]] std::string source_text(const WitnessMessage& message);
/// "QDQ104 scale-length, which was predicted"; "" = no rule knows the message
[[nodiscard]] std::string rule_text(const WitnessMessage& message);
/// "x=1x3x224x224:1x3x224x224:8x3x224x224 (proposed)"; "" = none
[[nodiscard]] std::string profile_text(const Confirmation& confirmation);
/// "parsed in 0.002 s, built in 0.4 s, engine of 1.2 MB"; "" = nothing was measured
[[nodiscard]] std::string measured_text(const Confirmation& confirmation);
/// "8 models: 5 agree, 1 not predicted, 1 false alarm, 1 not judged"; of several witnesses "8 models, 4 witnesses".
[[nodiscard]] std::string summary_text(std::span<const Confirmation> all, std::span<const Failure> failures);

}  // namespace trtcheck::witness
