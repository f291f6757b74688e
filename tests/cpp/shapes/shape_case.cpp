#include "shape_case.hpp"

#include "inferred.hpp"

namespace trtcheck::test {

namespace {

Inferred run(const ShapeCase& c) {
  const std::string nodes = c.nodes;
  std::string text =
      "<ir_version: 10, opset_import: [\"\" : " + std::to_string(c.opset) +
      ", \"ai.onnx.ml\" : 5, \"ai.onnx.preview\" : 1, \"ai.onnx.preview.training\" : 1, \"com.microsoft\" : 1, "
      "\"com.microsoft.nchwc\" : 1, \"com.ms.internal.nhwc\" : 17, \"TRT\" : 1]>\ng (";
  text.append(c.inputs).append(") => (y");
  for (const char* name : {", z", ", u"}) {
    if (nodes.find(name) < nodes.rfind(" = ")) text.append(name);
  }
  text.append(")");
  if (*c.constants != '\0') text.append(" <").append(c.constants).append(">");
  text.append(" { ").append(nodes).append(" }");
  return Inferred(text, c.opset);
}

}  // namespace

std::string inferred_text(const ShapeCase& c) {
  const Inferred result = run(c);
  std::string out;
  for (const ValueId id : result.model().graph().outputs) {
    if (!out.empty()) out.append("; ");
    out.append(result.shapes().text(id));
  }
  for (const Conflict& conflict : result.shapes().conflicts())
    out.append(conflict.is_of_standard ? " ~~ " : conflict.taken_as.empty() ? " ! " : " ~ ").append(conflict.message);
  return out;
}

std::string obligation_text(const ShapeCase& c) {
  const Inferred result = run(c);
  DimTable& dims = result.shapes().dims();
  std::string out;
  for (const Obligation& o : result.shapes().obligations()) {
    if (!out.empty()) out.append("\n");
    out.append(dims.text(o.a)).append(" ? ").append(dims.text(o.b)).append(": ").append(o.why);
  }
  return out;
}

}  // namespace trtcheck::test
