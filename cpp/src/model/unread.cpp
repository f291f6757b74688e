#include "model/unread.hpp"

#include <vector>

#include "model/wire.hpp"

namespace trtcheck {
namespace {

// Protobuf's own limit for messages in messages.
constexpr std::uint32_t kDepth = 100;

void check_list(Content content, std::string_view packed) {
  if (content == Content::varints) {
    wire::Cursor c(packed);
    while (!c.done()) c.number();
  } else if (packed.size() % (content == Content::fixed32 ? 4 : 8) != 0) {
    throw wire::Malformed{packed.data(), "a packed list is cut off"};
  }
}

}  // namespace

void check_unread(MessageKind kind, std::string_view text) {
  struct Step {
    MessageKind kind;
    std::string_view text;
    std::uint32_t depth;
  };
  std::vector<Step> steps{{kind, text, 0}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    if (step.depth > kDepth) throw wire::Malformed{step.text.data(), "messages are nested more than 100 deep", true};
    wire::Cursor c(step.text);
    while (c.next()) {
      const MessageField* row = message_field(step.kind, c.key());
      if (row == nullptr || row->content == Content::payload) {
        c.skip();
      } else if (row->content == Content::message) {
        steps.push_back({row->inner, c.bytes(), step.depth + 1});
      } else {
        check_list(row->content, c.bytes());
      }
    }
  }
}

}  // namespace trtcheck
