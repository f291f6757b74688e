// What follows from an answer, and what does not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/confirm.hpp>

#include "witness/answer.hpp"

namespace trtcheck::witness {

/// The text of an error of the parser that has none.
inline constexpr std::string_view kNoReason = "the parser refuses the node and gives no reason";

/// An error of the parser, or one of the builder's log.
struct Said {
  std::string text{};
  std::string stage{};       ///< "parser" or "builder"
  std::string node_name{};   ///< as the parser named it; "" = it named none
  std::string op_type{};     ///< as the parser named it; "" = it named none
  int node = -1;             ///< index in its graph; -1 = of none
  std::string_view limit{};  ///< why nothing follows from it; "" = it counts
};

struct Judgement {
  Testimony testimony = Testimony::not_judged;
  std::string reason;  ///< why it is not more than parsed, or not judged; else the first line that counts
  std::vector<Said> said;
};

/// @param proposed  whether the profile was ours: that it does not fit is then our fault
[[nodiscard]] Judgement judge(const Answer& answer, bool proposed);

/// The line of a message that tells most: without the place in NVIDIA's sources around it.
[[nodiscard]] std::string headline(std::string_view text);

}  // namespace trtcheck::witness
