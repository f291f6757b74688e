// Nodes, inputs, attributes, weights, names: in that order.
#include <trtcheck/reduce.hpp>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/trtcheck.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "bytes/staged_file.hpp"
#include "cure/node_text.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"
#include "reduce/anonymous.hpp"
#include "reduce/bug_report.hpp"
#include "reduce/judge.hpp"
#include "reduce/search.hpp"
#include "reduce/trial.hpp"
#include "reduce/weights.hpp"
#include "subgraph/counts.hpp"
#include "text/suggest.hpp"

namespace trtcheck {

using reducing::Trial;

struct Reduced::Impl {
  std::optional<File> file;  ///< nothing: the model is in memory
  cure::SourceFile origin;
  ReduceOptions options;
  std::optional<Trial> trial;
  Report report;
  std::optional<Finding> finding;
  PartCounts before;
  PartCounts after;
  bool is_partial = false;
  bool is_anonymous = false;
  std::vector<std::string> nodes;
  std::vector<std::string> notes;
};

struct ReducedAccess {
  using Impl = Reduced::Impl;
  static Reduced make(std::unique_ptr<Impl> impl) { return Reduced(std::move(impl)); }
};

namespace {

using reducing::Stopped;

constexpr std::array<std::string_view, 3> kWeights{"random", "zero", "keep"};

/// For the steps: everything is listed, nothing is drawn, and inputs that a profile names may be gone.
CheckOptions for_steps(CheckOptions options) {
  if (options.ranges) throw Error("ranges", "measured ranges are of the whole model: a part of it has none");
  options.most_of_a_rule = 0;
  options.neighbourhoods = false;
  return options;
}

ReduceJudge judge_of(const ReduceOptions& options) {
  if (options.command.empty()) return options.judge;
  ReduceJudge by_command = reducing::command_judge(options.command, options.timeout, options.cancelled);
  if (!options.judge) return by_command;
  return [by_command, also = options.judge](const std::string& path) { return by_command(path) && also(path); };
}

/// Nodes, and what they read and state: each round has to make it smaller.
std::size_t content_of(const Model& model) {
  std::size_t content = model.node_count();
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& node = model.node(NodeId{i});
    content += node.inputs.size() + node.attributes().size();
  }
  return content;
}

void take_away(Trial& trial) {
  std::size_t before = 0;
  do {
    before = content_of(trial.model());
    take_nodes(trial);
    if (take_bodies(trial)) continue;
    static_cast<void>(take_inputs(trial));
    static_cast<void>(take_attributes(trial));
  } while (content_of(trial.model()) < before);
}

void make_anonymous(ReducedAccess::Impl& made) {
  Trial& trial = *made.trial;
  reducing::Anonymous without = reducing::anonymous(trial.model());
  const auto renamed = without.values.find(trial.goal().value());
  const std::string value = renamed == without.values.end() ? trial.goal().value() : renamed->second;
  made.is_anonymous = trial.attempt(without.pieces.over(trial.state().pieces()), value);
  if (!made.is_anonymous) {
    made.notes.emplace_back("names and strings are those of the model: without them the finding is gone");
  }
}

void search(ReducedAccess::Impl& made) {
  Trial& trial = *made.trial;
  try {
    take_away(trial);
    for (std::string& note : replace_weights(trial, made.options.weights)) made.notes.push_back(std::move(note));
    if (made.options.anonymous) make_anonymous(made);
  } catch (const Stopped&) {
    made.is_partial = true;
  }
}

Reduced reduced(std::unique_ptr<ReducedAccess::Impl> impl, const ReduceOptions& options) {
  if (options.finding.empty() && options.command.empty() && !options.judge) {
    throw Error("finding", "a finding or a command is required");
  }
  impl->options = options;
  CheckOptions check = for_steps(options.check);
  impl->trial.emplace(impl->origin, impl->file ? &*impl->file : nullptr, check, judge_of(options), options.cancelled);
  Trial& trial = *impl->trial;
  try {
    trial.begin(options.finding);
  } catch (const Stopped&) {
    throw Error(impl->origin.file.path, "was interrupted before anything was taken away");
  }
  impl->before = subgraph::counts_of(trial.model());
  const auto size = trial.state().pieces().size();
  search(*impl);
  if (impl->is_partial && trial.state().pieces().size() == size) {
    throw Error(impl->origin.file.path, "was interrupted before anything was taken away");
  }
  impl->after = subgraph::counts_of(trial.model());
  const Graph& graph = trial.model().graph();
  for (std::uint32_t i = 0; i < graph.node_count; ++i) {
    impl->nodes.push_back(cure::node_text(trial.model(), NodeId{graph.first_node.index + i}));
  }
  impl->report = trial.state().report();
  if (const Finding* finding = trial.goal().is_none() ? nullptr : trial.goal().in(trial.state())) {
    impl->finding = *finding;
  }
  return ReducedAccess::make(std::move(impl));
}

void write_text(const std::string& path, std::string_view text) {
  StagedFile file(path, {});
  if (file.is_special()) throw Error(path, "cannot write: it is not a regular file");
  file.write([&](const Sink& sink) { sink(text); });
  file.put();
}

}  // namespace

