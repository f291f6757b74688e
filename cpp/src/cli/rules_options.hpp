// The words of `trtcheck rules` and `trtcheck explain`.
#pragma once

#include <vector>

#include <trtcheck/rule.hpp>

#include "cli/operator_facts.hpp"
#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct RulesRequest {
  OutputRequest output;
};

struct RulesWords {
  OutputWords output;

  void add_to(Options& options) { output.add_to(options); }
  [[nodiscard]] RulesRequest request() const { return {output.request()}; }
};

struct ExplainRequest {
  std::vector<const Rule*> rules;
  std::vector<FactRow> facts;         ///< of words such as "OPS401:pad-mode"
  std::vector<std::string> messages;  ///< of TensorRT
  std::string error_log;              ///< a file, "-" = standard input, "" = none
  std::string model;                  ///< whose nodes the log or the messages name; "" = none
  OutputRequest output;
};

struct ExplainWords {
  Words words;
  std::string error_log;
  std::string model;
  OutputWords output{&report::FormatRow::explains};

  void add_to(Options& options);
  /// @throws Error  there is no such rule
  [[nodiscard]] ExplainRequest request() const;
};

[[nodiscard]] int run(const RulesRequest& request);
[[nodiscard]] int run(const ExplainRequest& request);

}  // namespace trtcheck::cli
