// Repairs a model of bytes; what it shows of trtcheck and of onnx is nothing.
#include <cstddef>

#include <trtcheck/onnx.hpp>

/// What users declare may hold what the header declares.
struct Gate {
  trtcheck::ProtoShapes shapes;
  trtcheck::FixedProto fixed;
};

/// The errors that are left; -1 = no model, -2 = an Error.
extern "C" int gate_errors(const char* bytes, int size) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes, size)) return -1;
  try {
    const trtcheck::FixedProto fixed = trtcheck::fix(model);
    if (trtcheck::simplify(model).left.size() > 1000) return -3;
    const Gate gate{trtcheck::infer(model), fixed};
    if (gate.shapes.opened.model().node_count() != fixed.after.node_count) return -4;
    return static_cast<int>(trtcheck::check(model).count(trtcheck::Severity::error));
  } catch (const trtcheck::Error&) {
    return -2;
  }
}
