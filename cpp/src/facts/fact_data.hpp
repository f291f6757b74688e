// The form of the tables that codegen/embed_facts.py writes. Included by who includes such a table.
#pragma once

#include "facts/fact.hpp"

namespace trtcheck::facts {

using evidence::Measurement;
using evidence::Verdict;

/// As the generator writes it: releases are indices of known_releases() with
/// known_rtx_releases() behind them, spans are begin and count.
struct FactData {
  std::string_view op;
  std::string_view id;
  std::uint16_t first, last;
  std::int64_t opset_min, opset_max;
  Network network;
  bool of_plugin;
  ComputeCapability gpu_first, gpu_last;
  Effect effect;
  Subject subject;
  std::string_view attribute;
  std::uint16_t index;
  std::uint16_t allowed, allowed_count;
  std::uint16_t condition;
  std::string_view words, sentence;
  bool tells_unknown;
  RefusedBy refused_by;
  std::uint16_t message, message_count;
  std::string_view says, fix;
  std::uint16_t read_first, read_last;  ///< kNone: the source of none was opened
  std::uint16_t measured, measured_count;
  std::uint16_t reported, reported_count;
  std::string_view source, example, near;
  std::int64_t model_opset;
};

}  // namespace trtcheck::facts
