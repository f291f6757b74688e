// Symbolic dimensions: interned integer polynomials with three-valued answers.
//
//     DimTable table;
//     Dim n = table.symbol("N");
//     Dim a = table.floor_div(table.mul(n, table.literal(10)), table.literal(5));
//     table.text(a);                                   // "2*N"
//     table.equal(a, table.add(n, n));                 // Truth::yes
//
// A `Dim` is a literal or an id into its table. Expressions are normalised when made: equal id = proven
// equal. Different ids alone prove nothing; ask `equal`. Division is floor division everywhere.
// Arithmetic is checked; what leaves +-2^61 becomes an unknown of its own. Two unknowns are never equal.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>

namespace trtcheck {

enum class Truth : std::uint8_t { no, yes, unknown };

/// Inclusive; kMin/kMax stand for "no bound".
struct Interval {
  static constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();  ///< no lower bound
  static constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();  ///< no upper bound
  std::int64_t low = kMin;                                                        ///< included
  std::int64_t high = kMax;                                                       ///< included
  friend constexpr bool operator==(const Interval&, const Interval&) = default;   ///< both ends are the same
};

/// Eight bytes, trivially copyable. Only meaningful together with the table that made it.
class Dim {
 public:
  constexpr Dim() noexcept = default;  ///< the literal 0
  [[nodiscard]] constexpr bool is_literal() const noexcept {
    return (bits_ & 1) == 0;
  }  ///< a number, not an expression
  /// @pre is_literal()
  [[nodiscard]] constexpr std::int64_t value() const noexcept { return bits_ >> 1; }
  /// True when it is this literal. `is(3)` on a symbolic dim is false.
  [[nodiscard]] constexpr bool is(std::int64_t literal) const noexcept { return is_literal() && value() == literal; }
  /// Same representation: *proven* equal. False proves nothing.
  [[nodiscard]] constexpr bool same(Dim other) const noexcept { return bits_ == other.bits_; }

 private:
  friend class DimTable;
  friend struct DimAccess;
  constexpr explicit Dim(std::int64_t bits) noexcept : bits_(bits) {}
  std::int64_t bits_ = 0;  // even: literal * 2; odd: id * 2 + 1
};

/// Where an unknown comes from. `node` and `axis` are the caller's (NodeId::index or ValueId::index).
struct Origin {
  static constexpr std::uint32_t kNone = 0xffffffffU;  ///< no node
  std::uint32_t node = kNone;                          ///< kNone = none
  std::int32_t axis = -1;                              ///< -1 = none
  std::string_view reason;                             ///< outlives the table; lower case, one line
  std::uint32_t number = kNone;                        ///< of the unknown in its table, in order of making; set there
  Interval range{};                                    ///< what is known of it all the same; set by the table
};

/// Makes dims and answers questions about them. Not thread-safe: making an expression adds to the table.
class TRTCHECK_API DimTable {
 public:
  DimTable();
  DimTable(DimTable&&) noexcept;             ///< moved from: only to be destroyed or assigned to
  DimTable& operator=(DimTable&&) noexcept;  ///< moved from: only to be destroyed or assigned to
  ~DimTable();

