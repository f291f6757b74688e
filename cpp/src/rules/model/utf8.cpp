#include "rules/model/utf8.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace trtcheck::rules {
namespace {

/// First bytes `from`..`to` start a character of `length` bytes whose second byte is in low..high.
struct Form {
  std::uint8_t from, to, length, low, high;
};
constexpr std::array<Form, 8> kForms{{{0xC2, 0xDF, 2, 0x80, 0xBF},
                                      {0xE0, 0xE0, 3, 0xA0, 0xBF},
                                      {0xE1, 0xEC, 3, 0x80, 0xBF},
                                      {0xED, 0xED, 3, 0x80, 0x9F},
                                      {0xEE, 0xEF, 3, 0x80, 0xBF},
                                      {0xF0, 0xF0, 4, 0x90, 0xBF},
                                      {0xF1, 0xF3, 4, 0x80, 0xBF},
                                      {0xF4, 0xF4, 4, 0x80, 0x8F}}};

/// Bytes of the well-formed character at the front; 0 when there is none.
std::size_t character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  if (byte(0) < 0x80) return 1;
  for (const Form& form : kForms) {
    if (byte(0) < form.from || byte(0) > form.to) continue;
    if (text.size() < form.length || byte(1) < form.low || byte(1) > form.high) return 0;
    for (std::size_t i = 2; i < form.length; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return 0;
    }
    return form.length;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace trtcheck::rules
