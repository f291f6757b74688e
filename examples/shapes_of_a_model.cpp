// Prints the shape of every output, and writes all shapes into a copy: g++ -std=c++20 shapes_of_a_model.cpp -ltrtcheck
#include <iostream>

#include <trtcheck/annotate.hpp>
#include <trtcheck/shapes.hpp>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const trtcheck::Model model = trtcheck::read_model(argv[1]);
  const trtcheck::Shapes shapes = trtcheck::infer(model);
  for (const trtcheck::ValueId output : model.graph().outputs) {
    std::cout << model.value(output).name << ": " << shapes.text(output) << "\n";
  }
  for (const trtcheck::Conflict& conflict : shapes.conflicts()) std::cout << conflict.message << "\n";
  const trtcheck::Annotated annotated = trtcheck::annotate(argv[1]);
  annotated.write(argv[2]);
  std::cout << annotated.added() << " declarations added\n";
}
