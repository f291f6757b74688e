// The one exception of the library: something could not be read or written.
//
// Everything that is wrong with a *model* is a finding (finding.hpp); `Error` means that there was no
// model to speak of, or that an option made no sense.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <trtcheck/export.hpp>

namespace trtcheck {

/// `what()` is one line, `path: cause` or `path: cause (at byte N)`, without a full stop.
class TRTCHECK_API Error : public std::runtime_error {
 public:
  /// @param path   the file or argument that is at fault; may be empty
  /// @param cause  lower case, one line, no full stop
  /// @param offset the byte in the file where reading stopped
  Error(std::string path, std::string cause, std::optional<std::uint64_t> offset = std::nullopt);
  ~Error() override;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }    ///< "" = no file is at fault
  [[nodiscard]] const std::string& cause() const noexcept { return cause_; }  ///< without the path
  [[nodiscard]] std::optional<std::uint64_t> offset() const noexcept {
    return offset_;
  }  ///< in bytes from the start of the file

 private:
  std::string path_;
  std::string cause_;
  std::optional<std::uint64_t> offset_;
};

}  // namespace trtcheck
