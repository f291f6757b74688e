#include "pickling.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "report/fields.hpp"
#include "text/hash.hpp"

namespace trtcheck::report {

template <>
struct Fields<TrtVersion> {
  static constexpr std::tuple kAll{Field{"major", &TrtVersion::major_version},
                                   Field{"minor", &TrtVersion::minor_version}};
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
struct Fields<Target> {
  static constexpr std::tuple kAll{Field{"release", &Target::release}, Field{"precisions", &Target::precisions},
                                   Field{"compute_capability", &Target::compute_capability},
                                   Field{"plugins", &Target::plugins}, Field{"profile", &Target::profile}};
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
struct Fields<python::CheckedReport> {
  static constexpr std::tuple kAll{Field{"report", &python::CheckedReport::report},
                                   Field{"remarks", &python::CheckedReport::remarks}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

using report::Described;
using report::for_each_field;

template <class Class>
constexpr void add_names(Hash& hash) {
  for_each_field<Class>([&](const auto& field) { hash.add(field.name); });
}

/// Another one with every change of the fields.
constexpr std::uint64_t format() {
  Hash hash(5);
  add_names<SourceLocation>(hash);
  add_names<Note>(hash);
  add_names<Fix>(hash);
  add_names<Neighbourhood::Node>(hash);
  add_names<Neighbourhood::Edge>(hash);
  add_names<Neighbourhood>(hash);
  add_names<Finding>(hash);
  add_names<Unlisted>(hash);
  add_names<Suppressed>(hash);
  add_names<TrtVersion>(hash);
  add_names<ComputeCapability>(hash);
  add_names<ProfileInput>(hash);
  add_names<Target>(hash);
  add_names<Report>(hash);
  return hash.value();
}
constexpr std::uint64_t kFormat = format();

[[noreturn]] void refuse() { throw py::value_error("pickled by another version of trtcheck"); }

// File names and tensor names may be any bytes.
py::object state_of(const std::string& text) { return py::bytes(text); }
py::object state_of(const Rule* rule) { return py::str(std::string(rule->code)); }
py::object state_of(NodeId id) { return py::int_(id.index); }
template <class Value>
py::object state_of(const Value& value);
template <class Value>
py::object state_of(const std::optional<Value>& value);
template <class Value>
py::object state_of(const std::vector<Value>& list);

template <class Value>
py::object state_of(const Value& value) {
  if constexpr (Described<Value>) {
    py::list fields;
    for_each_field<Value>([&](const auto& field) { fields.append(state_of(value.*field.member)); });
    return py::tuple(fields);
  } else if constexpr (std::is_enum_v<Value>) {
    return py::int_(static_cast<int>(value));
  } else {
    return py::cast(value);
  }
}

template <class Value>
py::object state_of(const std::optional<Value>& value) {
  return value ? state_of(*value) : py::object(py::none());
}

template <class Value>
py::object state_of(const std::vector<Value>& list) {
  py::list made;
  for (const Value& value : list) made.append(state_of(value));
  return made;
}

void read(std::string& text, const py::handle& state) { text = state.cast<std::string>(); }
void read(NodeId& id, const py::handle& state) { id = NodeId{state.cast<std::uint32_t>()}; }
void read(const Rule*& rule, const py::handle& state) {
  const auto code = state.cast<std::string>();
  rule = find_rule(code);
  if (rule == nullptr) throw py::value_error("rule " + code + " is not known here");
}
template <class Value>
void read(Value& value, const py::handle& state);
template <class Value>
void read(std::optional<Value>& value, const py::handle& state);
template <class Value>
void read(std::vector<Value>& list, const py::handle& state);
void read(Neighbourhood& around, const py::handle& state);

template <Described Class>
void read_fields(Class& value, const py::handle& state) {
  const auto fields = state.cast<py::tuple>();
  if (fields.size() != std::tuple_size_v<decltype(report::Fields<Class>::kAll)>) refuse();
  std::size_t index = 0;
  for_each_field<Class>([&](const auto& field) { read(value.*field.member, fields[index++]); });
}

template <class Value>
void read(Value& value, const py::handle& state) {
  if constexpr (Described<Value>) {
    read_fields(value, state);
  } else if constexpr (std::is_enum_v<Value>) {
    value = static_cast<Value>(state.cast<int>());
  } else {
    value = state.cast<Value>();
  }
}

template <class Value>
void read(std::optional<Value>& value, const py::handle& state) {
  if (!state.is_none()) read(value.emplace(), state);
}

template <class Value>
void read(std::vector<Value>& list, const py::handle& state) {
  for (const py::handle each : state.cast<py::list>()) read(list.emplace_back(), each);
}

void read(Neighbourhood& around, const py::handle& state) {
  read_fields(around, state);
  for (const Neighbourhood::Edge& edge : around.edges) {
    if (std::max(edge.from, edge.to) >= around.nodes.size())
      throw py::value_error("a pickled picture has an edge to nowhere");
  }
}

template <class Value>
py::tuple with_format(const Value& value) {
  return py::make_tuple(kFormat, state_of(value));
}

template <class Value>
Value without_format(const py::tuple& state) {
  if (state.size() != 2 || !py::isinstance<py::int_>(state[0]) || !state[0].cast<py::object>().equal(py::int_(kFormat)))
    refuse();
  Value value;
  read(value, state[1]);
  return value;
}

}  // namespace

py::tuple finding_state(const Finding& finding) { return with_format(finding); }
Finding finding_from(const py::tuple& state) { return without_format<Finding>(state); }

py::tuple suppressed_state(const Suppressed& suppressed) { return with_format(suppressed); }
Suppressed suppressed_from(const py::tuple& state) { return without_format<Suppressed>(state); }

py::tuple target_state(const Target& target) { return with_format(target); }
Target target_from(const py::tuple& state) { return without_format<Target>(state); }

py::tuple report_state(const CheckedReport& report) { return with_format(report); }
CheckedReport report_from(const py::tuple& state) { return without_format<CheckedReport>(state); }

}  // namespace trtcheck::python
