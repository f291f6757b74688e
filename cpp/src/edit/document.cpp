#include "edit/document.hpp"

#include <algorithm>
#include <utility>

#include <protozero/varint.hpp>

namespace trtcheck::edit {
namespace {

// Of a graph there are many fields, and it is asked for them again and again; of a node or tensor there are few.
constexpr std::size_t kMany = 64;

bool has_length(std::uint32_t key) noexcept { return key == wire::bytes(key >> 3U); }

}  // namespace

Pieces wrapped(std::uint32_t field, const Pieces& content) {
  std::string head;
  protozero::write_varint(std::back_inserter(head), wire::bytes(field));
  protozero::write_varint(std::back_inserter(head), content.size());
  Pieces result;
  result.add(head);
  result.add(content);
  return result;
}

Message::Message(std::string_view file, std::vector<ByteRange> parts) : file_(file) {
  for (const ByteRange part : parts) read(part);
}

void Message::read(ByteRange part) {
  const std::string_view message = file_.substr(part.offset, part.length);
  wire::Cursor c(message);
  while (true) {
    const char* begin = c.position();
    if (!c.next()) return;
    Field field{.key = c.key(), .begin = static_cast<std::uint64_t>(begin - file_.data())};
    if (has_length(c.key())) {
      const std::string_view content = c.bytes();
      field.content = static_cast<std::uint64_t>(content.data() - file_.data());
    } else {
      field.content = static_cast<std::uint64_t>(c.position() - file_.data());
      c.skip();
    }
    field.end = static_cast<std::uint64_t>(c.position() - file_.data());
    fields_.push_back(std::move(field));
  }
}

const std::vector<std::size_t>& Message::all_of(std::uint32_t key) const {
  const auto [at, is_new] = by_key_.try_emplace(key);
  if (is_new) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].key == key) at->second.push_back(i);
    }
  }
  return at->second;
}

std::vector<std::size_t> Message::fields(std::uint32_t key) const {
  std::vector<std::size_t> found;
  if (fields_.size() > kMany) {
    for (const std::size_t i : all_of(key)) {
      if (!fields_[i].is_removed) found.push_back(i);
    }
    return found;
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].key == key && !fields_[i].is_removed) found.push_back(i);
  }
  return found;
}

std::optional<std::size_t> Message::last_field(std::uint32_t key) const {
  if (fields_.size() <= kMany) {
    const std::vector<std::size_t> all = fields(key);
    return all.empty() ? std::nullopt : std::optional(all.back());
  }
  const std::vector<std::size_t>& all = all_of(key);
  const auto last = std::find_if(all.rbegin(), all.rend(), [this](std::size_t i) { return has(i); });
  return last == all.rend() ? std::nullopt : std::optional(*last);
}

std::string_view Message::bytes(std::size_t index) const {
  const Field& field = fields_[index];
  return file_.substr(field.content, field.end - field.content);
}

std::uint64_t Message::number(std::size_t index) const { return wire::Cursor(bytes(index)).number(); }

ByteRange Message::range(std::size_t index) const {
  return {fields_[index].begin, fields_[index].end - fields_[index].begin};
}

ByteRange Message::content(std::size_t index) const {
  return {fields_[index].content, fields_[index].end - fields_[index].content};
}

std::string_view Message::text(std::uint32_t key) const {
  const std::vector<std::size_t> found = fields(key);
  return found.empty() ? std::string_view{} : bytes(found.back());
}

Message& Message::open(std::size_t index) {
  Field& field = fields_[index];
  if (!field.inner) {
    const std::vector<ByteRange> parts{{field.content, field.end - field.content}};
    field.inner = std::make_unique<Message>(file_, parts);
  }
  return *field.inner;
}

Message* Message::open_single(std::uint32_t key) {
  const std::vector<std::size_t> found = fields(key);
  if (found.empty()) return nullptr;
  Field& first = fields_[found.front()];
  if (!first.inner) {
    std::vector<ByteRange> parts;
    for (const std::size_t i : found) {
      parts.push_back({fields_[i].content, fields_[i].end - fields_[i].content});
      if (i != found.front()) fields_[i].merged_into = found.front();
    }
    first.inner = std::make_unique<Message>(file_, std::move(parts));
  }
  return first.inner.get();
}

void Message::remove(std::size_t index) {
  fields_[index].is_removed = true;
  has_removed_ = true;
}

void Message::insert(std::size_t before, Pieces field, const std::string& tag) {
  if (!tag.empty()) {
    const auto [known, is_new] = tags_.try_emplace(tag, added_.size());
    if (!is_new) {
      added_[known->second].field = std::move(field);
      return;
    }
  }
  added_.push_back({before, std::move(field)});
}

bool Message::drop(const std::string& tag) {
  const auto known = tags_.find(tag);
  if (known == tags_.end()) return false;
  added_[known->second].field = {};
  added_[known->second].is_dropped = true;
  tags_.erase(known);
  return true;
}

void Message::replace(std::uint32_t field_number, const Pieces& fields) {
  std::size_t at = fields_.size();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].key >> 3U != field_number) continue;
    at = std::min(at, i);
    remove(i);
  }
  const std::string tag = "#" + std::to_string(field_number);
  if (fields.size() == 0) {
    drop(tag);
  } else {
    insert(at, fields, tag);
  }
}

bool Message::is_rewritten(const Field& field) const noexcept {
  const Field& whole = field.merged_into == kNone ? field : fields_[field.merged_into];
  return whole.inner && whole.inner->is_changed();
}

bool Message::is_changed() const noexcept {
  return has_removed_ || std::ranges::any_of(added_, [](const Added& one) { return !one.is_dropped; }) ||
         std::ranges::any_of(fields_, [this](const Field& field) { return is_rewritten(field); });
}

Pieces Message::pieces() const {
  std::vector<const Added*> added;
  for (const Added& one : added_) {
    if (!one.is_dropped) added.push_back(&one);
  }
  std::ranges::stable_sort(added, {}, [](const Added* one) { return one->before; });
  auto next = added.begin();
  Pieces result;
  for (std::size_t i = 0;; ++i) {
    for (; next != added.end() && (*next)->before == i; ++next) result.add((*next)->field);
    if (i == fields_.size()) return result;
    const Field& field = fields_[i];
    if (field.is_removed) continue;
    if (!is_rewritten(field)) {
      result.copy({field.begin, field.end - field.begin});
    } else if (field.merged_into == kNone) {
      result.add(wrapped(field.key >> 3U, field.inner->pieces()));
    }
  }
}

}  // namespace trtcheck::edit
