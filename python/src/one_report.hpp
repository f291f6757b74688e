// What `trtcheck.report` returns: the values behind the page, and its documents.
#pragma once

#include <string>

#include <trtcheck/matrix.hpp>
#include <trtcheck/profile.hpp>
#include <trtcheck/report.hpp>

namespace trtcheck::python {

/// It outlives the model, so that the documents are made with it.
struct OneReport {
  Report report;
  Matrix matrix;
  ProfileProposal profile;
  std::string json;
  std::string html;
};

}  // namespace trtcheck::python
