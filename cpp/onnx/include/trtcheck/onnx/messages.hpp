// The onnx that the program has: its header, and the namespace of its messages.
#pragma once

// A program that makes the messages itself includes what it made in front of ours.
#if __has_include(<onnx/onnx_pb.h>)
#include <onnx/onnx_pb.h>
#endif

namespace trtcheck::proto {

#ifdef ONNX_NAMESPACE
namespace messages = ::ONNX_NAMESPACE;
#else
namespace messages = ::onnx;
#endif
using messages::AttributeProto;
using messages::GraphProto;
using messages::ModelProto;
using messages::NodeProto;
using messages::SparseTensorProto;
using messages::TensorProto;

}  // namespace trtcheck::proto
