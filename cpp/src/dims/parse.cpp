// dim_param texts as exporters write them. Whatever does not fit the grammar entirely is one opaque name:
// better to know less than to read a minus into `seq-len`.
//
//   sum     := product (('+' | '-') product)*
//   product := signed (('*' | '/' | '//' | '%') signed)*
//   signed  := '-'* power        power := primary ('**' digits)?
//   primary := digits | name | name '(' sum (',' sum)* ')' | '(' sum ')'
//
// A plain `/` is exact until a floor or ceiling closes it, so a value is a fraction of two dims:
// `floor(H/2 - 1/2) + 1` is floor((H - 1)/2) + 1.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include <trtcheck/dim.hpp>

namespace trtcheck {

namespace {

constexpr std::size_t kMaxLength = 1000;
constexpr int kMaxNesting = 32;
constexpr std::int64_t kMaxPower = 8;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_name_start(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) noexcept { return is_name_start(c) || is_digit(c) || c == '.'; }

class Parser {
 public:
  Parser(DimTable& table, std::string_view text, std::span<const std::string_view> names = {})
      : table_(table), text_(text), names_(names) {}

  std::optional<Dim> whole() {
    const auto value = sum();
    skip_spaces();
    if (!value || at_ != text_.size()) return std::nullopt;
    return floored(*value);
  }

 private:
  struct Fraction {
    Dim above;
    Dim below;
  };
  using Result = std::optional<Fraction>;

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  // `batch-size` is a name that somebody chose; exporters put spaces around a minus behind a name.
  bool take_minus() {
    const std::size_t before = at_;
    if (!take("-")) return false;
    const bool is_glued = before > 0 && at_ - 1 == before && is_name_part(text_[before - 1]);
    if (is_glued && at_ < text_.size() && text_[at_] != ' ') {
      at_ = before;
      return false;
    }
    return true;
  }

  Dim literal(std::int64_t value) { return table_.literal(value); }

  std::optional<Dim> floored(const Fraction& value) {
    if (value.below.is(1)) return value.above;
    if (table_.bounds(value.below).low < 1) return std::nullopt;
    return table_.floor_div(value.above, value.below);
  }

  Result scaled_sum(const Fraction& a, const Fraction& b, bool is_minus) {
    const Dim left = table_.mul(a.above, b.below);
    const Dim right = table_.mul(b.above, a.below);
    return Fraction{is_minus ? table_.sub(left, right) : table_.add(left, right), table_.mul(a.below, b.below)};
  }

  Result sum() {
    if (++nesting_ > kMaxNesting) return std::nullopt;
    Result out = product();
    while (out) {
      const bool is_plus = take("+");
      if (!is_plus && !take_minus()) break;
      const Result next = product();
      if (!next) return std::nullopt;
      out = scaled_sum(*out, *next, !is_plus);
    }
    --nesting_;
    return out;
  }

  Result product() {
    Result out = power();
    while (out) {
      const bool is_floor = take("//");
      const bool is_slash = !is_floor && take("/");
      const bool is_mod = !is_floor && !is_slash && take("%");
      if (!is_floor && !is_slash && !is_mod && !take("*")) break;
      const Result next = power();
      if (!next) return std::nullopt;
      if (is_mod)
        out = remainder(*out, *next);
      else if (is_floor || is_slash)
        out = quotient(*out, *next, is_floor);
      else
        out = Fraction{table_.mul(out->above, next->above), table_.mul(out->below, next->below)};
    }
    return out;
  }

  Result quotient(const Fraction& a, const Fraction& b, bool is_floor) {
    const Fraction out{table_.mul(a.above, b.below), table_.mul(a.below, b.above)};
    if (table_.bounds(out.below).low < 1) return std::nullopt;
    if (!is_floor) return out;
    const auto value = floored(out);
    return value ? Result(Fraction{*value, literal(1)}) : std::nullopt;
  }

  Result remainder(const Fraction& a, const Fraction& b) {
    if (!a.below.is(1) || !b.below.is(1) || table_.bounds(b.above).low < 1) return std::nullopt;
    return Fraction{table_.mod(a.above, b.above), literal(1)};
  }

  Result power() {
    int signs = 0;
    while (take("-")) ++signs;
    Result out = primary();
    if (out && take("**")) {
      const auto exponent = number();
      if (!exponent || *exponent > kMaxPower) return std::nullopt;
      Fraction raised{literal(1), literal(1)};
      for (std::int64_t i = 0; i < *exponent; ++i) {
        raised = {table_.mul(raised.above, out->above), table_.mul(raised.below, out->below)};
      }
      out = raised;
    }
    if (out && signs > 0 && (static_cast<unsigned>(signs) & 1U) != 0) out->above = table_.sub(literal(0), out->above);
    return out;
  }

