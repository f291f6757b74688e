// The fields of what else is pickled: targets, reports, settings, documents and what these hold.
#pragma once

#include <tuple>

#include <trtcheck/baseline.hpp>
#include <trtcheck/confirm.hpp>
#include <trtcheck/diff.hpp>
#include <trtcheck/fix.hpp>
#include <trtcheck/matrix.hpp>
#include <trtcheck/messages.hpp>
#include <trtcheck/profile.hpp>
#include <trtcheck/ranges.hpp>
#include <trtcheck/settings.hpp>
#include <trtcheck/simplify.hpp>

#include "report/fields.hpp"

namespace trtcheck::report {

template <>
struct Fields<TrtVersion> {
  static constexpr std::tuple kAll{Field{"major", &TrtVersion::major_version},
                                   Field{"minor", &TrtVersion::minor_version}, Field{"product", &TrtVersion::product}};
};
template <>
struct Fields<ComputeCapability> {
  static constexpr std::tuple kAll{Field{"major", &ComputeCapability::major_version},
                                   Field{"minor", &ComputeCapability::minor_version}};
};
template <>
struct Fields<ProfileInput> {
  static constexpr std::tuple kAll{Field{"name", &ProfileInput::name}, Field{"min", &ProfileInput::min},
                                   Field{"opt", &ProfileInput::opt}, Field{"max", &ProfileInput::max}};
};
template <>
struct Fields<ShapeFunction> {
  // A function in Python stays behind; who needs it says so.
  static constexpr std::tuple kAll{Field{"op", &ShapeFunction::op}, Field{"outputs", &ShapeFunction::outputs},
                                   Field{"place", &ShapeFunction::place}};
};
template <>
struct Fields<Target> {
  static constexpr std::tuple kAll{Field{"release", &Target::release},
                                   Field{"precisions", &Target::precisions},
                                   Field{"compute_capability", &Target::compute_capability},
                                   Field{"dla", &Target::dla},
                                   Field{"strongly_typed", &Target::strongly_typed},
                                   Field{"plugins", &Target::plugins},
                                   Field{"profile", &Target::profile},
                                   Field{"require_profile", &Target::require_profile},
                                   Field{"shape_functions", &Target::shape_functions}};
};
template <>
struct Fields<Report> {
  static constexpr std::tuple kAll{Field{"path", &Report::path},
                                   Field{"target", &Report::target},
                                   Field{"findings", &Report::findings},
                                   Field{"unlisted", &Report::unlisted},
                                   Field{"node_count", &Report::node_count},
                                   Field{"suppressed", &Report::suppressed},
                                   Field{"suppressions", &Report::suppressions},
                                   Field{"unmatched", &Report::unmatched}};
};
template <>
struct Fields<PathPattern> {
  static constexpr std::tuple kAll{Field{"pattern", &PathPattern::pattern}, Field{"folder", &PathPattern::folder}};
};
template <>
struct Fields<FileIgnore> {
  static constexpr std::tuple kAll{Field{"models", &FileIgnore::models}, Field{"rules", &FileIgnore::rules}};
};
template <>
struct Fields<NodeIgnore> {
  static constexpr std::tuple kAll{Field{"node", &NodeIgnore::node}, Field{"rules", &NodeIgnore::rules},
                                   Field{"reason", &NodeIgnore::reason}};
};
template <>
struct Fields<SeverityOverride> {
  static constexpr std::tuple kAll{Field{"rule", &SeverityOverride::rule},
                                   Field{"severity", &SeverityOverride::severity}};
};
template <>
struct Fields<SettingOrigin> {
  static constexpr std::tuple kAll{Field{"key", &SettingOrigin::key},           Field{"entry", &SettingOrigin::entry},
                                   Field{"value", &SettingOrigin::value},       Field{"from", &SettingOrigin::from},
                                   Field{"extended", &SettingOrigin::extended}, Field{"file", &SettingOrigin::file},
                                   Field{"line", &SettingOrigin::line}};
};

template <>
struct Fields<BaselineEntry> {
  static constexpr std::tuple kAll{Field{"model", &BaselineEntry::model},
                                   Field{"code", &BaselineEntry::code},
                                   Field{"fingerprint", &BaselineEntry::fingerprint},
                                   Field{"count", &BaselineEntry::count},
                                   Field{"message", &BaselineEntry::message},
                                   Field{"fact", &BaselineEntry::fact},
                                   Field{"severity", &BaselineEntry::severity}};
};
template <>
struct Fields<DiffSide> {
  static constexpr std::tuple kAll{Field{"path", &DiffSide::path}, Field{"release", &DiffSide::release},
                                   Field{"verdict", &DiffSide::verdict}, Field{"node_count", &DiffSide::node_count},
                                   Field{"suppressed", &DiffSide::suppressed}};
};
template <>
struct Fields<InterfaceChange> {
  static constexpr std::tuple kAll{Field{"kind", &InterfaceChange::kind}, Field{"name", &InterfaceChange::name},
                                   Field{"before", &InterfaceChange::before}, Field{"after", &InterfaceChange::after}};
};
template <>
struct Fields<OperatorChange> {
  static constexpr std::tuple kAll{Field{"op_type", &OperatorChange::op_type}, Field{"before", &OperatorChange::before},
                                   Field{"after", &OperatorChange::after}};
};
template <>
struct Fields<ShapeChange> {
  static constexpr std::tuple kAll{Field{"kind", &ShapeChange::kind}, Field{"value", &ShapeChange::value},
                                   Field{"before", &ShapeChange::before}, Field{"after", &ShapeChange::after},
                                   Field{"reason", &ShapeChange::reason}};
};
template <>
struct Fields<SymbolChange> {
  static constexpr std::tuple kAll{Field{"before", &SymbolChange::before}, Field{"after", &SymbolChange::after},
                                   Field{"tensors", &SymbolChange::tensors}};
};
template <>
struct Fields<ConstantChange> {
  static constexpr std::tuple kAll{Field{"value", &ConstantChange::value}, Field{"shape", &ConstantChange::shape},
                                   Field{"node", &ConstantChange::node}, Field{"op_type", &ConstantChange::op_type}};
};
template <>
struct Fields<Diff> {
  static constexpr std::tuple kAll{Field{"before", &Diff::before},
                                   Field{"after", &Diff::after},
                                   Field{"fresh", &Diff::fresh},
                                   Field{"gone", &Diff::gone},
                                   Field{"kept", &Diff::kept},
                                   Field{"interface", &Diff::interface},
                                   Field{"operators", &Diff::operators},
                                   Field{"shapes", &Diff::shapes},
                                   Field{"symbols", &Diff::symbols},
                                   Field{"constants", &Diff::constants},
                                   Field{"folds_before", &Diff::folds_before},
                                   Field{"folds_after", &Diff::folds_after},
                                   Field{"not_compared", &Diff::not_compared}};
};
template <>
struct Fields<TakenBy> {
  static constexpr std::tuple kAll{Field{"product", &TakenBy::product}, Field{"oldest_clean", &TakenBy::oldest_clean},
                                   Field{"newest_clean", &TakenBy::newest_clean},
                                   Field{"oldest_not_refused", &TakenBy::oldest_not_refused},
                                   Field{"newest_not_refused", &TakenBy::newest_not_refused}};
};
template <>
struct Fields<Matrix> {
  static constexpr std::tuple kAll{Field{"path", &Matrix::path}, Field{"node_count", &Matrix::node_count},
                                   Field{"reports", &Matrix::reports}};
};
template <>
struct Fields<SizeChoice> {
  static constexpr std::tuple kAll{Field{"name", &SizeChoice::name}, Field{"axes", &SizeChoice::axes},
                                   Field{"min", &SizeChoice::min},   Field{"opt", &SizeChoice::opt},
                                   Field{"max", &SizeChoice::max},   Field{"why", &SizeChoice::why}};
};
template <>
struct Fields<ProfileCommand> {
  static constexpr std::tuple kAll{Field{"tool", &ProfileCommand::tool}, Field{"text", &ProfileCommand::text}};
};
template <>
struct Fields<ProfileProposal> {
  static constexpr std::tuple kAll{
      Field{"path", &ProfileProposal::path},        Field{"inputs", &ProfileProposal::inputs},
      Field{"choices", &ProfileProposal::choices},  Field{"shapeless", &ProfileProposal::shapeless},
      Field{"valued", &ProfileProposal::valued},    Field{"findings", &ProfileProposal::findings},
      Field{"commands", &ProfileProposal::commands}};
};
template <>
struct Fields<Witness> {
  static constexpr std::tuple kAll{Field{"program", &Witness::program}, Field{"library", &Witness::library},
                                   Field{"parser", &Witness::parser}, Field{"product", &Witness::product},
                                   Field{"release", &Witness::release}};
};
template <>
struct Fields<WitnessMessage> {
  static constexpr std::tuple kAll{
      Field{"text", &WitnessMessage::text},       Field{"stage", &WitnessMessage::stage},
      Field{"node", &WitnessMessage::node},       Field{"op_type", &WitnessMessage::op_type},
      Field{"graph", &WitnessMessage::graph},     Field{"module", &WitnessMessage::module},
      Field{"source", &WitnessMessage::source},   Field{"library", &WitnessMessage::library},
      Field{"matches", &WitnessMessage::matches}, Field{"predicted", &WitnessMessage::predicted}};
};
template <>
struct Fields<Confirmation> {
  static constexpr std::tuple kAll{Field{"path", &Confirmation::path},
                                   Field{"report", &Confirmation::report},
                                   Field{"requested", &Confirmation::requested},
                                   Field{"witness", &Confirmation::witness},
                                   Field{"testimony", &Confirmation::testimony},
                                   Field{"agreement", &Confirmation::agreement},
                                   Field{"reason", &Confirmation::reason},
                                   Field{"messages", &Confirmation::messages},
                                   Field{"unlisted_messages", &Confirmation::unlisted_messages},
                                   Field{"warnings", &Confirmation::warnings},
                                   Field{"unlisted_warnings", &Confirmation::unlisted_warnings},
                                   Field{"profile", &Confirmation::profile},
                                   Field{"profile_proposed", &Confirmation::profile_proposed},
                                   Field{"engine_bytes", &Confirmation::engine_bytes},
                                   Field{"parse_seconds", &Confirmation::parse_seconds},
                                   Field{"build_seconds", &Confirmation::build_seconds},
                                   Field{"unpredicted", &Confirmation::unpredicted}};
};
template <>
struct Fields<MeasuredTensor> {
  static constexpr std::tuple kAll{Field{"name", &MeasuredTensor::name},
                                   Field{"type", &MeasuredTensor::type},
                                   Field{"elements", &MeasuredTensor::elements},
                                   Field{"zeros", &MeasuredTensor::zeros},
                                   Field{"nans", &MeasuredTensor::nans},
                                   Field{"plus_infinite", &MeasuredTensor::plus_infinite},
                                   Field{"minus_infinite", &MeasuredTensor::minus_infinite},
                                   Field{"min", &MeasuredTensor::min},
                                   Field{"max", &MeasuredTensor::max}};
};
template <>
struct Fields<Ranges> {
  static constexpr std::tuple kAll{Field{"path", &Ranges::path},         Field{"model", &Ranges::model},
                                   Field{"graph", &Ranges::graph},       Field{"samples", &Ranges::samples},
                                   Field{"left_out", &Ranges::left_out}, Field{"tensors", &Ranges::tensors}};
};
template <>
struct Fields<LogMatch> {
  static constexpr std::tuple kAll{Field{"line", &LogMatch::line}, Field{"message", &LogMatch::message},
                                   Field{"matches", &LogMatch::matches}};
};

template <>
struct Fields<AppliedCure> {
  static constexpr std::tuple kAll{Field{"cure", &AppliedCure::cure},     Field{"kind", &AppliedCure::kind},
                                   Field{"title", &AppliedCure::title},   Field{"code", &AppliedCure::code},
                                   Field{"fact", &AppliedCure::fact},     Field{"message", &AppliedCure::message},
                                   Field{"node", &AppliedCure::node},     Field{"op_type", &AppliedCure::op_type},
                                   Field{"graph", &AppliedCure::graph},   Field{"source", &AppliedCure::source},
                                   Field{"before", &AppliedCure::before}, Field{"after", &AppliedCure::after},
                                   Field{"round", &AppliedCure::round}};
};
template <>
struct Fields<LeftFinding> {
  static constexpr std::tuple kAll{Field{"code", &LeftFinding::code},         Field{"fact", &LeftFinding::fact},
                                   Field{"message", &LeftFinding::message},   Field{"node", &LeftFinding::node},
                                   Field{"severity", &LeftFinding::severity}, Field{"reason", &LeftFinding::reason},
                                   Field{"cure", &LeftFinding::cure}};
};

template <>
struct Fields<ModelCounts> {
  static constexpr std::tuple kAll{Field{"nodes", &ModelCounts::nodes}, Field{"shapes", &ModelCounts::shapes},
                                   Field{"constants", &ModelCounts::constants},
                                   Field{"file_bytes", &ModelCounts::file_bytes}};
};
template <>
struct Fields<Simplification> {
  static constexpr std::tuple kAll{Field{"name", &Simplification::name},       Field{"kind", &Simplification::kind},
                                   Field{"title", &Simplification::title},     Field{"node", &Simplification::node},
                                   Field{"op_type", &Simplification::op_type}, Field{"graph", &Simplification::graph},
                                   Field{"before", &Simplification::before},   Field{"after", &Simplification::after},
                                   Field{"pass", &Simplification::pass}};
};

}  // namespace trtcheck::report
