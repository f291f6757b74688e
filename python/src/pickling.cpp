#include "pickling.hpp"

#include <algorithm>

#include <pybind11/stl.h>

namespace trtcheck::python {
namespace {

// Bumped with every change of the tuples.
constexpr int kFormat = 4;

void require(const py::tuple& state, std::size_t size) {
  if (state.size() != size || state[0].cast<int>() != kFormat)
    throw py::value_error("pickled by another version of trtcheck");
}

const Rule* known_rule(const std::string& code) {
  const Rule* rule = find_rule(code);
  if (rule == nullptr) throw py::value_error("rule " + code + " is not known here");
  return rule;
}

// File names and tensor names may be any bytes.
py::bytes raw(const std::string& bytes) { return {bytes}; }

template <class Entry>
std::string raw_from(const Entry& entry) {
  return entry.template cast<std::string>();
}

py::object location_state(const std::optional<SourceLocation>& source) {
  if (!source) return py::none();
  return py::make_tuple(raw(source->file), source->line, raw(source->function), raw(source->code));
}

std::optional<SourceLocation> location_from(const py::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto entries = state.cast<py::tuple>();
  return SourceLocation{raw_from(entries[0]), entries[1].cast<std::int64_t>(), raw_from(entries[2]),
                        raw_from(entries[3])};
}

py::tuple note_state(const Note& n) {
  return py::make_tuple(raw(n.message), raw(n.node), n.node_id.index, location_state(n.source),
                        location_state(n.library));
}

Note note_from(const py::tuple& e) {
  return {raw_from(e[0]), raw_from(e[1]), NodeId{e[2].cast<std::uint32_t>()}, location_from(e[3]), location_from(e[4])};
}

py::object fix_state(const std::optional<Fix>& fix) {
  if (!fix) return py::none();
  return py::make_tuple(raw(fix->title), static_cast<int>(fix->applicability), raw(fix->node), fix->node_id.index,
                        location_state(fix->source), location_state(fix->library));
}

std::optional<Fix> fix_from(const py::object& state) {
  if (state.is_none()) return std::nullopt;
  const auto e = state.cast<py::tuple>();
  return Fix{raw_from(e[0]),      static_cast<Applicability>(e[1].cast<int>()),
             raw_from(e[2]),      NodeId{e[3].cast<std::uint32_t>()},
             location_from(e[4]), location_from(e[5])};
}

py::list raw_list(const std::vector<std::string>& entries) {
  py::list made;
  for (const std::string& entry : entries) made.append(raw(entry));
  return made;
}

py::object neighbourhood_state(const Neighbourhood& n) {
  if (n.empty()) return py::none();
  py::list nodes;
  for (const auto& node : n.nodes)
    nodes.append(
        py::make_tuple(static_cast<int>(node.kind), static_cast<int>(node.role), raw(node.op_type), raw(node.name)));
  py::list edges;
  for (const auto& edge : n.edges)
    edges.append(
        py::make_tuple(edge.from, edge.to, raw(edge.value), raw(edge.type), edge.at_fault, raw(edge.contents)));
  return py::make_tuple(nodes, edges);
}

Neighbourhood neighbourhood_from(const py::object& state) {
  Neighbourhood n;
  if (state.is_none()) return n;
  const auto parts = state.cast<py::tuple>();
  for (const py::handle node : parts[0].cast<py::list>()) {
    const auto e = node.cast<py::tuple>();
    n.nodes.push_back({static_cast<Neighbourhood::Kind>(e[0].cast<int>()),
                       static_cast<Neighbourhood::Role>(e[1].cast<int>()), raw_from(e[2]), raw_from(e[3])});
  }
  for (const py::handle edge : parts[1].cast<py::list>()) {
    const auto e = edge.cast<py::tuple>();
    n.edges.push_back({e[0].cast<std::uint32_t>(), e[1].cast<std::uint32_t>(), raw_from(e[2]), raw_from(e[3]),
                       e[4].cast<bool>(), raw_from(e[5])});
    if (std::max(n.edges.back().from, n.edges.back().to) >= n.nodes.size())
      throw py::value_error("a pickled picture has an edge to nowhere");
  }
  return n;
}

}  // namespace

py::tuple suppressed_state(const Suppressed& s) {
  return py::make_tuple(kFormat, finding_state(s.finding), static_cast<int>(s.by), raw(s.reason));
}

Suppressed suppressed_from(const py::tuple& state) {
  require(state, 4);
  return {finding_from(state[1].cast<py::tuple>()), static_cast<Suppressed::By>(state[2].cast<int>()),
          raw_from(state[3])};
}

py::tuple finding_state(const Finding& f) {
  py::list notes;
  for (const Note& note : f.notes) notes.append(note_state(note));
  py::list consequences;
  for (const Finding& finding : f.consequences) consequences.append(finding_state(finding));
  return py::make_tuple(kFormat, std::string(f.rule->code), static_cast<int>(f.severity), static_cast<int>(f.certainty),
                        raw(f.message), raw(f.node), raw(f.op_type), raw(f.graph), raw(f.value), raw_list(f.signature),
                        location_state(f.source), raw(f.module), notes, fix_state(f.fix), raw_list(f.evidence),
                        consequences, f.node_id.index, f.caused_by.index, raw(f.fingerprint),
                        neighbourhood_state(f.neighbourhood), location_state(f.library), raw(f.fact));
}

Finding finding_from(const py::tuple& state) {
  require(state, 22);
  Finding f;
  f.rule = known_rule(state[1].cast<std::string>());
  f.severity = static_cast<Severity>(state[2].cast<int>());
  f.certainty = static_cast<Certainty>(state[3].cast<int>());
  f.message = raw_from(state[4]);
  f.node = raw_from(state[5]);
  f.op_type = raw_from(state[6]);
  f.graph = raw_from(state[7]);
  f.value = raw_from(state[8]);
  f.signature = state[9].cast<std::vector<std::string>>();
  f.source = location_from(state[10]);
  f.module = raw_from(state[11]);
  for (const py::handle note : state[12].cast<py::list>()) f.notes.push_back(note_from(note.cast<py::tuple>()));
  f.fix = fix_from(state[13]);
  f.evidence = state[14].cast<std::vector<std::string>>();
  for (const py::handle finding : state[15].cast<py::list>())
    f.consequences.push_back(finding_from(finding.cast<py::tuple>()));
  f.node_id = NodeId{state[16].cast<std::uint32_t>()};
  f.caused_by = NodeId{state[17].cast<std::uint32_t>()};
  f.fingerprint = raw_from(state[18]);
  f.neighbourhood = neighbourhood_from(state[19]);
  f.library = location_from(state[20]);
  f.fact = raw_from(state[21]);
  return f;
}

py::tuple target_state(const Target& t) {
  py::list precisions;
  for (const Precision precision : t.precisions) precisions.append(static_cast<int>(precision));
  py::list profile;
  for (const ProfileInput& input : t.profile)
    profile.append(py::make_tuple(raw(input.name), input.min, input.opt, input.max));
  const py::object capability =
      t.compute_capability
          ? py::object(py::make_tuple(t.compute_capability->major_version, t.compute_capability->minor_version))
          : py::object(py::none());
  return py::make_tuple(kFormat, t.release.major_version, t.release.minor_version, precisions, capability,
                        raw_list(t.plugins), profile);
}

Target target_from(const py::tuple& state) {
  require(state, 7);
  Target t;
  t.release = {state[1].cast<std::int32_t>(), state[2].cast<std::int32_t>()};
  for (const py::handle precision : state[3].cast<py::list>())
    t.precisions.push_back(static_cast<Precision>(precision.cast<int>()));
  if (!state[4].is_none()) {
    const auto entries = state[4].cast<py::tuple>();
    t.compute_capability = {entries[0].cast<std::int32_t>(), entries[1].cast<std::int32_t>()};
  }
  t.plugins = state[5].cast<std::vector<std::string>>();
  using Sizes = std::vector<std::int64_t>;
  for (const py::handle input : state[6].cast<py::list>()) {
    const auto entries = input.cast<py::tuple>();
    t.profile.push_back(
        {raw_from(entries[0]), entries[1].cast<Sizes>(), entries[2].cast<Sizes>(), entries[3].cast<Sizes>()});
  }
  return t;
}

py::tuple report_state(const CheckedReport& r) {
  py::list findings;
  for (const Finding& finding : r.report.findings) findings.append(finding_state(finding));
  py::list suppressions;
  for (const Suppressed& suppressed : r.report.suppressions) suppressions.append(suppressed_state(suppressed));
  py::list unlisted;
  for (const Unlisted& each : r.report.unlisted)
    unlisted.append(py::make_tuple(std::string(each.rule->code), static_cast<int>(each.severity), each.count));
  return py::make_tuple(kFormat, raw(r.report.path), target_state(r.report.target), findings, r.report.node_count,
                        r.report.suppressed, suppressions, raw_list(r.report.unmatched), raw_list(r.remarks), unlisted);
}

CheckedReport report_from(const py::tuple& state) {
  require(state, 10);
  CheckedReport r;
  r.report.path = raw_from(state[1]);
  r.report.target = target_from(state[2].cast<py::tuple>());
  for (const py::handle finding : state[3].cast<py::list>())
    r.report.findings.push_back(finding_from(finding.cast<py::tuple>()));
  r.report.node_count = state[4].cast<std::size_t>();
  r.report.suppressed = state[5].cast<std::size_t>();
  for (const py::handle suppressed : state[6].cast<py::list>())
    r.report.suppressions.push_back(suppressed_from(suppressed.cast<py::tuple>()));
  r.report.unmatched = state[7].cast<std::vector<std::string>>();
  r.remarks = state[8].cast<std::vector<std::string>>();
  for (const py::handle each : state[9].cast<py::list>()) {
    const auto entries = each.cast<py::tuple>();
    r.report.unlisted.push_back({known_rule(entries[0].cast<std::string>()),
                                 static_cast<Severity>(entries[1].cast<int>()), entries[2].cast<std::size_t>()});
  }
  return r;
}

}  // namespace trtcheck::python
