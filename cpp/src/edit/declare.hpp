// A declaration of a file that becomes another one.
#pragma once

#include <trtcheck/edit.hpp>

#include "edit/document.hpp"

namespace trtcheck::edit {

/// Makes a ValueInfoProto declare that type. What says it already stays byte for byte, and so do documentation,
/// metadata and denotations of what is declared.
void declare(Message& value_info, const TypeValue& type);

}  // namespace trtcheck::edit
