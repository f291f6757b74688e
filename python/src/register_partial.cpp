#include "owners.hpp"
#include "registers.hpp"

#include <pybind11/stl.h>

#include "model/partial.hpp"
#include "model/skeleton.hpp"

namespace trtcheck::python {
namespace {

// (first byte, byte behind the last one)
using BytePair = std::pair<std::uint64_t, std::uint64_t>;

BytePair range(ByteRange r) { return {r.offset, r.offset + r.length}; }

std::optional<BytePair> next(Skeleton& skeleton, const py::buffer& buffer, std::uint64_t fetched) {
  const BorrowedBuffer memory(buffer);
  const std::optional<ByteRange> want = skeleton.next(memory.bytes(), fetched);
  return want ? std::optional(range(*want)) : std::nullopt;
}

std::vector<BytePair> holes(const Skeleton& skeleton) {
  std::vector<BytePair> made;
  for (const ByteRange hole : skeleton.holes()) made.push_back(range(hole));
  return made;
}

FarFile found(std::optional<std::uint64_t> size, const std::vector<std::pair<std::uint64_t, py::bytes>>& parts) {
  std::vector<FarFile::Part> made;
  for (const auto& [offset, content] : parts) made.push_back({offset, content});
  return FarFile::found(size, std::move(made));
}

/// Asks Python, for (path, ranges) of each file. Called without the GIL.
std::vector<FarFile> ask_for_parts(const py::object& fetch, const std::vector<FarWant>& wants) {
  const py::gil_scoped_acquire locked;
  py::list list;
  for (const FarWant& want : wants) {
    py::list ranges;
    for (const ByteRange wanted : want.ranges) ranges.append(range(wanted));
    list.append(py::make_tuple(py::bytes(want.path), ranges));
  }
  return fetch(list).cast<std::vector<FarFile>>();
}

ModelView read_partial(const py::buffer& buffer, const py::bytes& path, const std::vector<BytePair>& missing,
                       const py::bytes& base_dir, const py::object& fetch) {
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string name = path;
  std::vector<ByteRange> ranges;
  for (const auto& [first, end] : missing) ranges.push_back({first, end - first});
  Beside beside{base_dir, {}};
  if (!fetch.is_none()) beside.fetch = [&](const std::vector<FarWant>& wants) { return ask_for_parts(fetch, wants); };
  std::optional<Model> model;
  {
    const py::gil_scoped_release unlocked;
    model = read_partial_model(memory->bytes(), name, std::move(ranges), beside);
  }
  return {std::make_shared<const OwnedModel>(OwnedModel{std::move(memory), std::move(*model)})};
}

}  // namespace

void register_partial(py::module_& module) {
  py::class_<Skeleton>(module, "Skeleton", "Which bytes of a model are needed, found out while they are fetched.")
      .def(py::init<std::uint64_t>(), py::arg("size"))
      .def("next", &next, py::arg("memory"), py::arg("fetched"))
      .def("holes", &holes);
  py::class_<FarFile>(module, "FarFile", "What was found of a file beside a model at a URL.")
      .def_static("found", &found, py::arg("size"), py::arg("parts"))
      .def_static("missing", &FarFile::missing)
      .def_static("directory", &FarFile::directory)
      .def_static("unknown", &FarFile::unknown, py::arg("why"));
  module.def("read_partial", &read_partial, py::arg("buffer"), py::arg("path"), py::arg("missing"), py::arg("base_dir"),
             py::arg("fetch"));
}

}  // namespace trtcheck::python
