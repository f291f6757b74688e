// The oracle: a model as protoc's reader sees it, against ours.
#pragma once

#include <string>

#include <onnx/onnx_pb.h>

#include <trtcheck/model.hpp>

namespace trtcheck::test {

/// Where the two first differ, "graph.node[3].attribute[0].ints"; empty: they are equal.
std::string first_difference(const onnx::ModelProto& proto, const Model& model);

}  // namespace trtcheck::test
