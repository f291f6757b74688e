#include "cli/check_options.hpp"

#include "rules/run_selection.hpp"

namespace trtcheck::cli {
namespace {

Target make_target(const CheckWords& words) {
  Target target;
  target.release = parsed("--target", words.target, parse_release);
  for (const std::string& word : words.precisions) {
    target.precisions.push_back(parsed("--precision", word, parse_precision));
  }
  if (!words.compute_capability.empty()) {
    target.compute_capability = parsed("--compute-capability", words.compute_capability, parse_compute_capability);
  }
  target.plugins = words.plugins;
  for (const std::string& word : words.profiles) target.profile.push_back(parsed("--profile", word, parse_profile));
  return target;
}

}  // namespace

void CheckWords::add_to(CLI::App& app) {
  app.add_option("PATH", paths, "ONNX files")->required()->type_name("");
  app.add_option("--target", target, "such as 8.6 (default: the newest known)")->type_name("RELEASE");
  add_list(app, "--precision", precisions, "fp16, bf16, int8, fp8, ...; repeatable")->type_name("NAME");
  app.add_option("--compute-capability", compute_capability, "of the GPU, such as 8.6")->type_name("X.Y");
  add_list(app, "--plugin", plugins, "operator of your plugin; repeatable")->type_name("NAME");
  add_list(app, "--profile", profiles, "size range of an input; repeatable")->type_name("NAME=MIN:OPT:MAX");
  add_list(app, "--select", select, "only these codes, prefixes or names")->type_name("RULES");
  add_list(app, "--ignore", ignore, "not these; wins over --select")->type_name("RULES");
  app.add_option("--fail-on", fail_on, "error (default), warning, info, never")->type_name("SEVERITY");
  outputs.add_to(app);
}

CheckRequest CheckWords::request() const {
  constexpr std::array<std::string_view, 4> kSeverities{"info", "warning", "error", "never"};
  CheckRequest request;
  request.paths = paths;
  request.options.target = make_target(*this);
  request.options.select = select;
  request.options.ignore = ignore;
  static_cast<void>(parsed("--select", "", [this](const std::string&) { return rules::Selection(select, {}); }));
  static_cast<void>(parsed("--ignore", "", [this](const std::string&) { return rules::Selection({}, ignore); }));
  request.fail_on = static_cast<FailOn>(choose("--fail-on", fail_on, kSeverities));
  request.outputs = outputs.requests();
  return request;
}

}  // namespace trtcheck::cli
