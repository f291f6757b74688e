#include "pickling.hpp"

#include <cstdint>
#include <tuple>

#include "text/hash.hpp"
#include "value_state.hpp"

namespace trtcheck::report {

template <>
struct Fields<python::CheckedReport> {
  static constexpr std::tuple kAll{Field{"report", &python::CheckedReport::report},
                                   Field{"remarks", &python::CheckedReport::remarks}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

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

template <class Value>
py::tuple with_format(const Value& value) {
  return py::make_tuple(kFormat, state_of(value));
}

template <class Value>
Value without_format(const py::tuple& state) {
  if (state.size() != 2 || !py::isinstance<py::int_>(state[0]) || !state[0].cast<py::object>().equal(py::int_(kFormat)))
    refuse_state();
  Value value;
  restore(value, state[1]);
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
