#include "cli/layers_forms.hpp"

#include <span>
#include <utility>

#include "cli/open_model.hpp"
#include "cli/terminal.hpp"
#include "report/envelope.hpp"

namespace trtcheck::cli {
namespace {

/// As `check` takes them: what it finds with measured ranges counts here, too.
CheckOptions options_of(const LayersRequest& request) {
  Settings settings = SettingsResolver(request.config, request.overrides).for_model(request.path);
  load_ranges(settings);
  return settings.check;
}

}  // namespace

OpenedLayers::OpenedLayers(const LayersRequest& request)
    : OpenedLayers(open_model(request.path), options_of(request)) {}

OpenedLayers::OpenedLayers(Model model, const CheckOptions& options)
    : model_(std::move(model)), analysis_(model_), of_(analysis_, options) {}

void write(const LayersRequest& request, const LayersForms& forms) {
  std::string text;
  switch (request.output.format) {
    case Format::json:
      text = report::document_text(forms.json());
      break;
    case Format::concise:
      text = forms.concise();
      break;
    case Format::html:
      text = forms.html();
      break;
    default:
      text = forms.full(report::Style(use_color(request.output)));
      break;
  }
  write_output(request.output, text, std::span(&request.path, 1));
}

}  // namespace trtcheck::cli
