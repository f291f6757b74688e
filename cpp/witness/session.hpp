// Parses and builds models, each with a network and a parser of its own.
#pragma once

#include <memory>
#include <string>

#include "answer.hpp"
#include "libraries.hpp"

namespace trtcheck::witness {

class Session {
 public:
  virtual ~Session() = default;
  /// What is wrong with the model is in the answer.
  /// @throws Fatal  the library gives no builder, network or parser
  [[nodiscard]] virtual Answer ask(const std::string& path) = 0;
  /// The same for a model of one Relu that the program brings along.
  [[nodiscard]] virtual Answer test() = 0;
};

/// `libraries` and `request` are to live longer.
[[nodiscard]] std::unique_ptr<Session> make_session(const Libraries& libraries, const Request& request);

}  // namespace trtcheck::witness
