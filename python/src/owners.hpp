// What keeps a model's bytes alive behind the views that Python holds.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/layers.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck::python {

namespace py = pybind11;

/// A Python buffer, held for as long as this lives. Made and destroyed with the GIL held.
class BorrowedBuffer {
 public:
  /// @throws py::error_already_set  no buffer, or not contiguous
  explicit BorrowedBuffer(const py::object& object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw py::error_already_set();
  }
  BorrowedBuffer(const BorrowedBuffer&) = delete;
  BorrowedBuffer& operator=(const BorrowedBuffer&) = delete;
  ~BorrowedBuffer() { PyBuffer_Release(&view_); }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

/// A model together with the memory it was read from (none when it maps a file). Destroyed model first.
struct OwnedModel {
  std::unique_ptr<BorrowedBuffer> memory;
  Model model;
};
using ModelPtr = std::shared_ptr<const OwnedModel>;

struct ModelView {
  ModelPtr owner;
};

/// One entry of a model's tables.
template <class IdType>
struct View {
  ModelPtr owner;
  IdType id;

  friend bool operator==(const View&, const View&) = default;
};
using NodeView = View<NodeId>;
using ValueView = View<ValueId>;
using GraphView = View<GraphId>;
using TensorView = View<TensorId>;
using TypeView = View<TypeId>;

struct AttributeView {
  ModelPtr owner;
  const Attribute* attribute;
  NodeId node;        ///< that states it
  std::size_t index;  ///< among those of the node
};

inline const Node& get(const NodeView& v) { return v.owner->model.node(v.id); }
inline const Value& get(const ValueView& v) { return v.owner->model.value(v.id); }
inline const Graph& get(const GraphView& v) { return v.owner->model.graph(v.id); }
inline const Tensor& get(const TensorView& v) { return v.owner->model.tensor(v.id); }
inline const Type& get(const TypeView& v) { return v.owner->model.type(v.id); }

/// "none" ids become None.
template <class IdType>
std::optional<View<IdType>> view(const ModelPtr& owner, IdType id) {
  return id ? std::optional(View<IdType>{owner, id}) : std::nullopt;
}

/// What is known of a model, for checks against several targets.
struct OwnedAnalysis {
  ModelPtr owner;
  Analysis analysis;
};

/// What shapes were inferred for: with the same one, a second inference makes the same dims.
struct Inferred {
  Target target;
  bool as_tensorrt = false;
  std::vector<std::string> assume{};
};

/// Shapes of a model. Questions to the dim table may add entries: one at a time.
struct OwnedShapes {
  ModelPtr model;
  Inferred by;
  Shapes shapes;
  std::vector<Layer> layers;                    ///< how they run on the target; empty unless somebody asked
  std::map<std::string_view, ValueId> by_name;  ///< values of the main graph
  mutable std::mutex mutex;

  /// Infers. Does not need the GIL.
  OwnedShapes(ModelPtr owner, Inferred for_what);
  /// As they were inferred.
  [[nodiscard]] InferOptions options() const;
  /// With the layers, of which only the work makes dims.
  void add_layers();
};
using ShapesPtr = std::shared_ptr<const OwnedShapes>;

/// The same Python object for one owner as long as it lives, so that a pickle holds a model once.
template <class Owned>
py::object owner_object(const std::shared_ptr<const Owned>& owner) {
  return py::cast(std::const_pointer_cast<Owned>(owner));
}
template <class Owned>
std::shared_ptr<const Owned> owner_from(const py::handle& object) {
  return object.cast<std::shared_ptr<Owned>>();
}

struct ShapesView {
  ShapesPtr owner;
};

}  // namespace trtcheck::python
