// What NVIDIA's own parser and builder say of a model, next to what was predicted.
//
//     const trtcheck::Witness witness = trtcheck::find_witness({});
//     const trtcheck::Confirmation answer = trtcheck::confirm("model.onnx", witness, {});
//     if (answer.agreement == trtcheck::Agreement::not_predicted) std::cout << answer.reason << "\n";
//
// The witness is the parser and the builder of TensorRT-RTX, which work on a processor alone (the Python wheels
// `tensorrt_rtx_cu12_libs` and `onnxruntime-ep-nv-tensorrt-rtx-cu13`), or those of TensorRT. They run in a process of
// their own: that they crash, hang or want all memory is an answer, never the end of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/messages.hpp>
#include <trtcheck/profile.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// NVIDIA's parser and builder as they are installed on this machine.
struct Witness {
  std::string program;  ///< that loads them: `trtcheck-witness`
  std::string library;  ///< file of the builder; "" = the program knows
  std::string parser;   ///< file of the parser; "" = beside the library
  std::string product;  ///< "TensorRT-RTX" or "TensorRT"
  std::string release;  ///< "1.7.1"
};

/// Where to look for one.
struct WitnessSearch {
  /// Library, folder with it, or a program that answers like ours; "" = search. "10.16", "rtx-1.4": who answers for
  /// that release; "all": everybody who is there.
  std::string path;
  std::string program;               ///< `trtcheck-witness`; "" = beside the program or library that this is part of
  std::vector<std::string> folders;  ///< of Python packages, to be looked at before the environment
  double timeout = 60;               ///< seconds for the self-test
  std::function<bool()> cancelled = {};  ///< asked ten times a second; true ends the self-test, with an Error
};

/// In turn: `path`; the wheels in `folders`, beside this program and in VIRTUAL_ENV; the places in the environment
/// variable TRTCHECK_WITNESS, which are separated by colons and read like `path`; the folders in `trtcheck/witness` of
/// the user's cache folder; TensorRT on the library path. A tiny model is built before a witness is trusted, once for
/// each library: that is remembered in the user's cache folder, if that can be written.
/// Of several that answer for a release, and of those in the cache folder, it is the newest, whatever its folder is
/// called.
/// @throws Error  there is none, or the one that was named does not work: one line says why
TRTCHECK_API Witness find_witness(const WitnessSearch& search);

/// What was found, each release once, the oldest first.
struct FoundWitnesses {
  std::vector<Witness> witnesses;        ///< who can be asked
  std::vector<std::string> passed_over;  ///< what is there and cannot be asked, a line each with the reason
};

/// All who answer for the release that `search.path` names; otherwise it is what `find_witness` finds.
/// @throws Error  there is none
TRTCHECK_API FoundWitnesses find_witnesses(const WitnessSearch& search);

/// What a prediction is made for that this witness can judge: rtx-1.7 for TensorRT-RTX 1.7.1. Nothing: there are no
/// facts about that release.
TRTCHECK_API std::optional<TrtVersion> release_of(const Witness& witness);

/// The TensorRT release whose branch the library was built from, which is compiled into it as a path: 11.4 for
/// TensorRT-RTX 1.7.1. Nothing: it is not known, or the witness is TensorRT itself.
TRTCHECK_API std::optional<TrtVersion> branch_of(const Witness& witness);

/// Whether the answer is one for that release: the witness is of it, or was built from its branch.
TRTCHECK_API bool answers_for(const Witness& witness, TrtVersion release);

/// What the witness made of a model.
enum class Testimony : std::uint8_t {
  built,       ///< the builder made an engine
  parsed,      ///< the parser took it, the builder was not asked
  refused,     ///< the parser or the builder said no
  crashed,     ///< the process died in NVIDIA's code
  not_judged,  ///< nothing follows from the answer: a limit of this machine or of this witness
};
TRTCHECK_API std::string_view to_string(Testimony testimony) noexcept;

/// The prediction for the release of the witness next to the answer.
enum class Agreement : std::uint8_t {
  agree,          ///< both say the same
  not_predicted,  ///< the witness refuses what was not predicted to fail
  false_alarm,    ///< the witness builds what was predicted to be refused
  not_judged,     ///< the answer says nothing about the prediction
};
TRTCHECK_API std::string_view to_string(Agreement agreement) noexcept;

