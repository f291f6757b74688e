// One function per format of a matrix, and what they share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/matrix.hpp>

namespace trtcheck::matrix_formats {

[[nodiscard]] std::string render_full(std::span<const Matrix> matrices, const RenderOptions& options);
[[nodiscard]] std::string render_json(std::span<const Matrix> matrices, const RenderOptions& options);
[[nodiscard]] std::string render_markdown(std::span<const Matrix> matrices, const RenderOptions& options);
[[nodiscard]] std::string render_html(std::span<const Matrix> matrices, const RenderOptions& options);

/// The table of the releases, and the lines below it.
[[nodiscard]] std::string html_table(const Matrix& matrix);

/// Of a range, so many deciding findings are told; the others are counted.
inline constexpr std::size_t kMostTold = 5;

/// "8.0 .. 8.4", "10.13"
[[nodiscard]] std::string releases_text(const MatrixRange& range);
/// "TensorRT 8.0 .. 11.5, TensorRT-RTX 1.5 .. 1.7": the first and the last that were asked.
[[nodiscard]] std::string asked_text(const Matrix& matrix);
/// Findings that decide and are not told: "and 12 more", "and 312 more, 300 of them not listed"; "" = all are told.
[[nodiscard]] std::string more_text(const MatrixRange& range);
/// Where it is: the node, else the tensor; "" = the whole model. Any bytes.
[[nodiscard]] const std::string& place_of(const Finding& finding) noexcept;
/// "2 of 18 models; 16 not checked: ..." in a line; "" when no model is missing, or there was one only.
[[nodiscard]] std::string partial_text(std::span<const Matrix> matrices, const RenderOptions& options);
/// One line each: "TensorRT: clean from 8.6 on (newest 11.5)"; any bytes are printable.
[[nodiscard]] std::vector<std::string> taken_texts(const Matrix& matrix);

}  // namespace trtcheck::matrix_formats
