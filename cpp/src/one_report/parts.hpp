// A document that is written in parts of some size: each part costs a call of the system.
#pragma once

#include <string>

#include "bytes/staged_file.hpp"

namespace trtcheck::one_report {

class Parts {
 public:
  explicit Parts(const Sink& sink) : sink_(&sink) {}
  /// What comes next is put here.
  std::string text;
  void may_pass() {
    if (text.size() > kPart) pass();
  }
  void pass() {
    (*sink_)(text);
    text.clear();
  }

 private:
  static constexpr std::size_t kPart = 1 << 16;
  const Sink* sink_;
};

}  // namespace trtcheck::one_report
