"""tests/coverage.py: what `make coverage` says of a program whose missed branches are known."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Lines with a comment have something that is missed.
PROGRAM = """#include <stdexcept>
#include <string>
struct Pair {
  int a = 0;
  int b = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};
bool fails(int n) {
  if (n > 0) throw std::runtime_error("no");
  return true;
}
int both(bool a, bool b) { return a && b ? 1 : 0; }
int never_first(bool a, bool b) {
  if (a && b) return 1;  // missed
  return 0;
}
int never_second(bool a, bool b) {
  if (a && b) return 1;  // missed
  return 0;
}
std::string cleaned_up(bool a) { return a ? "left " + std::to_string(7) : "right"; }
int never_back(int n) { return fails(n) ? 1 : 0; }  // missed
int never_back_behind(bool a, int n, bool b) { return a && fails(n) && b ? 1 : 0; }  // missed
int chosen(int n) {
  switch (n) {  // missed
    case 0: return 5;
    case 1: return 6;
    default: return 7;
  }
}
template <class T>
bool is_large(T value) { return value > 10; }
template <class T>
int side(T value) {
  if (is_large(value)) return 1;
  return 0;
}
int with_lambda(int n) {
  auto odd = [](int k) { return k % 2 == 1 ? 1 : 0; }; if (n > 100) return 3;  // missed
  return odd(n);
}
int unreached() { return 8; }  // missed
int main(int count, char**) {
  int sum = both(true, true) + both(true, false) + both(false, true);
  sum += never_first(false, count > 0) + never_second(count > 0, false);
  sum += static_cast<int>(cleaned_up(true).size() + cleaned_up(false).size());
  fails(0);
  try {
    if (never_back_behind(false, 0, true) == 1) ++sum;  // missed
    sum += never_back(count);
  } catch (const std::runtime_error&) {  // missed
    ++sum;
  }
  try {
    sum += never_back_behind(true, 1, false);
  } catch (const std::exception&) {  // missed
    ++sum;
  }
  sum += chosen(0) + chosen(2) + side(count) + side(200.0) + with_lambda(1) + with_lambda(2);
  if (Pair{} == Pair{}) ++sum;  // missed
  return count == 9 ? unreached() : 0;  // missed
}
"""


def test_what_is_missed_is_said_and_nothing_else(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("coverage_of_folders", ROOT / "tests/coverage.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM)

    def run(*command: str) -> bytes:
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout

    run("g++", "-std=c++20", "-O0", "--coverage", "-c", "program.cpp", "-o", "program.o")
    run("g++", "--coverage", "program.o", "-o", "program")
    run("./program")
    counted = json.loads(run("gcov", "--branch-probabilities", "--json-format", "--stdout", "program.gcda"))
    file = module.File(source)
    for one in counted["files"]:
        if one["file"] == "program.cpp":
            file.add(one)
    missed = {line for line, count in file.reached().items() if count == 0}
    missed |= {line for line, count in file.branches() if count == 0}
    expected = {at for at, line in enumerate(PROGRAM.splitlines(), 1) if "// missed" in line}
    # A line whose `return` nothing comes to stands alone in a switch.
    expected.add(PROGRAM[: PROGRAM.index("case 1")].count("\n") + 1)
    assert missed == expected
