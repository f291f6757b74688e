// `trtcheck profile`: an optimization profile for the dynamic inputs of a model, and the commands that take it.
#include <span>

#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/profile_options.hpp"
#include "cli/terminal.hpp"

namespace trtcheck::cli {

int run(const ProfileRequest& request) {
  const Model model = open_model(request.path);
  const ProfileProposal proposal = [&] {
    try {
      return propose(model, request.options);
    } catch (const Error& error) {
      throw Error(request.path, error.what());
    }
  }();
  const RenderOptions how{.format = request.output.format, .color = use_color(request.output)};
  write_output(request.output, render(proposal, how), std::span(&request.path, 1));
  return proposal.fits() ? kExitClean : kExitFindings;
}

}  // namespace trtcheck::cli
