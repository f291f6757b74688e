#include "shapes/user_language.hpp"

#include <charconv>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "text/printable.hpp"

namespace trtcheck::shapes {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongest = 4096;
constexpr std::size_t kMostInputs = 1024;
constexpr std::int32_t kTypeNumbers = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The element type of that name; nothing when ONNX has none.
std::optional<DataType> type_named(std::string_view name) {
  for (std::int32_t number = 1; number < kTypeNumbers; ++number) {
    if (to_string(DataType{number}) == name) return DataType{number};
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text.size() > kLongest) throw Error("", fmt::format("a shape of more than {} letters", kLongest));
  }

  UserOutput output() {
    UserOutput out;
    if (const auto input = input_alone()) {
      out.like = *input;
      return out;
    }
    out.type = type();
    if (take('[')) {
      out.has_rank = true;
      out.dims = dims();
    }
    skip_spaces();
    if (at_ != text_.size()) fail(fmt::format("`{}` is left over", rest()));
    return out;
  }

 private:
  [[noreturn]] void fail(std::string_view cause) const {
    throw Error("", fmt::format("{} in `{}`", cause, shortened(printable(text_), kMaxName)));
  }

  [[nodiscard]] std::string rest() const { return shortened(printable(text_.substr(at_)), kMaxName); }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view word) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(word)) return false;
    // `in0` is no `in01`, `min` no `minimum`.
    const char last = word.back();
    const std::size_t end = at_ + word.size();
    if (is_letter(last) && end < text_.size() && is_letter(text_[end])) return false;
    at_ = end;
    return true;
  }
  bool take(char c) { return take(std::string_view(&c, 1)); }

  void need(std::string_view word) {
    if (!take(word))
      fail(at_ == text_.size() ? fmt::format("`{}` is missing at the end", word)
                               : fmt::format("`{}` is required before `{}`", word, rest()));
  }

  std::string_view name() {
    skip_spaces();
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (first == at_) fail(fmt::format("a name is required before `{}`", rest()));
    return text_.substr(first, at_ - first);
  }

  std::int64_t number() {
    skip_spaces();
    std::int64_t value = 0;
    const char* const first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail(fmt::format("a whole number is required before `{}`", rest()));
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  std::optional<std::size_t> input() {
    skip_spaces();
    const std::size_t before = at_;
    if (text_.substr(at_).starts_with("in") && at_ + 2 < text_.size() && is_digit(text_[at_ + 2])) {
      at_ += 2;
      const std::int64_t index = number();
      if (index >= static_cast<std::int64_t>(kMostInputs)) fail(fmt::format("there is no input {}", index));
      return static_cast<std::size_t>(index);
    }
    at_ = before;
    return std::nullopt;
  }

  std::size_t needed_input() {
    const auto found = input();
    if (!found) fail(fmt::format("an input such as `in0` is required before `{}`", rest()));
    return *found;
  }

  /// `in0`, and nothing behind it.
  std::optional<std::size_t> input_alone() {
    const std::size_t before = at_;
    const auto found = input();
    skip_spaces();
    if (found && at_ == text_.size()) return found;
    at_ = before;
    return std::nullopt;
  }

  UserType type() {
    UserType out;
    if (take('?')) return out;
    if (take("type")) {
      need("(");
      out.kind = UserType::Kind::input;
      out.input = needed_input();
      need(")");
      return out;
    }
    const std::string_view word = name();
    if (word == "attr" && take('.')) {
      out.kind = UserType::Kind::attribute;
      out.attribute = name();
      return out;
    }
    const auto found = type_named(word);
    if (!found) fail(fmt::format("`{}` is no element type of ONNX", word));
    out.kind = UserType::Kind::fixed;
    out.type = *found;
    return out;
  }

  std::vector<UserDim> dims() {
    std::vector<UserDim> out;
    if (take(']')) return out;
    do {
      out.push_back(dim());
    } while (take(','));
    need("]");
    return out;
  }

  UserDim dim() {
    UserDim out;
    if (!take("...")) {
      sum(out.steps);
      return out;
    }
    out.input = needed_input();
    if (!take('[')) return out;
    if (!take(':')) {
      out.first = number();
      need(":");
    }
    if (take(']')) return out;
    out.end = number();
    need("]");
    return out;
  }

  using Steps = std::vector<UserStep>;

  void sum(Steps& steps) {
    product(steps);
    while (true) {
      const bool adds = take('+');
      if (!adds && !take('-')) return;
      product(steps);
      steps.push_back({.kind = adds ? UserStep::Kind::add : UserStep::Kind::sub});
    }
  }

  void product(Steps& steps) {
    factor(steps);
    while (true) {
      const UserStep::Kind kind = take('*')                 ? UserStep::Kind::mul
                                  : take("//") || take('/') ? UserStep::Kind::div
                                  : take('%')               ? UserStep::Kind::mod
                                                            : UserStep::Kind::number;
      if (kind == UserStep::Kind::number) return;
      factor(steps);
      steps.push_back({.kind = kind});
    }
  }

  void two(Steps& steps, UserStep::Kind kind, std::string_view between) {
    need("(");
    // Of `ceil(a / b)` the quotient is the whole.
    if (kind == UserStep::Kind::ceil_div) {
      factor(steps);
    } else {
      sum(steps);
    }
    need(between);
    if (kind == UserStep::Kind::ceil_div) {
      factor(steps);
    } else {
      sum(steps);
    }
    need(")");
    steps.push_back({.kind = kind});
  }

  void factor(Steps& steps) {
    if (++depth_ > kDeepest) fail("too many brackets");
    operand(steps);
    --depth_;
  }

  void operand(Steps& steps) {
    skip_spaces();
    if (take('(')) {
      sum(steps);
      return need(")");
    }
    if (take('-')) {
      steps.push_back({.kind = UserStep::Kind::number});
      factor(steps);
      return steps.push_back({.kind = UserStep::Kind::sub});
    }
    if (take('?')) return steps.push_back({});
    if (at_ < text_.size() && is_digit(text_[at_])) {
      return steps.push_back({.kind = UserStep::Kind::number, .number = number()});
    }
    if (take("min")) return two(steps, UserStep::Kind::min, ",");
    if (take("max")) return two(steps, UserStep::Kind::max, ",");
    if (take("ceil")) return two(steps, UserStep::Kind::ceil_div, "/");
    if (take("rank")) return of_input(steps, UserStep::Kind::rank);
    if (take("size")) return of_input(steps, UserStep::Kind::size);
    if (take("value")) {
      of_input(steps, UserStep::Kind::value);
      need("[");
      steps.back().number = number();
      return need("]");
    }
    if (take("attr")) return attribute(steps);
    if (const auto found = input()) {
      need("[");
      steps.push_back({.kind = UserStep::Kind::dim, .input = *found, .number = number()});
      return need("]");
    }
    fail(at_ == text_.size() ? std::string("a size is missing at the end")
                             : fmt::format("`{}` is nothing that a size is made of", rest()));
  }

  void of_input(Steps& steps, UserStep::Kind kind) {
    need("(");
    steps.push_back({.kind = kind, .input = needed_input()});
    need(")");
  }

  void attribute(Steps& steps) {
    need(".");
    UserStep step{.kind = UserStep::Kind::attribute};
    step.name = name();
    if (take('[')) {
      step.is_entry = true;
      step.number = number();
      need("]");
    }
    if (take("or")) step.fallback = number();
    steps.push_back(std::move(step));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

UserOutput parse_user_output(std::string_view text) { return Parser(text).output(); }

}  // namespace trtcheck::shapes
