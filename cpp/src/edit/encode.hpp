// New messages as the wire format has them.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/edit.hpp>

namespace trtcheck::edit {

/// Contents of messages, without tag and length of the field that holds them.
[[nodiscard]] std::string encode_attribute(const AttributeValue& attribute);
[[nodiscard]] std::string encode_tensor(std::string_view name, const TensorValue& tensor);
[[nodiscard]] std::string encode_value_info(std::string_view name, const TypeValue& type);
[[nodiscard]] std::string encode_type(const TypeValue& type);
[[nodiscard]] std::string encode_opset(std::string_view domain, std::int64_t version);
[[nodiscard]] std::string encode_pair(std::string_view key, std::string_view value);

/// A whole field of a text, with its tag.
[[nodiscard]] std::string text_field(std::uint32_t field, std::string_view text);
/// A whole field of a small number.
[[nodiscard]] std::string number_field(std::uint32_t field, std::uint32_t number);
/// The same field once for each text.
[[nodiscard]] std::string text_fields(std::uint32_t field, const std::vector<std::string>& texts);

}  // namespace trtcheck::edit
