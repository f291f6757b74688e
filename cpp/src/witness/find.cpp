// From a place on disk to a witness that can be trusted.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>

#include "text/printable.hpp"
#include "witness/ask.hpp"
#include "witness/locate.hpp"
#include "witness/machine.hpp"
#include "witness/remember.hpp"

namespace trtcheck {
namespace {

constexpr std::string_view kNotInstalled =
    "no TensorRT is installed that could be asked: `pip install onnxruntime-ep-nv-tensorrt-rtx-cu13==0.5.0` brings "
    "NVIDIA's TensorRT-RTX, which needs no GPU";

/// Which branch of TensorRT a release of TensorRT-RTX was built from: a path in its library, such as `rel-11.4`.
struct Branch {
  std::string_view rtx;
  std::string_view tensorrt;
};
constexpr std::array kBranches{Branch{"rtx-1.5", "11.0"}, Branch{"rtx-1.6", "11.2"}, Branch{"rtx-1.7", "11.4"}};

/// The first line: an answer may have several.
std::string first_line(const std::string& text) { return printable(text.substr(0, text.find('\n'))); }

/// What the file is called in an error.
const std::string& name_of(const Witness& witness) {
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
    throw Error(name_of(witness), "the self-test failed: " + reply.reason);
  }
  const witness::Answer& answer = reply.answer;
  if (!answer.fatal.empty()) throw Error("", "the witness cannot be asked: " + first_line(answer.fatal));
  if (!answer.parsed || (answer.product == "rtx" && !answer.built.value_or(false))) {
    throw Error(name_of(witness), "the self-test failed: a model of one Relu was refused");
  }
  witness.product = to_string(answer.product == "rtx" ? Product::rtx : Product::tensorrt);
  witness.release = answer.release;
  return witness;
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

Witness find_witness(const WitnessSearch& search) {
  const Witness found = witness::locate(search);
  const std::string folder = witness::cache_folder();
  if (std::optional<Witness> known = witness::remembered(folder, found)) return std::move(*known);
  Witness made = tested(search, found);
  witness::remember(folder, made);
  return made;
}

}  // namespace trtcheck
