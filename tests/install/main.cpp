// Every public header, and every stage from file to report: user MODEL.
#include <iostream>

#include <trtcheck/dim.hpp>
#include <trtcheck/error.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/neighbourhood.hpp>
#include <trtcheck/parts.hpp>
#include <trtcheck/picture.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/rule.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>
#include <trtcheck/trtcheck.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const trtcheck::Model model = trtcheck::read_model(argv[1]);
    const trtcheck::Shapes shapes = trtcheck::infer(model);
    std::cout << shapes.text(model.graph().outputs[0]) << "\n";
    const trtcheck::Report report = trtcheck::check(model, {});
    std::cout << trtcheck::to_string(report.verdict()) << "\n" << trtcheck::version() << "\n";
    trtcheck::CheckOptions options;
    options.neighbourhoods = true;
    const trtcheck::Report drawn = trtcheck::check(model, options);
    std::cout << trtcheck::draw(drawn.findings.at(0).neighbourhood).substr(0, 4) << "\n";
    return trtcheck::all_rules().empty() ? 1 : 0;
  } catch (const trtcheck::Error& error) {
    std::cout << error.what() << "\n";
    return 2;
  }
}