  [[nodiscard]] Dim literal(std::int64_t value);  ///< the number; unknown when it leaves +-2^61
  /// One symbol per name; the first call fixes its range (default [1, inf)). A range of one value gives the literal.
  [[nodiscard]] Dim symbol(std::string_view name, Interval range = {1, Interval::kMax});
  /// A fresh unknown, equal to nothing else. `range` is what is known of it all the same.
  [[nodiscard]] Dim unknown(Origin origin, Interval range = {0, Interval::kMax});
  /// A dim_param text: a name, or an expression with + - * // / floor() ceil() min() max() ( ) and numbers
  /// as exporters write them. Anything else is one opaque symbol of that name, except that a placeholder
  /// (`?`, `-1`, `*`, `None`) is a fresh unknown. Never evaluated as code.
  [[nodiscard]] Dim parse(std::string_view text);
  /// Sets the range of a name before it is first used (optimization profile). A single value makes it a literal.
  void set_range(std::string_view name, Interval range);
  /// Whatever range the name gets, it lies in this one too. Before it is first used; several limits add up.
  void limit(std::string_view name, Interval range);
  /// The name is a multiple of the factor, which is at least 1. Before it is first used; several factors add up.
  void set_multiple(std::string_view name, std::int64_t factor);
  /// From here on the name stands for that dim. @pre no dim that holds the name is kept
  void define(std::string_view name, Dim meaning);
  /// The dim is in that range. Holds for this very expression, and for differences that are equal to it.
  void narrow(Dim a, Interval range);
  /// An expression as `parse` reads it, over these names and others that look like names; nothing when it is none.
  [[nodiscard]] std::optional<Dim> expression(std::string_view text, std::span<const std::string_view> names);
  /// What the name has to be for `zero` to be 0, when it occurs there once, with the factor 1 or -1.
  [[nodiscard]] std::optional<Dim> solved_for(std::string_view name, Dim zero);
  /// The dim with another in place of the name.
  [[nodiscard]] Dim replaced(Dim in, std::string_view name, Dim by);
  /// Of a dim that is c*name + d with numbers c and d, c not 0: both, and the name.
  struct Linear {
    std::string_view name;  ///< of the symbol
    std::int64_t factor;    ///< c
    std::int64_t constant;  ///< d
  };
  /// Nothing: the dim has another form.
  [[nodiscard]] std::optional<Linear> linear(Dim a) const;

  [[nodiscard]] Dim add(Dim a, Dim b);  ///< a + b
  [[nodiscard]] Dim sub(Dim a, Dim b);  ///< a - b
  [[nodiscard]] Dim mul(Dim a, Dim b);  ///< a * b
  /// Floor division. Division by a literal 0, or by a symbolic size that may be 0 or negative, gives an unknown.
  [[nodiscard]] Dim floor_div(Dim a, Dim b);
  [[nodiscard]] Dim ceil_div(Dim a, Dim b);  ///< rounded up; like floor_div otherwise
  [[nodiscard]] Dim mod(Dim a, Dim b);       ///< a - b*floor_div(a, b)
  [[nodiscard]] Dim min(Dim a, Dim b);       ///< the smaller one
  [[nodiscard]] Dim max(Dim a, Dim b);       ///< the larger one
  /// numpy broadcasting of one axis when it succeeds: 1 gives the other, equal gives either, two unequal
  /// literals neither of which is 1 give nothing. Never "the larger", never "the first".
  [[nodiscard]] std::optional<Dim> broadcast(Dim a, Dim b);

  [[nodiscard]] Truth equal(Dim a, Dim b);       ///< for all values of the symbols
  [[nodiscard]] Truth less_equal(Dim a, Dim b);  ///< for all values of the symbols
  /// Is `a` a multiple of `b` for all values?
  [[nodiscard]] Truth divides(Dim b, Dim a);
  [[nodiscard]] Interval bounds(Dim a) const;  ///< what it can be, from the ranges of its symbols

  /// "2*floor((H + 1)/2)"; unknowns print as "?", sorted by degree and name: stable between runs.
  [[nodiscard]] std::string text(Dim a) const;
  /// The same with a name for each unknown whose number it has; the others print as "?".
  [[nodiscard]] std::string text(Dim a, const std::map<std::uint32_t, std::string>& unknowns) const;
  /// A number for a symbol.
  struct Binding {
    std::string_view name;  ///< of the symbol
    std::int64_t value;     ///< that it represents
  };
  /// The number for these symbol values; nothing when it holds an unknown, an unbound symbol, or overflows.
  [[nodiscard]] std::optional<std::int64_t> evaluate(Dim a, std::span<const Binding> bindings) const;
  /// Every unknown inside, in order of making; empty when the dim is made of symbols only.
  [[nodiscard]] std::vector<Origin> origins(Dim a) const;
  /// Names of every symbol inside, sorted.
  [[nodiscard]] std::vector<std::string_view> symbols(Dim a) const;
  /// True when no unknown is inside: an exact expression over the model's symbols.
  [[nodiscard]] bool is_exact(Dim a) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trtcheck
