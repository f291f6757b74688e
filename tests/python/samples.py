"""Small models in ONNX text for the tests of the Python side."""

from __future__ import annotations

import onnx
import onnx.parser

HEALTHY = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,3] x) => (float[N,3] y) { a = Relu (x)  y = Add (a, x) }"""

# `Foo` needs a plugin that nobody named.
REFUSED = """<ir_version: 8, opset_import: ["" : 17, "custom" : 1]>
main (float[N,3] x) => (float[N,3] y) { a = Relu (x)  b = custom.Foo (a)  y = Add (b, a) }"""

# Every kind of attribute that the text syntax knows, a body, an omitted input, initializers.
RICH = """<ir_version: 9, producer_name: "hand", opset_import: ["" : 17], metadata_props: ["a": "b"]>
main (float[1,4,H,8] x, bool c) => (float[1,4,h,w] z)
<float[2] scale = {1.0, 2.0}, int64[1] one = {1}> {
  [conv] y = MaxPool <kernel_shape = [2, 2], auto_pad = "VALID", ceil_mode = 0> (x)
  k = Constant <value = float[2] {3.0, 4.0}> ()
  q = Clip (y, , one_f)
  one_f = Constant <value_float = 6.0> ()
  z = If (c) <
    then_branch = yes () => (float[1,4,h,w] t) { t = Relu (y) },
    else_branch = no () => (float[1,4,h,w] e) { e = Identity (y) }
  >
}"""


def proto(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(text)


def serialized(text: str) -> bytes:
    return proto(text).SerializeToString()
