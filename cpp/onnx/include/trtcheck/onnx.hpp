// Checks, repairs, simplifies and annotates an `onnx::ModelProto` in memory, for programs that build models with the
// onnx library.
//
//     onnx::ModelProto model = ...;
//     const trtcheck::Report report = trtcheck::check(model, {});
//     if (report.verdict() == trtcheck::Verdict::refused) {
//       const trtcheck::FixedProto fixed = trtcheck::fix(model);  // `model` is the repaired one now
//     }
//
// What comes out is what comes out for the file that the message would be: the same findings, fingerprints and bytes.
//
// Nothing of this is compiled into libtrtcheck, which neither needs nor has onnx and protobuf: this header is compiled
// as part of the program, with the onnx and the protobuf that the program has (lite or not, whatever
// `ONNX_NAMESPACE`), and its functions are hidden. With CMake: find_package(trtcheck COMPONENTS onnx), and the target
// trtcheck::onnx.
//
// Memory: `raw_data` is neither copied nor read, unless a check asks for weights, which it reads a megabyte at a time.
// The structure (nodes, names, types, and weights in typed fields such as `float_data`) is copied twice. `fix`,
// `simplify` and `annotate` move `raw_data` from the old message to the new one. A message of 2 GiB and more, which
// protobuf cannot write, is an Error; external data does not count.
//
// A message must not be changed while it is used here; several threads may check one message at once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/annotate.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/onnx/weights.hpp>
#include <trtcheck/onnx/written.hpp>
#include <trtcheck/simplify.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// A message that was read: for whatever accepts a `Model`, `Analysis` for instance. Borrows the message, which must
/// outlive it unchanged.
class ProtoModel {
 public:
  /// @param base_dir  where external data would be ("" = not resolved)
  /// @throws Error    a limit of `limits` exceeded; 2 GiB and more
  [[gnu::visibility("hidden")]] explicit ProtoModel(const proto::ModelProto& message, const std::string& base_dir = {},
                                                    const Limits& limits = {})
      : ProtoModel(std::make_shared<const proto::Written>(message), base_dir, limits) {}
  explicit ProtoModel(const proto::ModelProto&& message, const std::string& base_dir = {},
                      const Limits& limits = {}) = delete;  ///< which would not live long enough

  [[nodiscard]] const Model& model() const noexcept { return model_; }  ///< ids and views stay valid when it is moved
  /// The value of that name in the main graph, else none.
  [[nodiscard]] ValueId value(std::string_view name) const noexcept {
    for (std::uint32_t i = 0; i < model_.value_count(); ++i) {
      const Value& value = model_.value(ValueId{i});
      if (value.graph == GraphId{0} && value.name == name) return ValueId{i};
    }
    return {};
  }

 private:
  [[gnu::visibility("hidden")]] ProtoModel(const std::shared_ptr<const proto::Written>& written,
                                           const std::string& base_dir, const Limits& limits)
      : written_(written), model_(read_model(written->parts(), base_dir, limits)) {}

  std::shared_ptr<const void> written_;  // the model reads of it later
  Model model_;
};

/// What inference found out about a message. Borrows it as `ProtoModel` does.
struct ProtoShapes {
  ProtoModel opened;  ///< to look values up in
  Shapes shapes;      ///< of the values of `opened.model()`

  /// Of a value of the main graph: "FLOAT[N,64,112,112]"; "?" = there is no such value, or nothing is known of it.
  [[nodiscard]] std::string text(std::string_view name) const { return shapes.text(opened.value(name)); }
};

/// What `fix` did to a message.
struct FixedProto {
  Report before;                     ///< of the message as it was
  Report after;                      ///< of the message as it is now
  std::vector<AppliedCure> applied;  ///< in the order in which they were made; empty = the message was left as it was
  std::vector<LeftFinding> left;     ///< errors and warnings that remain
};

