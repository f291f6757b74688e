#include "explain/fact_page.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "target/dla.hpp"

namespace trtcheck::explain {
namespace {

using facts::Fact;

void write_case(std::string& out, const FactCase& one) {
  const Fact& fact = *one.fact;
  const auto sink = std::back_inserter(out);
  const std::string gpus = gpus_of(fact);
  fmt::format_to(sink, "\n## {}, TensorRT {}{}{}\n\n{}.\n", fmt::join(one.ops, ", "), releases_of(fact),
                 gpus.empty() ? "" : ", ", gpus, fact.sentence);
  if (!fact.says.empty()) fmt::format_to(sink, "\nTensorRT prints `{}`.\n", fact.says);
  if (!fact.remedy.empty()) fmt::format_to(sink, "\nFix: {}.\n", fact.remedy);
  fmt::format_to(sink, "\nExample:\n\n```onnx opset={}\n{}\n```\n\nAccepted:\n\n```onnx opset={}\n{}\n```\n",
                 fact.model_opset, fact.example, fact.model_opset, fact.near);
  fmt::format_to(sink, "\nEvidence: {}.\n", evidence_text(fact));
}

}  // namespace

std::vector<FactCase> cases_of(std::string_view id) {
  std::vector<FactCase> cases;
  for (const Fact& fact : facts::all_facts()) {
    if (fact.id != id) continue;
    const auto key = [](const Fact& one) {
      return std::tie(one.first, one.last, one.gpu_first, one.words, one.source);
    };
    const auto same = std::ranges::find_if(cases, [&](const FactCase& other) { return key(*other.fact) == key(fact); });
    if (same == cases.end()) {
      cases.push_back({&fact, {fact.op}});
    } else if (std::ranges::find(same->ops, fact.op) == same->ops.end()) {
      same->ops.push_back(fact.op);
    }
  }
  return cases;
}

std::string releases(TrtVersion first, TrtVersion last) {
  if (first == last) return to_string(first);
  return fmt::format("{} to {}", to_string(first), to_string(last));
}

/// The releases in which the fact can speak: some have no DLA.
std::string releases_of(const Fact& fact) {
  if (fact.effect != facts::Effect::fallback) return releases(fact.first, fact.last);
  std::vector<std::pair<TrtVersion, TrtVersion>> spans;
  bool goes_on = false;
  for (const TrtVersion release : known_releases()) {
    if (release < fact.first || fact.last < release) continue;
    Target target;
    target.release = release;
    target.dla = true;
    const bool has_dla = may_run_on_dla(target, ReleaseView(target.release));
    if (has_dla && goes_on) {
      spans.back().second = release;
    } else if (has_dla) {
      spans.emplace_back(release, release);
    }
    goes_on = has_dla;
  }
  std::vector<std::string> words;
  for (const auto& [first, last] : spans) words.push_back(releases(first, last));
  return fmt::format("{}", fmt::join(words, " and "));
}

std::string gpus_of(const Fact& fact) {
  constexpr ComputeCapability kLast{999, 9};
  const auto text = [](ComputeCapability gpu) { return fmt::format("{}.{}", gpu.major_version, gpu.minor_version); };
  if (!fact.is_of_some_gpus()) return "";
  if (fact.gpu_first == fact.gpu_last) return "compute capability " + text(fact.gpu_first);
  if (fact.gpu_last == kLast) return fmt::format("compute capability {} and later", text(fact.gpu_first));
  if (fact.gpu_first.major_version == 0) return "compute capability up to " + text(fact.gpu_last);
  return fmt::format("compute capability {} to {}", text(fact.gpu_first), text(fact.gpu_last));
}

std::string evidence_text(const Fact& fact) {
  std::vector<std::string> known = evidence::words_of(fact.evidence);
  if (!fact.source.empty()) known.emplace_back(fact.source);
  return fmt::format("{}", fmt::join(known, "; "));
}

std::string fact_summary(std::string_view id) {
  const std::vector<FactCase> cases = cases_of(id);
  const FactCase& newest = *std::ranges::max_element(cases, {}, [](const FactCase& one) { return one.fact->last; });
  const std::string_view of = newest.ops.front();
  const std::string op = newest.ops.size() == 1 ? std::string(of) : fmt::format("{} and others", of);
  return fmt::format("{}: {}", op, newest.fact->sentence);
}

std::string fact_page(std::string_view id) {
  std::string out = fmt::format("# {}\n", id);
  for (const FactCase& one : cases_of(id)) write_case(out, one);
  return out;
}

}  // namespace trtcheck::explain
