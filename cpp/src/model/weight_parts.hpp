// The bytes of all elements of a stored tensor, part by part: weights are looked at where they lie and never held.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Little-endian elements as the file has them; a part holds whole elements of 1, 2, 4 or 8 bytes.
using OnPart = std::function<void(std::span<const std::byte>)>;

/// False: there are none to be had (typed fields, behind a URL, a file that cannot be read, is too short, or was
/// written to since the model was read); what came before is worth nothing then.
[[nodiscard]] bool each_part(const Model& model, const Tensor& tensor, const OnPart& on_part);

/// All of them at once, for those who store them anew; also those of a model in the course of its repair, which
/// `each_part` steps over, so that no check reads all weights again.
[[nodiscard]] std::optional<std::vector<std::byte>> all_bytes(const Model& model, const Tensor& tensor);

}  // namespace trtcheck
