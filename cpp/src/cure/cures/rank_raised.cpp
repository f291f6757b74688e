// Operators that the release does not accept for vectors, or with one spatial axis: an axis of size 1 comes and goes.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::rank_raised {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

/// The node with another input and output, and what is in between.
Name again(Draft& draft, Draft::Inputs inputs, Draft::Attributes attributes) {
  const Name made = draft.fresh(fmt::format("{}/{}", draft.out(0), draft.node().op_type));
  draft.again(std::move(inputs), {made}, std::move(attributes));
  return made;
}

bool raise_vector(Writer& w) {
  Draft& draft = w.draft();
  if (draft.rank(draft.node().input(0)) != 1U) return false;
  const Name row = w.unsqueeze(draft.in(0), {0});
  const Name made = again(draft, {row}, {{"axis", std::int64_t{1}}});
  const bool loses_axis = draft.node().op_type.starts_with("Arg") && draft.int_attribute("keepdims", 1) == 0;
  // Without its axis [1] is left, which is to be a scalar.
  draft.becomes(0, w.squeeze(made, {0}));
  draft.title(loses_axis ? "give the vector a first axis of size 1, which goes again"
                         : "give the vector a first axis of size 1 and remove it after the node");
  return true;
}

bool raise_left(Writer& w) {
  Draft& draft = w.draft();
  if (draft.rank(draft.node().input(0)) != 1U) return false;
  const Name made = w.matmul(w.unsqueeze(draft.in(0), {0}), draft.in(1));
  draft.becomes(0, w.squeeze(made, {-2}));
  draft.title("make the vector a matrix of one row");
  return true;
}

/// [batch, channels, length] gets a spatial axis of size 1 before the last.
bool raise_spatial(Writer& w) {
  Draft& draft = w.draft();
  if (draft.rank(draft.node().input(0)) != 3U) return false;
  Draft::Attributes attributes;
  const auto lead = [&](std::string_view name, std::int64_t value) {
    if (std::optional<Ints> given = draft.ints_attribute(name); given && given->size() == 1) {
      given->insert(given->begin(), value);
      attributes.push_back({std::string(name), *given});
    }
  };
  lead("kernel_shape", 1);
  lead("strides", 1);
  lead("dilations", 1);
  if (const std::optional<Ints> pads = draft.ints_attribute("pads"); pads && pads->size() == 2) {
    attributes.push_back({"pads", Ints{0, pads->front(), 0, pads->back()}});
  }
  const Name made = again(draft, {w.unsqueeze(draft.in(0), {2})}, std::move(attributes));
  draft.becomes(0, w.squeeze(made, {2}));
  draft.title("give the data a second spatial axis of size 1 and remove it after the node");
  return true;
}

/// [batch, channels] has nothing to pool over: one element for each channel.
bool raise_pooled(Writer& w) {
  Draft& draft = w.draft();
  if (draft.rank(draft.node().input(0)) != 2U) return false;
  draft.becomes(0, w.squeeze(again(draft, {w.unsqueeze(draft.in(0), {2})}, {}), {2}));
  draft.title("give the data a spatial axis of size 1 and remove it after the node");
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  Writer w(draft);
  const bool is_made = finding.fact == "matmul-vector-left"                           ? raise_left(w)
                       : finding.fact == "global-pool-rank"                           ? raise_pooled(w)
                       : finding.fact == "lp-pool-rank" || finding.fact == "lrn-rank" ? raise_spatial(w)
                                                                                      : raise_vector(w);
  if (is_made) draft.remove();
  return is_made;
}

constexpr std::string_view kFindings[] = {"OPS401:arg-extremum-rank",  "OPS401:global-pool-rank", "OPS401:hardmax-rank",
                                          "OPS401:log-softmax-rank",   "OPS401:lp-pool-rank",     "OPS401:lrn-rank",
                                          "OPS401:matmul-vector-left", "OPS401:softmax-vector"};

}  // namespace

extern constinit const Cure cure{
    .name = "rank-raised",
    .kind = CureClass::rounding,
    .summary = "data of too few axes get one of size 1, which is removed after the node",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::rank_raised
