// Python where this program is part of its environment: for what only a Python library can do.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::cli {

/// The first of: what TRTCHECK_PYTHON names, `python3` beside this program, `python3` in VIRTUAL_ENV, `python3` of the
/// search path.
[[nodiscard]] std::string find_python();

/// What `trtcheck.<module>.main()` prints on standard output. It gets the arguments in sys.argv[1:], says what it
/// cannot do in one line on standard error, and ends with exit code 2 then.
/// @param need  what is to be installed, for the error when Python or trtcheck in it is missing
/// @param said  gets the end of what it has printed on standard error so far, ten times in a second
/// @throws Error  Python cannot be started, knows no trtcheck, or ended in any other way than with exit code 0
[[nodiscard]] std::string run_python(std::string_view module, const std::vector<std::string>& arguments,
                                     std::string_view need, std::function<void(const std::string&)> said = {});
/// Without its line break; "" of an empty text.
[[nodiscard]] std::string last_line(const std::string& text);

}  // namespace trtcheck::cli
