#include "report/json_values.hpp"

namespace trtcheck::report {

std::string_view to_string(Neighbourhood::Kind kind) noexcept {
  switch (kind) {
    case Neighbourhood::Kind::node:
      return "node";
    case Neighbourhood::Kind::input:
      return "input";
    case Neighbourhood::Kind::initializer:
      return "initializer";
    case Neighbourhood::Kind::output:
      return "output";
    case Neighbourhood::Kind::more:
      return "more";
  }
  return "?";
}

std::string_view to_string(Neighbourhood::Role role) noexcept {
  switch (role) {
    case Neighbourhood::Role::plain:
      return "plain";
    case Neighbourhood::Role::culprit:
      return "culprit";
    case Neighbourhood::Role::victim:
      return "victim";
  }
  return "?";
}

}  // namespace trtcheck::report
