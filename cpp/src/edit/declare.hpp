// Declarations of a file that become other ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/edit.hpp>

#include "edit/document.hpp"

namespace trtcheck::edit {

/// What holds tensors.
enum class Holder : std::uint8_t { sequence, optional, map_by_int64, map_by_string };

/// What `DeclareType` says, of tensors in holders too.
struct Declaration {
  GraphAt graph{};
  std::string name{};
  TypeValue type{};              ///< of the tensors
  std::vector<Holder> within{};  ///< outermost first; empty = the value is a tensor
};

/// A whole TypeProto.
[[nodiscard]] std::string encode_declared(const Declaration& declaration);
/// A whole ValueInfoProto.
[[nodiscard]] std::string encode_declaration(const Declaration& declaration);

/// Makes a ValueInfoProto declare the type. What says it already stays byte for byte, and so do documentation,
/// metadata and denotations of what is declared.
void declare(Message& value_info, const Declaration& declaration);

/// The file of the model with these declarations.
/// @throws Error  a place does not exist
[[nodiscard]] Pieces declared(const Model& model, std::span<const Declaration> declarations);

}  // namespace trtcheck::edit
