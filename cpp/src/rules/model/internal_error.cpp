#include "rules/rule_context.hpp"

#include "rules/list.hpp"

namespace trtcheck::rules::internal_error {

extern constinit const Rule rule{
    .code = "MDL900",
    .name = "internal-error",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .summary = "a rule of trtcheck failed, so what it would have found is missing",
    .docs = R"(## What it checks
Nothing: this is how a rule that failed is reported. The other findings are complete.

## Why TensorRT cares
It does not. What the failed rule would have said is unknown, so the model must not pass for checked.

## Fix
Please report the model, or a small part of it, to the authors of trtcheck.
)",
};

}  // namespace trtcheck::rules::internal_error
