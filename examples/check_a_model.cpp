// Checks the ONNX files given on the command line: g++ -std=c++20 check_a_model.cpp -ltrtcheck
#include <iostream>
#include <vector>

#include <trtcheck/trtcheck.hpp>

int main(int argc, char** argv) {
  trtcheck::CheckOptions options;
  options.target.release = trtcheck::parse_release("10.13");
  options.target.precisions = {trtcheck::Precision::fp16};

  std::vector<trtcheck::Report> reports;
  for (int i = 1; i < argc; ++i) {
    try {
      reports.push_back(trtcheck::check(argv[i], options));
    } catch (const trtcheck::Error& error) {
      std::cerr << error.what() << "\n";  // not readable; everything wrong with a readable model is a finding
      return 2;
    }
  }
  std::cout << trtcheck::render(reports, {.format = trtcheck::Format::concise});

  bool refused = false;
  for (const trtcheck::Report& report : reports) {
    std::cout << report.path << ": " << to_string(report.verdict()) << "\n";
    for (const trtcheck::Finding& finding : report.findings) {
      if (finding.source) std::cout << "  look at " << finding.source->file << ":" << finding.source->line << "\n";
      if (finding.fix) std::cout << "  " << finding.fix->title << "\n";
    }
    refused = refused || report.verdict() == trtcheck::Verdict::refused;
  }
  return refused ? 1 : 0;
}
