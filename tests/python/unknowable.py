"""Outputs of onnx's node tests of which nobody can say more, and why: operator by operator, for each protocol."""

from __future__ import annotations

_DATA = {
    "ImageDecoder": "the file says how large the picture is",
    "NonMaxSuppression": "as many rows as boxes overlap little enough",
    "NonZero": "as many columns as there are elements that are not 0",
    "OptionalGetElement": "what an optional holds is not followed yet",
    "StringNormalizer": "stop words are left out",
    "StringSplit": "as many columns as the longest line has parts",
    "Unique": "as many elements as differ",
}

_INPUTS = {
    "AffineGrid": "the size is an input",
    "BlackmanWindow": "the size is an input",
    "CenterCropPad": "the shape is an input",
    "Col2Im": "the shapes of image and block are inputs",
    "Compress": "as many as the condition, an input, selects",
    "ConstantOfShape": "the shape is an input",
    "DFT": "one-sided: which axis becomes shorter is an input",
    "Expand": "the target shape is an input, and sizes of 1 and new axes become what it says",
    "HammingWindow": "the size is an input",
    "HannWindow": "the size is an input",
    "Loop": "the number of iterations is an input",
    "MaxUnpool": "the output shape is an input",
    "MelWeightMatrix": "sizes are inputs",
    "OneHot": "the depth is an input",
    "Pad": "the pads are an input",
    "Range": "its ends are inputs",
    "ReduceL1": "which axes go is an input",
    "ReduceL2": "which axes go is an input",
    "ReduceLogSum": "which axes go is an input",
    "ReduceLogSumExp": "which axes go is an input",
    "ReduceMax": "which axes go is an input",
    "ReduceMean": "which axes go is an input",
    "ReduceMin": "which axes go is an input",
    "ReduceProd": "which axes go is an input",
    "ReduceSum": "which axes go is an input",
    "ReduceSumSquare": "which axes go is an input",
    "Reshape": "the target shape is an input",
    "Resize": "sizes or scales are an input",
    "STFT": "step and length of a frame are inputs",
    "Slice": "where it starts and ends is an input",
    "Split": "the sizes of the parts are an input",
    "Squeeze": "which axes go is an input, and more than that many are 1",
    "Tile": "the repeats are an input",
    "TopK": "k is an input",
    "Unsqueeze": "which axes come is an input",
    "Upsample": "the scales are an input",
}

_NAMES = {
    "GatherND": "the length of an index, which decides the rank, is a name",
}

#: Protocol, operator, reason.
UNKNOWABLE: dict[str, dict[str, str]] = {
    "constants": _DATA,
    "blind": _DATA | _INPUTS,
    "symbolic": _DATA | _INPUTS | _NAMES,
}
