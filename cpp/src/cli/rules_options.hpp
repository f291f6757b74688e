// The words of `trtcheck rules` and `trtcheck explain`.
#pragma once

#include <vector>

#include <trtcheck/rule.hpp>

#include "cli/operator_facts.hpp"
#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct RulesRequest {
  std::vector<const Rule*> rules;
  OutputRequest output;
};

struct RulesWords {
  Words words;
  Words select;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that is about no rule
  [[nodiscard]] RulesRequest request() const;
};

struct ExplainRequest {
  std::vector<const Rule*> rules;
  std::vector<const Rule*> families;  ///< of words such as "WGT": rules that are listed
  std::vector<FactCases> facts;       ///< of words such as "OPS401:pad-mode"
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
