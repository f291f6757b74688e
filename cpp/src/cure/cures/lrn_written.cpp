// LRN of a size, or with numbers, that the layer does not have: the sum of squares over channels, as slices.
#include <limits>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::lrn_written {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

Name padded(Writer& w, const Name& x, std::size_t rank, std::int64_t before, std::int64_t behind, DataType type) {
  if (before == 0 && behind == 0) return x;
  Ints pads(2 * rank, 0);
  pads[1] = before;
  pads[rank + 1] = behind;
  constexpr std::int64_t kInputsOpset = 11;
  if (w.draft().opset() < kInputsOpset) return w.op("Pad", {x}, {{"pads", pads}});
  return w.op("Pad", {x, w.draft().ints_constant(pads, "pads"), w.draft().scalar(0, type, "zero")});
}

bool make(Draft& draft, const Finding&) {
  constexpr std::int64_t kMostSlices = 64;
  const auto rank = draft.rank(draft.node().input(0));
  const auto type = draft.type(draft.node().input(0));
  const std::int64_t size = draft.int_attribute("size", 0);
  if (!rank || *rank < 2 || !type || !is_float(*type) || size < 1) return false;
  if (size > kMostSlices) return draft.refuse(fmt::format("it looks at {} channels at a time", size));
  Writer w(draft);
  const Name x = draft.in(0);
  const Name squares = padded(w, w.mul(x, x), *rank, (size - 1) / 2, size / 2, *type);
  Name sum;
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int64_t behind = size - 1 - i;
    const std::int64_t end = behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind;
    const Name part = size == 1 ? squares : w.slice(squares, {i}, {end}, {1});
    sum = sum.empty() ? part : w.add(sum, part);
  }
  const auto number = [&](std::string_view name, double value) { return draft.scalar(value, *type, name); };
  const double alpha = static_cast<double>(draft.float_attribute("alpha", 1e-4F)) / static_cast<double>(size);
  const Name base = w.add(w.mul(sum, number("alpha", alpha)), number("bias", draft.float_attribute("bias", 1)));
  draft.becomes(0, w.div(x, w.op("Pow", {base, number("beta", draft.float_attribute("beta", 0.75F))})));
  draft.remove();
  draft.title(fmt::format("write LRN as a sum over {} channels", size));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:lrn-alpha", "OPS401:lrn-beta", "OPS401:lrn-bias", "OPS401:lrn-size"};
constexpr std::string_view kOps[] = {"LRN"};

}  // namespace

extern constinit const Cure cure{
    .name = "lrn-written",
    .kind = CureClass::rounding,
    .summary = "LRN of a size or with numbers that the layer does not have is written out",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::lrn_written
