// Facts about operators: cpp/data/facts/*.toml, compiled by codegen/embed_facts.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <trtcheck/refused_by.hpp>
#include <trtcheck/target.hpp>

#include "evidence/evidence.hpp"

namespace trtcheck::facts {

/// What happens where the condition of a fact holds.
enum class Effect : std::uint8_t {
  refuse,    ///< the conversion ends
  change,    ///< other numbers or shapes, silently
  ignore,    ///< something of the node is not read, silently
  slow,      ///< it converts, and runs slower than another form of the same
  document,  ///< the documentation rules it out, no refusal was observed
  fallback,  ///< DLA does not run it, the GPU does; told to those who ask for DLA
};

/// What a fact judges: it decides the message, unless the fact has one of its own.
enum class Subject : std::uint8_t {
  attribute_value,
  attribute_type,  ///< an attribute that asks for an element type
  attribute_absent,
  constant,
  folded,  ///< constant, or what follows from constants
  rank_in,
  rank_at_least,
  rank_at_most,
  input_absent,
  output_absent,
  type_in,
  type_not_in,
  relation,  ///< anything else; the fact has a message
};

inline constexpr std::uint16_t kNone = 0xffff;

/// One node of the tree of a condition. Children stand before their parents.
enum class Op : std::uint8_t {
  always,
  number,
  real,
  text,
  type_literal,
  list,
  bound,
  negate,
  both,
  either,
  equal,
  unequal,
  less,
  less_equal,
  is_in,
  add,
  subtract,
  multiply,
  floor_divide,
  modulo,
  given_of,
  const_of,
  folds_of,
  type_of,
  network_type_of,
  rank_of,
  dims_of,
  volume_of,
  data_of,
  source_of,
  from_data_of,
  quantized_of,
  name_of,
  dim,
  attribute,
  has_attribute,
  network_type_named,
  predicate,  ///< line `a` of predicates.inc
  opset,
  inputs_count,
  outputs_count,
  unnamed_count,
  fixed,
  len,
  item,
  slice,
  range_to,
  any_of_list,
  all_of_list,
  op_name,
  node_name,
  release_name,
  gpu_name,
};

struct Expression {
  Op op;
  std::uint16_t a, b, c;  ///< indices of children, inputs, slots; kNone
  std::int64_t number;
  double real;
  std::string_view text;
};

/// A part of a message: a text and what comes behind it.
struct Piece {
  std::string_view text;
  std::uint16_t expression;  ///< kNone: nothing
};

/// The networks that a fact is about.
enum class Network : std::uint8_t { any, strongly_typed, weakly_typed };

struct Fact {
  std::string_view op;
  std::string_view id;  ///< "pad-mode"; of one fact in the whole project
  Effect effect = Effect::refuse;
  Subject subject = Subject::relation;
  std::string_view attribute;                 ///< that it is about; "" = none
  std::uint16_t index = kNone;                ///< of the input or output that it is about
  std::span<const std::string_view> allowed;  ///< numbers as decimal text
  TrtVersion first;                           ///< release
  TrtVersion last;                            ///< release, included
  std::int64_t opset_min = 1;
  std::int64_t opset_max = 0;  ///< 0 = all later ones
  Network network = Network::any;
  bool of_plugin = false;       ///< TensorRT's library of plugins takes the operator, no importer of its own
  ComputeCapability gpu_first;  ///< of GPUs from this on; 0.0: of all, whether the target names one or not
  ComputeCapability gpu_last;   ///< included
  std::uint16_t condition = 0;
  std::string_view words;      ///< the condition as it is written
  std::string_view sentence;   ///< the same in plain words: "input `K` is not constant"
  bool tells_unknown = false;  ///< a condition of which nobody knows whether it holds is worth a warning
  RefusedBy refused_by = RefusedBy::parser;
  std::span<const Piece> message;
  std::string_view says;    ///< what TensorRT prints; * for what varies
  std::string_view remedy;  ///< "" = that of the subject
  evidence::Evidence evidence;
  std::string_view source;   ///< where to look it up
  std::string_view example;  ///< a model that breaks it, as ONNX text
  std::string_view near;     ///< one that does not, and differs in a few words
  std::int64_t model_opset;  ///< of these two, where they do not say so

  /// @param known  a release of the tables
  /// @param opset      0 = not known: facts that are about some opsets only are left out
  /// @param is_strong  the network is strongly typed
  [[nodiscard]] bool holds(TrtVersion known, std::int64_t opset, bool is_strong) const noexcept;
  [[nodiscard]] bool is_of_some_gpus() const noexcept { return gpu_first != ComputeCapability{}; }
  /// @param gpu  of the target; nothing: it names none
  [[nodiscard]] bool holds_on(std::optional<ComputeCapability> gpu) const noexcept {
    return !is_of_some_gpus() || (gpu && gpu_first <= *gpu && *gpu <= gpu_last);
  }
};

/// Of one operator, in the order of their file. Facts whose names have other places in other opsets are there several
/// times.
[[nodiscard]] std::span<const Fact> facts_of(std::string_view op_type);

/// All facts, sorted by operator.
[[nodiscard]] std::span<const Fact> all_facts();

/// What the conditions and messages of all facts point into.
[[nodiscard]] std::span<const Expression> expressions() noexcept;

}  // namespace trtcheck::facts
