// Finds NVIDIA's libraries and our program that loads them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/confirm.hpp>

namespace trtcheck::witness {

struct Libraries {
  std::string library;  ///< "" = the program finds them by name
  std::string parser;
};

/// Pairs of library and parser in the folder itself, in a wheel's package in it, or in a Python environment there; in
/// one place the newest first.
[[nodiscard]] std::vector<Libraries> all_libraries_in(const std::filesystem::path& folder);
/// The first of them.
[[nodiscard]] std::optional<Libraries> libraries_in(const std::filesystem::path& folder);

/// `trtcheck-witness` beside the program, library or extension that holds this function.
/// @throws Error  it is not installed
[[nodiscard]] std::string find_program();

/// Where to look, in turn, when nobody named a place. What the environment names is looked up when it is called.
[[nodiscard]] std::vector<std::filesystem::path> usual_folders(const std::vector<std::string>& folders);

/// Who may be asked, without product and release: one, or all that are kept in the cache, where nothing is found before
/// it: the names of folders do not say what is the newest. The program is not yet trusted.
/// @throws Error  nothing is where it was said to be, or there is no program
[[nodiscard]] std::vector<Witness> locate(const WitnessSearch& search);

/// All of them, in the order in which they are looked for.
/// @throws Error  as `locate`
[[nodiscard]] std::vector<Witness> locate_all(const WitnessSearch& search);

}  // namespace trtcheck::witness
