// The stages of a check in process, for the files given:
//
//     trtcheck_stages [Google Benchmark options] build/bench/20000_nodes.onnx ...
//
// One file: read, infer, check. Several: all of them in one iteration.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include <trtcheck/trtcheck.hpp>

namespace {

using Files = std::vector<std::string>;

void read_only(benchmark::State& state, const Files& files) {
  std::size_t nodes = 0;
  for (auto _ : state) {
    for (const std::string& file : files) nodes += trtcheck::read_model(file).node_count();
  }
  state.counters["nodes"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kAvgIterations);
}

void read_and_infer(benchmark::State& state, const Files& files) {
  for (auto _ : state) {
    for (const std::string& file : files) {
      const trtcheck::Model model = trtcheck::read_model(file);
      benchmark::DoNotOptimize(trtcheck::infer(model, {}));
    }
  }
}

void check(benchmark::State& state, const Files& files) {
  for (auto _ : state) {
    for (const std::string& file : files) benchmark::DoNotOptimize(trtcheck::check(file, {}));
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const Files files(argv + 1, argv + argc);
  if (files.empty()) return 2;
  benchmark::RegisterBenchmark("read", read_only, files)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("read and infer", read_and_infer, files)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("check", check, files)->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
