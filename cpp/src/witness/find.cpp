// From a place on disk to a witness that can be trusted.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>

#include "target/releases.hpp"
#include "text/printable.hpp"
#include "witness/ask.hpp"
#include "witness/locate.hpp"
#include "witness/machine.hpp"
#include "witness/remember.hpp"
#include "witness/wording.hpp"

namespace trtcheck {
namespace {

constexpr std::string_view kNotInstalled =
    "no TensorRT is installed that could be asked: `pip install tensorrt_rtx_cu12_libs==1.7.1.116` brings NVIDIA's "
    "TensorRT-RTX, which needs no GPU";
constexpr std::string_view kPackage = "tensorrt_rtx_cu12_libs";

/// Which branch of TensorRT a release of TensorRT-RTX was built from: a path in its library, such as `rel-11.4`. And
/// the wheel that brings it.
struct Branch {
  std::string_view rtx;
  std::string_view tensorrt;
  std::string_view wheel;
};
constexpr std::array kBranches{Branch{"rtx-1.4", "10.16", "1.4.0.76"}, Branch{"rtx-1.5", "11.0", "1.5.0.114"},
                               Branch{"rtx-1.6", "11.2", "1.6.1.120"}, Branch{"rtx-1.7", "11.4", "1.7.1.116"}};

/// The first line: an answer may have several.
std::string first_line(const std::string& text) { return printable(text.substr(0, text.find('\n'))); }

/// What the file is called in an error.
const std::string& place_of(const Witness& witness) {
  return witness.library.empty() ? witness.program : witness.library;
}

/// Whether it was looked for, not named, and the loader knows none.
bool is_absent(const WitnessSearch& search, const Witness& witness, const witness::Reply& reply) {
  return search.path.empty() && witness.library.empty() && reply.kind == witness::Reply::Kind::answered &&
         reply.answer.fatal.starts_with("no TensorRT");
}

/// @throws Error  it did not pass
Witness tested(const WitnessSearch& search, Witness witness) {
  const witness::ChildLimits limits{
      .seconds = search.timeout, .bytes = witness::usual_memory(), .cancelled = search.cancelled};
  const witness::Reply reply = witness::ask(witness::words_for(witness, "", {}, false), limits);
  if (is_absent(search, witness, reply)) throw Error("", std::string(kNotInstalled));
  if (reply.kind != witness::Reply::Kind::answered) {
    throw Error(place_of(witness), "the self-test failed: " + reply.reason);
  }
  const witness::Answer& answer = reply.answer;
  if (!answer.fatal.empty()) throw Error("", "the witness cannot be asked: " + first_line(answer.fatal));
  if (!answer.parsed || (answer.product == "rtx" && !answer.built.value_or(false))) {
    throw Error(place_of(witness), "the self-test failed: a model of one Relu was refused");
  }
  witness.product = to_string(answer.product == "rtx" ? Product::rtx : Product::tensorrt);
  witness.release = answer.release;
  return witness;
}

Witness known_or_tested(const WitnessSearch& search, const Witness& found) {
  const std::string folder = witness::cache_folder();
  if (std::optional<Witness> known = witness::remembered(folder, found)) return std::move(*known);
  Witness made = tested(search, found);
  witness::remember(folder, made);
  return made;
}

bool is_same_release(const Witness& a, const Witness& b) { return a.product == b.product && a.release == b.release; }

/// TensorRT-RTX before TensorRT, and each by the numbers of its releases.
bool is_older(const Witness& a, const Witness& b) {
  const auto numbers = [](const Witness& witness) {
    std::vector<int> made{witness.product == to_string(Product::rtx) ? 0 : 1};
    for (std::string_view rest = witness.release; !rest.empty();) {
      int number = 0;
      const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
      made.push_back(number);
      rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(end - rest.data()) + 1));
    }
    return made;
  };
  return numbers(a) < numbers(b);
}

/// What cannot be asked is passed over; that the loader knows none is not worth a word.
void add_tested(FoundWitnesses& found, const WitnessSearch& search, const Witness& each) {
  try {
    Witness made = known_or_tested(search, each);
    const bool is_there =
        std::ranges::any_of(found.witnesses, [&](const Witness& other) { return is_same_release(made, other); });
    if (!is_there) found.witnesses.push_back(std::move(made));
  } catch (const Error& error) {
    if (search.cancelled && search.cancelled()) throw;
    if (error.cause() != kNotInstalled) found.passed_over.emplace_back(error.what());
  }
}

