#include "fields.hpp"
#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_views.hpp"

#include <pybind11/stl.h>

#include <map>
#include <tuple>
#include <type_traits>

#include "partition/fields.hpp"

namespace trtcheck::python {
namespace {

using PartitionValues =
    std::tuple<CrossingTensor, OperatorCount, GraphPiece, RefusedNode, PartitionOutcome, PartitionCause, ProviderOption,
               PartitionBox, PartitionLink, PartitionGraph, PartitionReport>;

/// @param output  None: pieces are not written
PartitionReport partition_model(const ModelView& model, const Target& target, std::vector<std::string> select,
                                std::vector<std::string> ignore, bool ort, std::vector<std::string> exclude,
                                std::size_t least_nodes, const std::optional<py::bytes>& output) {
  PartitionOptions options{.check = {}, .ort = ort, .exclude = std::move(exclude), .least_nodes = least_nodes};
  options.check.target = target;
  options.check.select = std::move(select);
  options.check.ignore = std::move(ignore);
  const std::string folder = output ? std::string(*output) : std::string();
  const py::gil_scoped_release unlocked;
  PartitionReport made = partition(model.owner->model, options);
  if (!folder.empty()) write_pieces(made.path, made, folder, options.check);
  return made;
}

using Extent = std::vector<std::int64_t>;
using ProfileShapes = std::map<std::string, std::tuple<Extent, Extent, Extent>>;

ProfileShapes profile_shapes(const PartitionReport& report) {
  ProfileShapes made;
  for (const ProfileInput& input : report.profile) {
    made.emplace(input.name, std::tuple(input.min, input.opt, input.max));
  }
  return made;
}

template <class Value, class Words>
void add_part(py::module_& module, const char* name, const char* doc, const Words& words) {
  py::class_<Value> made(module, name, doc);
  add_fields(made);
  made.def("__repr__", [name, words](const Value& v) { return text(std::string("<") + name + ": " + words(v) + ">"); });
  add_own_pickling<PartitionValues>(made);
  add_views(made);
}

void register_parts(py::module_& module) {
  add_part<CrossingTensor>(module, "CrossingTensor", "A tensor between a piece and what is around it.",
                           [](const CrossingTensor& v) { return v.name + " " + v.type; });
  add_part<OperatorCount>(module, "OperatorCount", "Nodes of one operator.",
                          [](const OperatorCount& v) { return std::to_string(v.count) + " " + v.op_type; });
  add_part<GraphPiece>(module, "GraphPiece", "Nodes that the parser accepts together.", [](const GraphPiece& v) {
    return std::to_string(v.number) + ", " + std::to_string(v.nodes.size()) + " nodes";
  });
  add_part<RefusedNode>(module, "RefusedNode", "A node that runs elsewhere, and why.",
                        [](const RefusedNode& v) { return v.op_type + " " + v.node; });
  add_part<PartitionOutcome>(module, "PartitionOutcome", "What would become of the model.",
                             [](const PartitionOutcome& v) {
                               return std::to_string(v.engines) + " engines, " + std::to_string(v.nodes) + " nodes";
                             });
  add_part<PartitionCause>(module, "PartitionCause", "Nodes that are refused for one reason.",
                           [](const PartitionCause& v) { return std::to_string(v.count) + " " + v.op_type; });
  add_part<ProviderOption>(module, "ProviderOption", "An option of the provider.",
                           [](const ProviderOption& v) { return v.name + "=" + v.value; });
  add_part<PartitionBox>(module, "PartitionBox", "A box of the picture.",
                         [](const PartitionBox& v) { return v.op_type + " " + v.name; });
  add_part<PartitionLink>(module, "PartitionLink", "A tensor between two boxes.",
                          [](const PartitionLink& v) { return v.value; });
  add_part<PartitionGraph>(module, "PartitionGraph", "What a picture of the main graph shows.",
                           [](const PartitionGraph& v) { return std::to_string(v.boxes.size()) + " boxes"; });
}

}  // namespace

void register_partition(py::module_& module) {
  register_parts(module);
  py::class_<PartitionReport> made(module, "PartitionReport", R"(The pieces of one model.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  report::for_each_field<PartitionReport>([&]<class Member>(const report::Field<PartitionReport, Member>& field) {
    if constexpr (!std::is_same_v<Member, std::vector<ProfileInput>>) {
      const auto get = [member = field.member](const PartitionReport& v) { return attribute(v.*member); };
      made.def_property_readonly(field.name, get, py::return_value_policy::reference, field.doc);
    }
  });
  made.def_property_readonly("profile", &profile_shapes,
                             "Smallest, best and largest shape by dynamic input, those of pieces included.")
      .def(
          "to_json", [](const PartitionReport& v) { return text(render(v, {.format = Format::json})); },
          "The JSON document that `trtcheck partition --output-format json` prints.")
      .def(
          "to_html", [](const PartitionReport& v) { return text(render(v, {.format = Format::html})); },
          "The page that `trtcheck partition --output-format html` prints.")
      .def(
          "to_dict", [](const PartitionReport& v) { return parsed(text(render(v, {.format = Format::json}))); },
          "The same document as Python values.")
      .def("__str__", [](const PartitionReport& v) { return text(render(v, {.format = Format::full})); })
      .def("__repr__", [](const PartitionReport& v) {
        return text("<PartitionReport: " + std::to_string(v.now.engines) + " engines, " +
                    std::to_string(v.refused.size()) + " nodes elsewhere>");
      });
  add_own_pickling<PartitionValues>(made);
  add_html(made);
  module.def("partition", &partition_model, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("select"),
             py::arg("ignore"), py::arg("ort"), py::arg("exclude"), py::arg("least_nodes"), py::arg("output"));
}

}  // namespace trtcheck::python
