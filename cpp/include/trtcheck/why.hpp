// Where a size comes from: the way back to inputs and constants of the model, or to where an unknown begins.
//
//     const trtcheck::Why why = trtcheck::why(model, {}, output, 1);
//     for (const trtcheck::WhyStep& step : why.steps) std::cout << step.text << " = " << step.size << "\n";
//
// A place of an input of a node counts as a source when the size stands on it: the shape function of the node is asked,
// with another size there. Where a node hands a size on as it is, that input is followed, and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// One place on the way.
struct WhyStep {
  /// What a step is.
  enum class Kind : std::uint8_t {
    input,     ///< of the model
    constant,  ///< an initializer, or the contents of a Constant
    computed,  ///< by `node`, from the steps of `from`
    decided,   ///< by `node` itself: its attributes, or what the operator is
    claimed,   ///< the file says so, and nothing else is known
    unknown,   ///< an unknown begins here: `reason`
  };
  Kind kind = Kind::computed;              ///< what makes it
  std::string value{};                     ///< name of the tensor
  std::string graph{};                     ///< path of its graph: "main", "main/If_3.then_branch"
  std::optional<std::size_t> axis{};       ///< of the tensor; nothing: an element, or the shape as a whole
  std::optional<std::size_t> element{};    ///< of its contents
  std::string text{};                      ///< "`y` axis 1"
  std::string size{};                      ///< "2*N", "64", "?"; of a whole shape "FLOAT[...]"
  std::string node{};                      ///< label of the node that makes the tensor; "" = none
  std::string op_type{};                   ///< of that node
  std::string reason{};                    ///< of an unknown that begins here
  std::string module{};                    ///< of the PyTorch program, as in a finding
  std::optional<SourceLocation> source{};  ///< of that node, as in a finding
  std::vector<std::size_t> from{};         ///< places of steps behind this one, or of one before it
};
[[nodiscard]] TRTCHECK_API std::string_view to_string(WhyStep::Kind kind) noexcept;  ///< "input"

/// The way back from one size, or from each size of a value.
struct Why {
  std::string value{};                ///< that was asked about
  std::string graph{};                ///< that it is in
  std::optional<std::size_t> axis{};  ///< nothing: all of them
  std::string shape{};                ///< "FLOAT[N,64]"
  std::vector<std::size_t> starts{};  ///< the steps that were asked about
  std::vector<WhyStep> steps{};       ///< breadth first
  bool is_cut = false;                ///< there is more of it
};

/// @pre options are those of the shapes that the question is about
/// @throws Error  the value has no such axis
[[nodiscard]] TRTCHECK_API Why why(const Model& model, const InferOptions& options, ValueId value,
                                   std::optional<std::size_t> axis = std::nullopt);

/// Something that a node needs of sizes, in words, with the ways back of both sides.
struct SizeDemand {
  std::string text{};                      ///< "`past_len + seq_len` must equal `mask_len`"
  std::string because{};                   ///< "inputs broadcast against each other"
  std::string node{};                      ///< that needs it first
  std::string op_type{};                   ///< of that node
  std::size_t others = 0;                  ///< further nodes that need the same
  std::optional<SourceLocation> source{};  ///< of the node, as in a finding
  std::vector<WhyStep> steps{};            ///< as of a `Why`: where the sizes come from
};

/// Two things that cannot both hold, with the ways back of both.
struct SizeConflict {
  std::string message{};                   ///< as of a `Conflict`
  std::string node{};                      ///< where it happens
  std::string op_type{};                   ///< of that node
  std::string value{};                     ///< the tensor at fault; "" = none
  std::optional<std::size_t> axis{};       ///< of that tensor
  std::string taken_as{};                  ///< as of a `Conflict`
  std::optional<SourceLocation> source{};  ///< of the node, as in a finding
  std::vector<std::string> sides{};        ///< "`a` axis 1 is 6: constant `w` axis 0, through Conv `c`"
  std::vector<WhyStep> steps{};            ///< as of a `Why`
};

/// What a model asks of its sizes, and what cannot hold.
struct SizeFacts {
  std::vector<SizeDemand> demands{};      ///< each once, in the order of the nodes
  std::vector<SizeConflict> conflicts{};  ///< those of branches that are never taken are left out
};

/// @param with_ways  demands have their ways back, too, which asks the shape functions for each; conflicts always have
/// @pre shapes are those of `infer(model, options)`
[[nodiscard]] TRTCHECK_API SizeFacts size_facts(const Model& model, const Shapes& shapes, const InferOptions& options,
                                                bool with_ways = true);

}  // namespace trtcheck