/// Something that the parser or the builder said.
struct WitnessMessage {
  std::string text;                       ///< as it was printed; may have several lines
  std::string stage;                      ///< "parser" or "builder"
  std::string node;                       ///< label of the node that it is about; "" = none was found
  std::string op_type;                    ///< of the node; without one as the parser named it, or ""
  std::string graph;                      ///< of the node: "main"; "" = no node
  std::string module;                     ///< of the node: "encoder.layers.10"; "" = not recorded
  std::optional<SourceLocation> source;   ///< of the node, as in a finding
  std::optional<SourceLocation> library;  ///< of the node, as in a finding
  std::vector<MessageMatch> matches;      ///< rules that explain it: those that found something, then the most specific
  bool predicted = false;                 ///< there is a finding of such a rule, or at that node
};

/// How to ask.
struct ConfirmOptions {
  /// Of the prediction; its profile is the builder's, too. Whatever its release is, the witness is compared with the
  /// prediction for its own.
  CheckOptions check{};
  bool parse_only = false;       ///< the builder is not asked
  bool propose_profile = false;  ///< dynamic inputs without a profile get one that fits what was inferred
  double timeout = 300;          ///< seconds for one model; 0 = none
  double memory = 0;  ///< GB (2^30 bytes) that the process may write to; 0 = three quarters of this machine's
  std::function<bool()> cancelled = {};  ///< asked ten times a second; true ends the process
};

/// A model, what was predicted and what the witness says.
struct Confirmation {
  std::string path;                             ///< as it was given
  Report report;                                ///< the prediction for the witness's release, which is compared
  std::optional<Report> requested;              ///< that for the release in the options, when it is another one
  Witness witness;                              ///< who was asked
  Testimony testimony = Testimony::not_judged;  ///< its answer
  Agreement agreement = Agreement::not_judged;  ///< whether that is what was predicted
  std::string reason;                           ///< one line, lower case, no full stop
  std::vector<WitnessMessage> messages;         ///< errors, the first 100 in the order in which they were printed
  std::size_t unlisted_messages = 0;            ///< errors that were printed beyond these
  std::vector<std::string> warnings;            ///< that were printed
  std::size_t unlisted_warnings = 0;            ///< that the witness counted only
  std::vector<ProfileInput> profile;            ///< that the builder was given
  bool profile_proposed = false;                ///< some of it was not given by the caller
  std::optional<std::uint64_t> engine_bytes;    ///< size of the engine
  std::optional<double> parse_seconds;          ///< as the witness measured
  std::optional<double> build_seconds;          ///< as the witness measured
  /// What the witness refuses although nothing predicted it: findings of `refused-by-witness` for the release in the
  /// options. Nothing but `findings`, `suppressions` and `suppressed` counts.
  Report unpredicted;

  /// Whether the witness, or the prediction for the release in the options, says that the model does not convert.
  [[nodiscard]] TRTCHECK_API bool is_refused() const noexcept;
};

/// The model is read from the file by both; the file has to stay as it is meanwhile.
/// @throws Error  the file cannot be read, an option makes no sense, the process cannot be started
TRTCHECK_API Confirmation confirm(const std::string& path, const Witness& witness, const ConfirmOptions& options);

/// The same of a model that was read already, of which `file` holds the binary form: the witness reads that.
/// @throws Error  an option makes no sense, the process cannot be started, or the model holds tensors in other files,
/// which the witness would look for beside `file`
TRTCHECK_API Confirmation confirm(const Model& model, const std::string& file, const Witness& witness,
                                  const ConfirmOptions& options);

/// Says in each finding of the report whether the witness confirms it (`Finding::witness`), and adds `unpredicted`.
/// Nothing is said where nothing follows from the answer; "confirmed" and "contradicted" only where the witness answers
/// for the release of the report.
TRTCHECK_API void mark(Report& report, const Confirmation& confirmation);

/// Ends in a newline.
/// @throws Error  there is no such format (there are full, json, markdown and html)
TRTCHECK_API std::string render(std::span<const Confirmation> confirmations, const RenderOptions& options);

}  // namespace trtcheck
