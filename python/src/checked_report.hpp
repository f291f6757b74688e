// A report together with what has to be said about the way to the model.
#pragma once

#include <string>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::python {

struct CheckedReport {
  Report report;
  std::vector<std::string> remarks;
};

}  // namespace trtcheck::python
