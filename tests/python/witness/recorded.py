#!/usr/bin/env python3
"""A witness for machines without one: it says what TensorRT-RTX 1.7.1 said of the models in examples/models.

It answers as `trtcheck-witness` does; a model of another name counts as the healthy one.
"""

import json
import sys
from pathlib import Path

ANSWERS = json.loads(Path(__file__).with_name("answers.json").read_text())


def answer(words: list[str]) -> dict[str, object]:
    made = dict(ANSWERS.get(Path(words[-1]).name, ANSWERS["healthy_shufflenet.onnx"]), model=words[-1])
    if made["parsed"] and "--profile" not in words and words[-1] != "--self-test":
        made |= {"built": None, "not_built": "input `x` is dynamic and has no profile", "engine_bytes": None}
        made["seconds"] = {"parse": 0.001, "build": None}
    return made


print(json.dumps(answer(sys.argv[1:])))
