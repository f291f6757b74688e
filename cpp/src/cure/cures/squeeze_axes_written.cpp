// Squeeze without axes, on a shape with sizes that are not known: which axes go is written down.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::squeeze_axes_written {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  const ValueId x = draft.node().input(0);
  if (!draft.rank(x)) return draft.refuse(fmt::format("the rank of `{}` is not known", draft.in(0)));
  Writer::Ints axes;
  bool is_certain = true;
  const std::span<const Dim> dims = draft.shapes()[x].dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_literal() && dims[i].value() == 1) axes.push_back(static_cast<std::int64_t>(i));
    if (!dims[i].is_literal() && draft.dims().equal(dims[i], draft.dims().literal(1)) != Truth::no) is_certain = false;
  }
  // With a size of 1 at run time its axis would go, too: the output that the model declares says that it does not.
  const bool is_declared = draft.rank(draft.node().output(0)) == dims.size() - axes.size();
  if (!is_certain && !is_declared) draft.promises(CureClass::choice);
  constexpr std::int64_t kAxesAsInput = 13;
  if (draft.opset() >= kAxesAsInput) {
    draft.set_input(1, draft.ints_constant(axes, "axes"));
  } else {
    draft.set_attribute("axes", axes);
  }
  draft.title(fmt::format("write the axes of `Squeeze`: [{}]", fmt::join(axes, ", ")));
  return true;
}

constexpr std::string_view kOps[] = {"Squeeze"};
constexpr std::string_view kFindings[] = {"OPS401:squeeze-dynamic"};

}  // namespace

extern constinit const Cure cure{
    .name = "squeeze-axes-written",
    .kind = CureClass::proven,
    .summary = "axes of Squeeze that follow from the declared shapes are written down",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::squeeze_axes_written
