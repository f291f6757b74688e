// For cures of element types and quantization: constants in another type, casts, and what stands in a node's place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cure/draft.hpp"

namespace trtcheck::cure {

struct Converted {
  Constant constant;
  bool exact = true;  ///< false: numbers were rounded
};
/// The elements in another type. Nothing: one is out of range, or a fraction does not become an integer.
[[nodiscard]] std::optional<Converted> converted(const Constant& constant, DataType to);

/// Contents of what follows from constants; of what the file stores however large it is.
[[nodiscard]] std::optional<Constant> stored(Draft& draft, ValueId id);

[[nodiscard]] Constant constant_of(DataType type, std::vector<std::int64_t> dims, const std::vector<double>& numbers);
[[nodiscard]] Constant constant_of(DataType type, std::vector<std::int64_t> dims,
                                   const std::vector<std::int64_t>& numbers);

/// A Cast of the value. @returns name of the result
std::string cast(Draft& draft, const std::string& value, DataType to);
void cast_to(Draft& draft, const std::string& output, const std::string& value, DataType to);
/// A node with the attributes, metadata and documentation of the draft's node.
void like_node(Draft& draft, std::string_view op_type, Draft::Inputs inputs, std::vector<std::string> outputs,
               Draft::Attributes attributes = {});

/// The constant under the name of the output that a node made; the node goes.
void store_output(Draft& draft, NodeId node, const Constant& constant);

/// Takes a stored tensor away whose readers all read another one, or are gone. To be called at the end.
void drop_stored(Draft& draft, ValueId id);

[[nodiscard]] std::string name_of(const Draft& draft, ValueId id);
/// None where nobody makes it.
[[nodiscard]] NodeId producer(const Draft& draft, ValueId id);
[[nodiscard]] bool is_onnx_op(const Draft& draft, NodeId node, std::string_view op_type);

}  // namespace trtcheck::cure