std::string_view to_string(ReducedWeights weights) noexcept { return kWeights[static_cast<std::size_t>(weights)]; }

ReducedWeights parse_reduced_weights(std::string_view name) {
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    if (kWeights[i] == name) return static_cast<ReducedWeights>(i);
  }
  throw Error("weights", fmt::format("`{}` is none of random, zero, keep{}", name, did_you_mean(name, kWeights)));
}

Reduced::Reduced(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Reduced::Reduced(Reduced&&) noexcept = default;
Reduced& Reduced::operator=(Reduced&&) noexcept = default;
Reduced::~Reduced() = default;

const Report& Reduced::report() const noexcept { return impl_->report; }
const Finding* Reduced::finding() const noexcept { return impl_->finding ? &*impl_->finding : nullptr; }
const PartCounts& Reduced::before() const noexcept { return impl_->before; }
const PartCounts& Reduced::after() const noexcept { return impl_->after; }
std::size_t Reduced::steps() const noexcept { return impl_->trial->steps(); }
bool Reduced::is_partial() const noexcept { return impl_->is_partial; }
std::span<const std::string> Reduced::nodes() const noexcept { return impl_->nodes; }
std::span<const std::string> Reduced::notes() const noexcept { return impl_->notes; }
std::uint64_t Reduced::size() const noexcept { return impl_->trial->state().pieces().size(); }

void Reduced::write(const std::string& output, edit::DataPlace data) const {
  const cure::State& state = impl_->trial->state();
  edit::put(state.model(), state.pieces(), {impl_->origin.file, impl_->file ? &*impl_->file : nullptr}, output, data);
}

std::string Reduced::bytes() const { return impl_->trial->state().pieces().content(impl_->origin.file.read); }

void Reduced::write_report(const std::string& folder, std::span<const std::string> versions) const {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(folder, "cannot make the folder: " + failed.message());
  const Model& model = impl_->trial->model();
  write(folder + "/model.onnx", reducing::place_for(model));
  const reducing::BugReport report{.reduced = *this,
                                   .model = model,
                                   .target = impl_->report.target,
                                   .command = impl_->options.command,
                                   .weights = impl_->options.weights,
                                   .is_anonymous = impl_->is_anonymous,
                                   .versions = versions};
  write_text(folder + "/finding.txt", finding_text(report));
  write_text(folder + "/finding.json", finding_json(report));
  write_text(folder + "/environment.txt", environment_text(report));
  write_text(folder + "/issue.md", issue_text(report));
}

Reduced reduce(const std::string& path, const ReduceOptions& options) {
  auto impl = std::make_unique<ReducedAccess::Impl>();
  impl->file.emplace(File::open(path));
  if (impl->file->is_pipe()) throw Error(path, "is a pipe, a file is required to be reduced");
  impl->origin = cure::watched(readable(*impl->file), folder_of(path));
  return reduced(std::move(impl), options);
}

Reduced reduce(std::span<const std::byte> bytes, const ReduceOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<ReducedAccess::Impl>();
  impl->origin = cure::watched(readable(bytes), base_dir);
  return reduced(std::move(impl), options);
}

}  // namespace trtcheck
