// Messages of TensorRT as words, and the search for one row of words in another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::explain {

/// Lower case. Letters, digits, `_` and `::` make words; "#" is any number, "*" any words.
using Words = std::vector<std::string>;
Words words_of(std::string_view text);

enum class Agreement : std::uint8_t {
  exactly,  ///< a "*" of the text may stand for one word
  nearly,   ///< a misspelling or an article more or less, one in five words
};

/// How many words of `wanted` stand in `text`, in order and without others between them but for "*" of `wanted`, which
/// is up to eight words; nothing when not all do. "*" at the ends of `wanted` count for nothing.
std::optional<std::size_t> find_words(const Words& wanted, const Words& text, Agreement agreement);

}  // namespace trtcheck::explain
