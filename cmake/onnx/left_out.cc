// The inliner, which schemas with a function body name, can convert versions. Nothing of trtcheck asks it to, and the
// converter is not built.
#include <stdexcept>

#include "onnx/onnx_pb.h"

namespace onnx::version_conversion {

ModelProto ConvertVersion(const ModelProto&, int);

ModelProto ConvertVersion(const ModelProto&, int) { throw std::logic_error("the version converter is not built"); }

}  // namespace onnx::version_conversion
