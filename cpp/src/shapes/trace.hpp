// What a size is made of: one node back at a time, asked of the shape functions themselves.
//
// A place of an input is given a size of its own and the node is inferred once more: what changes stands on it. So no
// operator needs a second description of how its axes belong together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// An axis of a value, an element of its contents, or its shape as a whole.
struct TracePlace {
  enum class Part : std::uint8_t { shape, axis, element };
  ValueId value;
  Part part = Part::shape;
  std::uint32_t index = 0;
  friend bool operator==(const TracePlace&, const TracePlace&) = default;
};

class Tracer {
 public:
  /// Infers once more: the dims are those of `infer(model, options)`.
  Tracer(const Model& model, const InferOptions& options);
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  [[nodiscard]] const Shapes& shapes() const noexcept;
  /// The size at an axis or an element; nothing: not known, or the place is a whole shape.
  [[nodiscard]] std::optional<Dim> at(const TracePlace& place) const noexcept;

  /// What the place is made of: of the inputs of the node that makes it, of the body that it comes from, or of what is
  /// handed to the body. Empty: an input of the model, a constant, or the node decides it by itself.
  [[nodiscard]] std::vector<TracePlace> sources(const TracePlace& place);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trtcheck