/// What `simplify` did to a message.
struct SimplifiedProto {
  ModelCounts before;                   ///< of the message as it was
  ModelCounts after;                    ///< of the message as it is now
  std::vector<Simplification> applied;  ///< in the order in which they were made
  std::vector<std::string> left;        ///< why something was left as it was, one line each
};

#pragma GCC visibility push(hidden)

/// What `annotate` did to a message.
struct AnnotatedProto {
  std::size_t added = 0;                          ///< values that had no declaration before
  std::size_t refined = 0;                        ///< declarations that were completed
  std::vector<UnknownShape> unknown;              ///< in the order of the message
  std::vector<DeclaredOtherwise> contradictions;  ///< in the order of the message; they were kept
  std::vector<ImpossibleNode> impossible;         ///< in execution order
};

/// @param base_dir  where external data would be ("" = not resolved)
/// @throws Error    an option makes no sense; 2 GiB and more
[[nodiscard]] inline Report check(const proto::ModelProto& message, const CheckOptions& options = {},
                                  const std::string& base_dir = {}) {
  return check(ProtoModel(message, base_dir, options.limits).model(), options);
}

/// Types and shapes of all values. @throws Error  as `check`
[[nodiscard]] inline ProtoShapes infer(const proto::ModelProto& message, const InferOptions& options = {},
                                       const std::string& base_dir = {}) {
  ProtoModel opened(message, base_dir);
  Shapes shapes = infer(opened.model(), options);
  return {std::move(opened), std::move(shapes)};
}
[[nodiscard]] ProtoShapes infer(const proto::ModelProto&& message, const InferOptions& options = {},
                                const std::string& base_dir = {}) = delete;  ///< which would not live long enough

/// Repairs the message in its place, as `fix` repairs a file. Nothing was applied, or an exception: it is as it was.
/// @throws Error  as `check`; sizes that were asked for cannot be
inline FixedProto fix(proto::ModelProto& message, const FixOptions& options = {}, const std::string& base_dir = {}) {
  const proto::Written written(message);
  const Fixed fixed = fix(written.parts(), options, base_dir);
  FixedProto made{.before = fixed.before(),
                  .after = fixed.after(),
                  .applied = {fixed.applied().begin(), fixed.applied().end()},
                  .left = {fixed.left().begin(), fixed.left().end()}};
  if (fixed.is_changed()) proto::take_over(message, written, fixed);
  return made;
}

/// Simplifies the message in its place, as `simplify` does it with a file.
/// @throws Error  as `check`; the message is as it was
inline SimplifiedProto simplify(proto::ModelProto& message, const SimplifyOptions& options = {},
                                const std::string& base_dir = {}) {
  const proto::Written written(message);
  const Simplified simple = simplify(written.parts(), options, base_dir);
  SimplifiedProto made{.before = simple.before(),
                       .after = simple.after(),
                       .applied = {simple.applied().begin(), simple.applied().end()},
                       .left = {simple.left().begin(), simple.left().end()}};
  if (simple.is_changed()) proto::take_over(message, written, simple);
  return made;
}

/// Writes inferred shapes into the message, as `annotate` does it with a file.
/// @throws Error  as `check`; the message is as it was
inline AnnotatedProto annotate(proto::ModelProto& message, const AnnotateOptions& options = {},
                               const std::string& base_dir = {}) {
  const proto::Written written(message);
  const Annotated annotated = annotate(written.parts(), options, base_dir);
  AnnotatedProto made{.added = annotated.added(),
                      .refined = annotated.refined(),
                      .unknown = {annotated.unknown().begin(), annotated.unknown().end()},
                      .contradictions = {annotated.contradictions().begin(), annotated.contradictions().end()},
                      .impossible = {annotated.impossible().begin(), annotated.impossible().end()}};
  if (annotated.is_changed()) proto::take_over(message, written, annotated);
  return made;
}

#pragma GCC visibility pop

}  // namespace trtcheck
