#include "owners.hpp"
#include "registers.hpp"

#include <pybind11/stl.h>

#include "model/partial.hpp"
#include "model/skeleton.hpp"

namespace trtcheck::python {
namespace {

// (first byte, byte behind the last one)
using Range = std::pair<std::uint64_t, std::uint64_t>;

Range range(ByteRange r) { return {r.offset, r.offset + r.length}; }

std::optional<Range> next(Skeleton& skeleton, const py::buffer& buffer, std::uint64_t fetched) {
  const BorrowedBuffer memory(buffer);
  const std::optional<ByteRange> want = skeleton.next(memory.bytes(), fetched);
  return want ? std::optional(range(*want)) : std::nullopt;
}

std::vector<Range> holes(const Skeleton& skeleton) {
  std::vector<Range> made;
  for (const ByteRange hole : skeleton.holes()) made.push_back(range(hole));
  return made;
}

ModelView read_partial(const py::buffer& buffer, const py::bytes& path, const std::vector<Range>& missing) {
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string name = path;
  std::vector<ByteRange> ranges;
  for (const auto& [first, end] : missing) ranges.push_back({first, end - first});
  std::optional<Model> model;
  {
    const py::gil_scoped_release unlocked;
    model = read_partial_model(memory->bytes(), name, std::move(ranges));
  }
  return {std::make_shared<const OwnedModel>(OwnedModel{std::move(memory), std::move(*model)})};
}

}  // namespace

void register_partial(py::module_& module) {
  py::class_<Skeleton>(module, "Skeleton", "Which bytes of a model are needed, found out while they are fetched.")
      .def(py::init<std::uint64_t>(), py::arg("size"))
      .def("next", &next, py::arg("memory"), py::arg("fetched"))
      .def("holes", &holes);
  module.def("read_partial", &read_partial, py::arg("buffer"), py::arg("path"), py::arg("missing"));
}

}  // namespace trtcheck::python
