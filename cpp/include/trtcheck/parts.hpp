// A model in memory that does not lie in one place: a program that builds models has written their structure, and holds
// weights elsewhere. Nothing large is copied.
//
//     trtcheck::Parts parts;
//     parts.add(beginning);  // std::span<const std::byte>
//     parts.add(weights);
//     parts.add(rest);
//     const trtcheck::Report report = trtcheck::check(trtcheck::read_model(parts), {});
//
// Joined in order, the parts are the model as a file would hold it. `fix` and `simplify` accept them, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck {

/// Bytes of a model, borrowed: they must outlive what is made of them, and stay as they are. A copy borrows the same
/// ones.
class TRTCHECK_API Parts {
 public:
  void add(std::span<const std::byte> part);                           ///< after the others
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }  ///< of all, in bytes
  void read(std::uint64_t offset, std::span<std::byte> into) const;    ///< @pre it ends within the parts

 private:
  struct Part {
    std::uint64_t at;  ///< first byte among all
    std::span<const std::byte> bytes;
  };
  std::vector<Part> parts_;
  std::uint64_t size_ = 0;
};

/// Structure and small constants are copied; large weights are read where they lie, when a check asks for them.
/// @param base_dir  where external data would be ("" = not resolved)
/// @throws Error    malformed protobuf (with byte offset), a limit of `limits` exceeded
TRTCHECK_API Model read_model(const Parts& parts, std::string base_dir = {}, const Limits& limits = {});

}  // namespace trtcheck