/// "10.16", "rtx-1.4", "all": not a place.
bool names_release(std::string_view word) {
  if (word == kAll) return true;
  if (word.starts_with("rtx-")) word.remove_prefix(4);
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos && word.front() != '.';
}

/// How to get the one that is missing, beside those that are there.
std::string hint_for(TrtVersion wanted) {
  const std::string name = to_string(wanted);
  const auto* const branch =
      std::ranges::find_if(kBranches, [&](const Branch& each) { return each.rtx == name || each.tensorrt == name; });
  if (branch == kBranches.end()) {
    std::vector<std::string_view> branches;
    for (const Branch& each : kBranches) branches.push_back(each.tensorrt);
    return fmt::format("; without a GPU there are witnesses of {}", fmt::join(branches, ", "));
  }
  const std::string release(branch->wheel.substr(0, branch->wheel.rfind('.')));
  const std::string cache = witness::cache_folder();
  const std::string place = cache.empty() ? "" : fmt::format("--target {}/witness/{} ", printable(cache), release);
  return fmt::format(": `pip install {}{}=={}` brings it", place, kPackage, branch->wheel);
}

[[noreturn]] void refuse_none(const FoundWitnesses& found, std::optional<TrtVersion> wanted) {
  if (!wanted) {
    throw Error("", found.passed_over.empty() ? std::string(kNotInstalled) : found.passed_over.front());
  }
  std::vector<std::string> names;
  for (const Witness& each : found.witnesses) names.push_back(witness::name_of(each));
  const std::string there = names.empty() ? "" : fmt::format(" (there is {})", fmt::join(names, ", "));
  throw Error("", fmt::format("no witness answers for {}{}{}", full_name(*wanted), there, hint_for(*wanted)));
}

/// @throws Error  none of them can be asked
FoundWitnesses newest_of(const WitnessSearch& search, const std::vector<Witness>& candidates) {
  FoundWitnesses found;
  if (candidates.size() == 1) {
    found.witnesses.push_back(known_or_tested(search, candidates.front()));
    return found;
  }
  for (const Witness& each : candidates) add_tested(found, search, each);
  if (found.witnesses.empty()) refuse_none(found, std::nullopt);
  const auto newest = std::ranges::max_element(found.witnesses, is_older);
  found.witnesses = {Witness(std::move(*newest))};
  return found;
}

}  // namespace

std::optional<TrtVersion> release_of(const Witness& witness) {
  const std::string name = (witness.product == to_string(Product::rtx) ? "rtx-" : "") + witness.release;
  try {
    return parse_release(name);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<TrtVersion> branch_of(const Witness& witness) {
  const std::optional<TrtVersion> release = release_of(witness);
  if (!release) return std::nullopt;
  const auto branch = std::ranges::find(kBranches, to_string(*release), &Branch::rtx);
  return branch == kBranches.end() ? std::nullopt : std::optional(parse_release(branch->tensorrt));
}

bool answers_for(const Witness& witness, TrtVersion release) {
  return release_of(witness) == release || branch_of(witness) == release;
}

Witness find_witness(const WitnessSearch& search) { return std::move(find_witnesses(search).witnesses.back()); }

FoundWitnesses find_witnesses(const WitnessSearch& search) {
  if (!names_release(search.path)) return newest_of(search, witness::locate(search));
  FoundWitnesses found;
  const std::optional<TrtVersion> wanted =
      search.path == kAll ? std::nullopt : std::optional(parse_release(search.path));
  WitnessSearch everywhere = search;
  everywhere.path.clear();
  for (const Witness& each : witness::locate_all(everywhere)) add_tested(found, everywhere, each);
  std::ranges::stable_sort(found.witnesses, is_older);
  std::vector<Witness> fitting;
  std::ranges::copy_if(found.witnesses, std::back_inserter(fitting),
                       [&](const Witness& each) { return !wanted || answers_for(each, *wanted); });
  if (fitting.empty()) refuse_none(found, wanted);
  found.witnesses = std::move(fitting);
  return found;
}

}  // namespace trtcheck
