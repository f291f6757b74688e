#include "witness/ask.hpp"

#include <fmt/format.h>
#include <string.h>

#include <csignal>
#include <utility>

#include "target/profile_text.hpp"
#include "text/lines.hpp"
#include "text/printable.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kLastLines = 5;

/// "parser" or "builder": where it was, by what our program says of itself.
std::string stage_in(std::string_view errors) {
  return errors.find("trtcheck-witness: building") == std::string_view::npos ? "parser" : "builder";
}

std::string last_lines(std::string_view errors) {
  std::vector<std::string_view> lines;
  while (!errors.empty()) {
    const std::string_view line = next_line(errors);
    if (!line.empty() && !line.starts_with("trtcheck-witness: ")) lines.push_back(line);
  }
  if (lines.size() > kLastLines) lines.erase(lines.begin(), lines.end() - kLastLines);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

bool is_about_memory(std::string_view text) {
  for (const std::string_view words :
       {"bad_alloc", "out of memory", "OutOfMemory", "annot allocate memory", "cannot map", "failed to map"}) {
    if (text.find(words) != std::string_view::npos) return true;
  }
  return false;
}

std::string memory_text(const ChildLimits& limits) {
  return fmt::format("{:.3g} GB of memory are not enough", static_cast<double>(limits.bytes) / (1U << 30U));
}

std::string signal_text(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

/// @param reply  knows the stage
Reply crashed_reply(Reply reply, const Ending& ending, const ChildLimits& limits) {
  reply.last = last_lines(ending.errors);
  if (is_about_memory(ending.errors)) {
    reply.kind = Reply::Kind::limited;
    reply.reason = fmt::format("the {} was stopped: {}", reply.stage, memory_text(limits));
  } else if (ending.code == SIGKILL || ending.code == SIGTERM || ending.code == SIGINT) {
    reply.kind = Reply::Kind::limited;
    reply.reason = fmt::format("somebody stopped the {} with {}; the machine may be out of memory", reply.stage,
                               signal_text(ending.code));
  } else {
    reply.kind = Reply::Kind::crashed;
    reply.reason = fmt::format("the {} crashed: {}", reply.stage, signal_text(ending.code));
  }
  return reply;
}

/// @param reply  knows the stage
Reply strange_reply(Reply reply, const Ending& ending) {
  reply.last = last_lines(ending.errors);
  if (ending.output.empty()) {
    reply.reason = fmt::format("the witness ended with exit code {} and said nothing", ending.code);
  } else {
    reply.reason = "what the witness printed is no answer: `" + printable(ending.output, 80) + "`";
  }
  return reply;
}

}  // namespace

std::vector<std::string> words_for(const Witness& witness, const std::string& model, const Target& target,
                                   bool parse_only) {
  std::vector<std::string> words{witness.program};
  if (!witness.library.empty()) words.insert(words.end(), {"--library", witness.library});
  if (!witness.parser.empty()) words.insert(words.end(), {"--parser", witness.parser});
  if (model.empty()) {
    words.emplace_back("--self-test");
    return words;
  }
  if (parse_only) words.emplace_back("--parse-only");
  if (target.compute_capability && witness.product == to_string(Product::rtx)) {
    const ComputeCapability gpu = *target.compute_capability;
    words.insert(words.end(), {"--gpu", fmt::format("{}.{}", gpu.major_version, gpu.minor_version)});
  }
  for (const ProfileInput& input : target.profile) {
    words.emplace_back("--profile");
    words.push_back(input.name + "=" + sizes_text(input));
  }
  words.push_back(model.starts_with('-') ? "./" + model : model);
  return words;
}

Reply reply_of(const Ending& ending, const ChildLimits& limits) {
  Reply reply;
  reply.stage = stage_in(ending.errors);
  switch (ending.kind) {
    case Ending::Kind::timed_out:
      reply.kind = Reply::Kind::limited;
      reply.reason = fmt::format("the {} did not end within {:.3g} seconds", reply.stage, limits.seconds);
      reply.last = last_lines(ending.errors);
      return reply;
    case Ending::Kind::cancelled:
      reply.kind = Reply::Kind::limited;
      reply.reason = kInterrupted;
      return reply;
    case Ending::Kind::flooded:
      reply.reason = "the witness printed more than 64 MB";
      return reply;
    case Ending::Kind::signalled:
      return crashed_reply(std::move(reply), ending, limits);
    case Ending::Kind::exited:
      break;
  }
  const std::size_t end = ending.output.find('\n');
  if (end == std::string::npos) return strange_reply(std::move(reply), ending);
  std::optional<Answer> answer = read_answer(std::string_view(ending.output).substr(0, end));
  if (!answer) return strange_reply(std::move(reply), ending);
  if (is_about_memory(answer->fatal)) {
    reply.kind = Reply::Kind::limited;
    reply.reason = "the library cannot be loaded: " + memory_text(limits);
    return reply;
  }
  reply.kind = Reply::Kind::answered;
  reply.answer = std::move(*answer);
  return reply;
}

Reply ask(const std::vector<std::string>& words, const ChildLimits& limits) {
  return reply_of(run_child(words, limits), limits);
}

}  // namespace trtcheck::witness
