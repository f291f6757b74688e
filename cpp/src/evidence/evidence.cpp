#include "evidence/evidence.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

namespace trtcheck::evidence {
namespace {

bool is_within(TrtVersion first, TrtVersion last, TrtVersion release) noexcept {
  return first <= release && release <= last;
}

/// The model was seen to do what the fact says.
bool confirms(Verdict verdict) noexcept { return verdict != Verdict::accepted && verdict != Verdict::built; }

bool is_measured(const Evidence& evidence, TrtVersion release) noexcept {
  bool found = false;
  for (const Measurement& one : evidence.measured) {
    const bool is_there = is_within(one.first, one.last, release);
    found = found || (is_there && confirms(one.verdict));
  }
  return found;
}

const Measurement* last_confirmed(const Evidence& evidence) noexcept {
  const Measurement* last = nullptr;
  for (const Measurement& one : evidence.measured) {
    if (confirms(one.verdict)) last = &one;
  }
  return last;
}

/// All that is known is one thread.
bool is_one_report(const Evidence& evidence) noexcept {
  return !evidence.read && evidence.measured.empty() && evidence.reported.size() == 1;
}

std::string span_text(const Span& span) {
  const std::string first = trtcheck::to_string(span.first);
  return span.first == span.last ? first : fmt::format("{} to {}", first, trtcheck::to_string(span.last));
}

}  // namespace

Certainty certainty_of(const Evidence& evidence, TrtVersion release) noexcept {
  if (is_one_report(evidence)) return Certainty::possible;
  if (release.product == Product::rtx) return is_measured(evidence, release) ? Certainty::proven : Certainty::likely;
  const bool is_read = evidence.read && is_within(evidence.read->first, evidence.read->last, release);
  return is_read ? Certainty::proven : Certainty::likely;
}

std::string basis_of(const Evidence& evidence, TrtVersion release, std::string_view asked) {
  if (certainty_of(evidence, release) == Certainty::proven) return {};
  if (is_one_report(evidence)) return "reported once: others of the kind may build";
  const Measurement* measured = last_confirmed(evidence);
  if (release.product == Product::rtx) {
    if (measured != nullptr) {
      return fmt::format("seen with TensorRT-RTX {}; {} is assumed to be the same", measured->span, asked);
    }
    return "known from the sources of TensorRT, not observed with TensorRT-RTX";
  }
  if (evidence.read && evidence.read->last < release) {
    return fmt::format("known up to TensorRT {}; {} is assumed to be the same",
                       trtcheck::to_string(evidence.read->last), asked);
  }
  if (evidence.read) {
    return fmt::format("known from TensorRT {} on; {} is assumed to be the same",
                       trtcheck::to_string(evidence.read->first), asked);
  }
  if (measured != nullptr) {
    return fmt::format("seen with TensorRT-RTX {}, not in the sources of {}", measured->span, asked);
  }
  return fmt::format("not in the sources of {}: the evidence is indirect", asked);
}

std::vector<std::string> words_of(const Evidence& evidence) {
  std::vector<std::string> words;
  if (evidence.read) words.push_back(fmt::format("read in the sources of TensorRT {}", span_text(*evidence.read)));
  for (const Measurement& one : evidence.measured) {
    words.push_back(fmt::format("{} by TensorRT-RTX {}", to_string(one.verdict), one.span));
  }
  for (const std::string_view thread : evidence.reported) words.push_back(fmt::format("reported: {}", thread));
  return words;
}

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::refused:
      return "refused";
    case Verdict::crashed:
      return "ended with a crash";
    case Verdict::changed:
      return "built with other results";
    case Verdict::ignored:
      return "built without it";
    case Verdict::built:
      return "built";
    case Verdict::accepted:
      break;
  }
  return "accepted";
}

Evidence read_up_to(std::optional<TrtVersion> last) {
  if (!last) return {};
  if (last->product == Product::tensorrt) return {.read = Span{known_releases().front(), *last}};
  static const std::vector<Measurement> kAsked = [] {
    std::vector<Measurement> asked;
    for (const TrtVersion release : known_rtx_releases()) {
      asked.push_back({known_rtx_releases().front(), release, "", Verdict::refused});
    }
    return asked;
  }();
  const auto found = std::ranges::find(kAsked, *last, &Measurement::last);
  return {.read = std::nullopt,
          .measured = found == kAsked.end() ? std::span<const Measurement>() : std::span(&*found, 1)};
}

Certainty certainty_of(const Rule& rule, Product product) noexcept {
  return product == Product::tensorrt ? rule.certainty : std::min(rule.certainty, rule.rtx_certainty);
}

bool is_report(std::string_view source) noexcept {
  return source.starts_with("https://") &&
         (source.find("/issues/") != std::string_view::npos || source.find("://forums.") != std::string_view::npos);
}

}  // namespace trtcheck::evidence
