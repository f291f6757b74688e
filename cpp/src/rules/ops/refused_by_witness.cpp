#include "rules/rule_context.hpp"

#include "rules/list.hpp"

namespace trtcheck::rules::refused_by_witness {
namespace {

constexpr std::string_view kEvidence[] = {"NVIDIA's own parser and builder, asked on this machine: docs/confirm.md"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS900",
    .name = "refused-by-witness",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .summary = "NVIDIA's own parser or builder refuses the model, and no rule predicted it",
    .docs = R"(## What it checks
Nothing in the file: this is how `trtcheck check --confirm` reports that NVIDIA's own parser or builder (the witness), asked on
this machine, refuses a model of which no rule said so. The finding has the text that it printed and the node that the text is about.

For the release of the witness itself it is an error, *proven*; for other releases with the same first number an error, *likely*:
the witness is TensorRT-RTX, built from a branch of TensorRT 11. For all others it is a warning, *possible*: they were not asked.

## Why TensorRT cares
It was asked, and said no. A process that crashed in NVIDIA's code counts as refused, too.

## Fix
What the text asks for. `trtcheck explain "TEXT"` says whether a rule knows the text. Please report the model, or a small part
of it, to the authors of trtcheck: then it becomes a rule, with the line to change.

## Evidence
The answer of the witness, which stands in the finding.
)",
    .evidence = kEvidence,
};

}  // namespace trtcheck::rules::refused_by_witness