  std::optional<std::int64_t> number() {
    skip_spaces();
    std::int64_t value = 0;
    const char* const first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    if (first == last || !is_digit(*first)) return std::nullopt;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc{} || (end != last && is_name_part(*end))) return std::nullopt;
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  /// The longest of the given names that stands here; "" = none does.
  [[nodiscard]] std::string_view given_name() const {
    std::string_view found;
    for (const std::string_view name : names_) {
      const std::string_view rest = text_.substr(std::min(at_, text_.size()));
      const bool goes_on = rest.size() > name.size() && is_name_part(name.back()) && is_name_part(rest[name.size()]);
      if (name.size() > found.size() && rest.starts_with(name) && !goes_on) found = name;
    }
    return found;
  }

  Result primary() {
    skip_spaces();
    if (take("(")) {
      const Result inner = sum();
      return inner && take(")") ? inner : std::nullopt;
    }
    skip_spaces();
    if (at_ < text_.size() && is_digit(text_[at_])) {
      const auto value = number();
      return value ? Result(Fraction{literal(*value), literal(1)}) : std::nullopt;
    }
    if (const std::string_view given = given_name(); !given.empty()) {
      at_ += given.size();
      return Fraction{table_.symbol(given), literal(1)};
    }
    const std::size_t start = at_;
    if (at_ == text_.size() || !is_name_start(text_[at_])) return std::nullopt;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (take("(")) return call(name);
    return Fraction{table_.symbol(name), literal(1)};
  }

  Result call(std::string_view name) {
    std::vector<Fraction> arguments;
    do {
      const Result argument = sum();
      if (!argument) return std::nullopt;
      arguments.push_back(*argument);
    } while (take(","));
    if (!take(")")) return std::nullopt;
    const auto value = apply(name, arguments);
    return value ? Result(Fraction{*value, literal(1)}) : std::nullopt;
  }

  std::optional<Dim> apply(std::string_view name, const std::vector<Fraction>& arguments) {
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::ranges::find(names, name) != names.end();
    };
    if (arguments.size() == 1 && is_one_of({"floor"})) return floored(arguments[0]);
    if (arguments.size() == 1 && is_one_of({"ceil", "ceiling"})) {
      const Fraction& x = arguments[0];
      if (table_.bounds(x.below).low < 1) return std::nullopt;
      return table_.ceil_div(x.above, x.below);
    }
    const bool is_whole = std::ranges::all_of(arguments, [](const Fraction& x) { return x.below.is(1); });
    if (arguments.size() < 2 || !is_whole) return std::nullopt;
    if (arguments.size() == 2 && is_one_of({"FloorDiv", "floordiv"})) {
      return floored({arguments[0].above, arguments[1].above});
    }
    if (arguments.size() == 2 && is_one_of({"Mod", "mod"})) {
      if (table_.bounds(arguments[1].above).low < 1) return std::nullopt;
      return table_.mod(arguments[0].above, arguments[1].above);
    }
    const bool is_min = is_one_of({"min", "Min"});
    if (!is_min && !is_one_of({"max", "Max"})) return std::nullopt;
    Dim out = arguments[0].above;
    for (const Fraction& x : arguments) out = is_min ? table_.min(out, x.above) : table_.max(out, x.above);
    return out;
  }

  DimTable& table_;
  std::string_view text_;
  std::span<const std::string_view> names_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

// Texts by which writers say "no name"; two of them are not one variable.
constexpr std::array<std::string_view, 5> kNameless{"?", "-1", "*", "None", "none"};

bool is_plain_name(std::string_view text) noexcept {
  return !text.empty() && is_name_start(text.front()) && std::ranges::all_of(text, is_name_part);
}

// A lone number is not a size: the file had a field for that.
bool has_name(std::string_view text) noexcept { return std::ranges::any_of(text, is_name_start); }

}  // namespace

std::optional<Dim> DimTable::expression(std::string_view text, std::span<const std::string_view> names) {
  if (text.size() > kMaxLength) return std::nullopt;
  return Parser(*this, text, names).whole();
}

Dim DimTable::parse(std::string_view text) {
  if (is_plain_name(text) && text != "None" && text != "none") return symbol(text);
  if (std::ranges::find(kNameless, text) != kNameless.end()) {
    return unknown({.reason = "the file gives a placeholder instead of a name"});
  }
  if (text.size() > kMaxLength || !has_name(text)) return symbol(text);
  const auto value = Parser(*this, text).whole();
  return value && is_exact(*value) ? *value : symbol(text);
}

}  // namespace trtcheck
