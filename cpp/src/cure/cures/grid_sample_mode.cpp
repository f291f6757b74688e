// GridSample with the words of opset 20, which releases before 11.2 do not know: what is the default is left out.
#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::grid_sample_mode {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  if (draft.text_attribute("mode", "linear") != "linear") {
    return draft.refuse("the word for cubic sampling of opset 20 is read as another mode: export with opset 16 to 19");
  }
  draft.drop_attribute("mode");
  draft.title("leave out `mode` = \"linear\", which is the default under both of its names");
  return true;
}

constexpr std::string_view kOps[] = {"GridSample"};
constexpr std::string_view kFindings[] = {"OPS411:grid-sample-mode"};

}  // namespace

extern constinit const Cure cure{
    .name = "grid-sample-mode",
    .kind = CureClass::proven,
    .summary = "a word for the default mode of GridSample is left out",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::grid_sample_mode
