// Enumerations that the JSON output writes as words are the same words in Python: typed Literal, compared as str.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include "text.hpp"

#include <trtcheck/report.hpp>
#include <trtcheck/rule.hpp>

namespace trtcheck::python {

using SeverityWord = py::typing::Literal<"\"error\"", "\"warning\"", "\"info\"">;
using CertaintyWord = py::typing::Literal<"\"proven\"", "\"likely\"", "\"possible\"">;
using ApplicabilityWord = py::typing::Literal<"\"safe\"", "\"unsafe\"", "\"display\"", "\"none\"">;
using SuppressedByWord = py::typing::Literal<"\"model\"", "\"node\"", "\"settings\"", "\"baseline\"">;
using VerdictWord = py::typing::Literal<"\"clean\"", "\"uncertain\"", "\"refused\"">;

template <class Word, class Enum>
Word word(Enum value) {
  return py::reinterpret_borrow<Word>(text(to_string(value)));
}

}  // namespace trtcheck::python
