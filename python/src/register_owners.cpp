// What views of a model hold together: they are pickled by what they are a view of and their place in it.
#include "checked_report.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "view/inference_options.hpp"

#include <pybind11/stl.h>

#include "model/model_data.hpp"
#include "model/partial.hpp"

namespace trtcheck::python {

OwnedShapes::OwnedShapes(ModelPtr owner, Inferred for_what)
    : model(std::move(owner)), by(std::move(for_what)), shapes(infer(model->model, options())) {
  const Model& m = model->model;
  for (std::uint32_t i = 0; i < m.value_count(); ++i) {
    const Value& value = m.value(ValueId{i});
    if (value.graph == GraphId{0}) by_name.emplace(value.name, ValueId{i});
  }
}

InferOptions OwnedShapes::options() const {
  InferOptions made = inference_options(model->model, by.target);
  made.as_tensorrt = by.as_tensorrt;
  made.assume = by.assume;
  return made;
}

void OwnedShapes::add_layers() { layers = trtcheck::layers(model->model, shapes, by.target); }

namespace {

py::bytes part(std::span<const std::byte> all, std::uint64_t first, std::uint64_t end) {
  return {reinterpret_cast<const char*>(all.data()) + first, static_cast<py::ssize_t>(end - first)};
}

/// What was read of the file: weights stay behind.
py::tuple model_state(const OwnedModel& owned) {
  const std::span<const std::byte> all = owned.model.bytes();
  py::list parts;
  py::list holes;
  std::uint64_t at = 0;
  for (const ByteRange hole : ModelAccess::data(owned.model).missing) {
    parts.append(py::make_tuple(at, part(all, at, hole.offset)));
    holes.append(py::make_tuple(hole.offset, hole.length));
    at = end_of(hole);
  }
  parts.append(py::make_tuple(at, part(all, at, all.size())));
  return py::make_tuple(kFormat, py::bytes(owned.model.path()), py::bytes(owned.model.base_dir()), all.size(), parts,
                        holes);
}

/// Memory that costs what is written to it.
py::object memory_of(std::uint64_t size, const py::handle& parts) {
  if (size == 0) return py::bytes();
  const py::object memory = py::module_::import("mmap").attr("mmap")(-1, size);
  for (const py::handle each : parts) {
    const auto [offset, content] = each.cast<std::pair<std::uint64_t, py::bytes>>();
    memory[py::slice(static_cast<py::ssize_t>(offset), static_cast<py::ssize_t>(offset + py::len(content)), 1)] =
        content;
  }
  return memory;
}

std::shared_ptr<OwnedModel> model_from(const py::tuple& state) {
  if (state.size() != 6 || !is_format(state[0])) refuse_state();
  auto memory = std::make_unique<BorrowedBuffer>(memory_of(state[3].cast<std::uint64_t>(), state[4]));
  std::vector<ByteRange> missing;
  for (const py::handle each : state[5]) {
    const auto [offset, length] = each.cast<std::pair<std::uint64_t, std::uint64_t>>();
    missing.push_back({offset, length});
  }
  Model model = read_partial_model(memory->bytes(), state[1].cast<std::string>(), std::move(missing),
                                   {state[2].cast<std::string>(), {}});
  return std::make_shared<OwnedModel>(OwnedModel{std::move(memory), std::move(model)});
}

py::tuple shapes_state(const std::shared_ptr<OwnedShapes>& owned) {
  return py::make_tuple(kFormat, owner_object(owned->model), state_of(owned->by.target), owned->by.as_tensorrt,
                        !owned->layers.empty(), state_of(owned->by.assume));
}

std::shared_ptr<OwnedShapes> shapes_from(const py::tuple& state) {
  if (state.size() != 6 || !is_format(state[0])) refuse_state();
  Inferred by;
  restore(by.assume, state[5]);
  restore(by.target, state[2]);
  by.as_tensorrt = state[3].cast<bool>();
  const ModelPtr model = owner_from<OwnedModel>(state[1]);
  const bool has_layers = state[4].cast<bool>();
  const py::gil_scoped_release unlocked;
  auto made = std::make_shared<OwnedShapes>(model, std::move(by));
  if (has_layers) made->add_layers();
  return made;
}

/// They never change: a copy is the same.
template <class Class>
void keep_in_copies(Class& made) {
  made.def("__copy__", [](const py::object& self) { return self; });
  made.def(
      "__deepcopy__", [](const py::object& self, const py::object&) { return self; }, py::arg("memo"));
}

}  // namespace

void register_owners(py::module_& module) {
  py::class_<OwnedModel, std::shared_ptr<OwnedModel>> model(module, "OwnedModel", "What views of a model share.");
  add_pickling<decltype(model), &model_state, &model_from>(model);
  keep_in_copies(model);
  py::class_<OwnedShapes, std::shared_ptr<OwnedShapes>> shapes(module, "OwnedShapes", "What shapes of a model share.");
  shapes.def(py::init(&shapes_from), py::arg("state"), "For pickle.");
  shapes.def("__reduce__", [](const py::object& self) -> py::typing::Tuple<py::object, py::tuple> {
    return py::make_tuple(py::type::of(self), py::make_tuple(shapes_state(self.cast<std::shared_ptr<OwnedShapes>>())));
  });
  keep_in_copies(shapes);
}

}  // namespace trtcheck::python
