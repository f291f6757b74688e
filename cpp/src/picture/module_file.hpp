// Where the module with the layout library lies.
#pragma once

#include <string>
#include <vector>

namespace trtcheck::picture {

/// Files in which it is looked for, in turn: all stand in a fixed relation to the program, the extension or the library
/// that holds this function, wherever that was installed to.
[[nodiscard]] std::vector<std::string> module_places();

/// The first of these that is there. It will be run as code: what belongs neither to root, nor to the caller, nor to
/// the owner of the program is passed over.
/// @throws Error  there is none
[[nodiscard]] std::string find_module();

}  // namespace trtcheck::picture
