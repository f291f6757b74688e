#include "partition/partitioned.hpp"

#include <algorithm>

#include "view/inference_options.hpp"

namespace trtcheck::partitioning {
namespace {

Provider provider_of(const PartitionOptions& options) {
  if (!options.ort) return Provider::parser;
  return options.check.target.release.product == Product::rtx ? Provider::rtx : Provider::tensorrt;
}

}  // namespace

Partitioned::Partitioned(const Model& model, const PartitionOptions& options, std::size_t& bodies_left, bool is_body)
    : shapes(infer(model, symbolic_options(options.check.target))),
      uses(model),
      line(line_of(model, uses, provider_of(options))),
      asked{model, shapes, uses, line, options, provider_of(options), is_body},
      sizes(model, shapes, uses, options.check.target),
      bodies(ask_bodies(asked, sizes, bodies_left)),
      found(refusals(asked, bodies)),
      rules{.provider = asked.provider, .least_nodes = std::max<std::size_t>(options.least_nodes, 1)},
      nothing_runs(!found.whole_model.empty() || !found.ends_session.empty()) {
  if (!nothing_runs) made = cut(line, verdicts(asked, found), rules);
}

}  // namespace trtcheck::partitioning
