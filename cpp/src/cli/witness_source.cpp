#include "cli/witness_source.hpp"

#include <utility>

#include <trtcheck/error.hpp>

#include "cli/all_models.hpp"
#include "cli/interrupts.hpp"
#include "cli/memory_file.hpp"
#include "cli/open_model.hpp"
#include "model/fetch.hpp"

namespace trtcheck::cli {
namespace {

Confirmation confirm_text(const std::string& path, const Witness& witness, const ConfirmOptions& options) {
  const Bytes binary = as_binary(path);
  const MemoryFile file(binary.span());
  return confirm(read_model(Bytes::borrow(binary.span()), path, options.check.limits), file.path(), witness, options);
}

}  // namespace

std::optional<FoundWitnesses> witnesses_unless_interrupted(WitnessSearch search) {
  search.cancelled = [] { return received_interrupt() != 0; };
  try {
    return find_witnesses(search);
  } catch (const Error&) {
    if (received_interrupt() != 0) return std::nullopt;
    throw;
  }
}

std::optional<Witness> witness_unless_interrupted(const std::string& who) {
  std::optional<FoundWitnesses> found = witnesses_unless_interrupted({.path = who, .program = {}, .folders = {}});
  return found ? std::optional(std::move(found->witnesses.back())) : std::nullopt;
}

Confirmation confirm_source(const Source& source, const Witness& witness, ConfirmOptions options) {
  if (source.is_standard_input()) throw Error(source.word(), "the witness reads files, not standard input");
  const std::string& path = source.path();
  bool was_cancelled = false;
  options.cancelled = [&was_cancelled] {
    was_cancelled = received_interrupt() != 0;
    return was_cancelled;
  };
  Confirmation made = is_text_form(path) ? confirm_text(path, witness, options) : confirm(path, witness, options);
  if (was_cancelled && made.testimony == Testimony::not_judged) throw Interrupted{};
  return made;
}

}  // namespace trtcheck::cli
