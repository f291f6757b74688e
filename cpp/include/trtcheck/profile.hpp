// An optimization profile for a model that comes without one.
//
//     const trtcheck::Model model = trtcheck::read_model("model.onnx");
//     const trtcheck::ProfileProposal proposal = trtcheck::propose(model, {});
//     for (const trtcheck::SizeChoice& choice : proposal.choices) std::cout << choice.name << ": " << choice.why <<
//     "\n"; std::cout << proposal.commands.front().text << "\n";      // trtexec --onnx=model.onnx --minShapes=...
//
// Sizes are those that people use, moved to the nearest ones that meet the conditions of shape inference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// Sizes of one named dim, in elements: what the caller requires of it.
struct SizeRange {
  std::string name;      ///< `batch`; of an axis without a name `x.dim2`, axis 2 of input `x`
  std::int64_t min = 0;  ///< smallest
  std::int64_t opt = 0;  ///< best; 0 = to be chosen between the others
  std::int64_t max = 0;  ///< largest

  friend bool operator==(const SizeRange&, const SizeRange&) = default;  ///< same name and sizes
};
/// "batch=4", "batch=1..8", "batch=1:4:8".
/// @throws Error  malformed, not min <= opt <= max, or not from 1 to 2147483647
TRTCHECK_API SizeRange parse_size_range(std::string_view text);

/// What a proposal goes by.
struct ProposeOptions {
  std::vector<ProfileInput> given;  ///< inputs that have a profile already
  std::vector<SizeRange> dims;      ///< sizes that are wanted
  Target target;                    ///< what the proposal is checked for; its profile does not count
};

/// What one dim became, and why.
struct SizeChoice {
  std::string name;               ///< as in SizeRange
  std::vector<std::string> axes;  ///< "axis 0 of `x`", where it stands
  std::int64_t min = 0;           ///< smallest
  std::int64_t opt = 0;           ///< best
  std::int64_t max = 0;           ///< largest
  std::string why;                ///< one line
};

/// A command that uses the profile, quoted for a POSIX shell.
struct ProfileCommand {
  std::string tool;  ///< "trtexec", "polygraphy", "trtcheck"
  std::string text;  ///< one line
};
/// An optimization profile that fits what was inferred, and what is to be said of it.
struct ProfileProposal {
  std::string path;                      ///< of the model; "" = from memory
  std::vector<ProfileInput> inputs;      ///< those given, then those proposed; empty: no input is dynamic
  std::vector<SizeChoice> choices;       ///< in the order of the inputs
  std::vector<std::string> shapeless;    ///< inputs that state no shape: nothing can be proposed
  std::vector<std::string> valued;       ///< inputs whose values are a shape: the builder requires values, too
  std::vector<Finding> findings;         ///< what the check says of this profile (rules SHP and PRF)
  std::vector<ProfileCommand> commands;  ///< empty where an input states no shape, or nothing fits
  /// No finding is an error.
  [[nodiscard]] TRTCHECK_API bool fits() const noexcept;
};

/// @throws Error  a profile of an input that does not exist, a dim that no input has, or that is given two sizes
TRTCHECK_API ProfileProposal propose(const Model& model, const ProposeOptions& options);

/// The inputs alone, without those in `given`, and without a check of what comes out.
/// @throws Error  a profile of an input that does not exist
TRTCHECK_API std::vector<ProfileInput> propose_profile(const Model& model, std::span<const ProfileInput> given = {});

/// Ends in a newline.
/// @throws Error  there is no such format (there are full and json)
TRTCHECK_API std::string render(const ProfileProposal& proposal, const RenderOptions& options);

}  // namespace trtcheck
