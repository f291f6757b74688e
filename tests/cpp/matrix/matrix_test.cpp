// One model against several releases: which answers are one, and who takes the model.
#include <catch2/catch.hpp>

#include <string>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include <trtcheck/error.hpp>
#include <trtcheck/matrix.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

const Rule& rule(std::string_view code) { return *find_rule(code); }

struct Answer {
  std::string release;
  std::vector<std::string> findings;  ///< "error OPS101 node"
};

Report report_of(const Answer& answer) {
  Report report;
  report.target.release = parse_release(answer.release);
  for (const std::string& text : answer.findings) {
    const std::size_t first = text.find(' '), second = text.find(' ', first + 1);
    Finding finding;
    finding.severity = text.starts_with("error")  ? Severity::error
                       : text.starts_with("warn") ? Severity::warning
                                                  : Severity::info;
    finding.rule = &rule(text.substr(first + 1, second - first - 1));
    finding.node = text.substr(second + 1);
    finding.node_id = NodeId{static_cast<std::uint32_t>(finding.node.back())};
    finding.message = "in " + answer.release;
    report.findings.push_back(finding);
  }
  return report;
}

Matrix matrix_of(const std::vector<Answer>& answers) {
  Matrix made;
  for (const Answer& answer : answers) made.reports.push_back(report_of(answer));
  return made;
}

/// "8.0-8.4 refused OPS101:a; 8.5 clean"
std::string ranges_text(const std::vector<Answer>& answers) {
  const Matrix made = matrix_of(answers);
  std::string out;
  for (const MatrixRange& range : made.ranges()) {
    out += (out.empty() ? "" : "; ") + to_string(range.first);
    if (range.first != range.last) out += "-" + to_string(range.last);
    out += " " + std::string(to_string(range.verdict));
    for (const Finding* finding : range.deciding) {
      CHECK(finding->message == "in " + to_string(range.last));
      out += " " + std::string(finding->rule->code) + ":" + finding->node;
    }
  }
  return out;
}

std::string taken_text(const std::vector<Answer>& answers) {
  const auto text = [](const std::optional<TrtVersion>& release) { return release ? to_string(*release) : "-"; };
  std::string out;
  for (const TakenBy& taken : matrix_of(answers).taken_by()) {
    out += (out.empty() ? "" : "; ") + text(taken.oldest_clean) + " " + text(taken.newest_clean) + " " +
           text(taken.oldest_not_refused) + " " + text(taken.newest_not_refused);
  }
  return out;
}

}  // namespace

TEST_CASE("neighbours with one answer are one range") {
  struct Row {
    std::vector<Answer> answers;
    std::string ranges;
  };
  const Row rows[] = {
      {{}, ""},
      {{{"8.0", {}}}, "8.0 clean"},
      {{{"8.0", {}}, {"8.2", {}}, {"8.4", {}}}, "8.0-8.4 clean"},
      // Information decides nothing.
      {{{"8.0", {"info OPS202 a"}}, {"8.2", {}}}, "8.0-8.2 clean"},
      {{{"8.0", {"error OPS101 a"}}, {"8.2", {"error OPS101 a"}}, {"8.4", {}}}, "8.0-8.2 refused OPS101:a; 8.4 clean"},
      // Warnings of a refused model do not decide.
      {{{"8.0", {"error OPS101 a", "warning QDQ203 b"}}, {"8.2", {"error OPS101 a"}}}, "8.0-8.2 refused OPS101:a"},
      {{{"8.0", {"warning QDQ203 b"}}, {"8.2", {"warning QDQ201 b"}}},
       "8.0 uncertain QDQ203:b; 8.2 uncertain QDQ201:b"},
      {{{"8.0", {"error OPS101 a"}}, {"8.2", {"error OPS101 b"}}}, "8.0 refused OPS101:a; 8.2 refused OPS101:b"},
      {{{"8.0", {"error QDQ104 a"}}, {"8.2", {"warning QDQ104 a"}}}, "8.0 refused QDQ104:a; 8.2 uncertain QDQ104:a"},
      {{{"8.0", {}}, {"8.2", {"error OPS101 a"}}, {"8.4", {}}}, "8.0 clean; 8.2 refused OPS101:a; 8.4 clean"},
      // A TensorRT-RTX is no neighbour of a TensorRT.
      {{{"11.5", {}}, {"rtx-1.5", {}}, {"rtx-1.6", {}}}, "11.5 clean; rtx-1.5-rtx-1.6 clean"},
  };
  for (const Row& row : rows) CHECK(ranges_text(row.answers) == row.ranges);
}

TEST_CASE("what is counted only makes another answer, too") {
  Matrix made = matrix_of({{"8.0", {"error OPS101 a"}}, {"8.2", {"error OPS101 a"}}, {"8.4", {"error OPS101 a"}}});
  made.reports[1].unlisted = {{&rule("OPS101"), Severity::error, 7}, {&rule("QDQ203"), Severity::warning, 9}};
  made.reports[2].unlisted = {{&rule("QDQ203"), Severity::warning, 9}};  // warnings of a refused model do not decide
  const std::vector<MatrixRange> ranges = made.ranges();
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].unlisted == 0);
  CHECK(ranges[1].unlisted == 7);
  CHECK(ranges[2].unlisted == 0);
  for (const Format format : {Format::full, Format::markdown, Format::html}) {
    CHECK_THAT(render({&made, 1}, {.format = format}), Contains("and 7 more, 7 of them not listed"));
  }
}

TEST_CASE("the oldest and the newest that take a model") {
  struct Row {
    std::vector<Answer> answers;
    std::string taken;
  };
  const std::vector<std::string> refused{"error OPS101 a"}, uncertain{"warning QDQ203 a"};
  const Row rows[] = {
      {{}, ""},
      {{{"8.0", {}}}, "8.0 8.0 8.0 8.0"},
      {{{"8.0", refused}, {"8.2", refused}}, "- - - -"},
      {{{"8.0", refused}, {"8.2", uncertain}, {"8.4", {}}, {"8.5", {}}}, "8.4 8.5 8.2 8.5"},
      {{{"8.0", {}}, {"8.2", refused}, {"8.4", {}}, {"8.5", uncertain}}, "8.0 8.4 8.0 8.5"},
      {{{"8.4", {}}, {"8.0", {}}}, "8.0 8.4 8.0 8.4"},
      {{{"8.0", refused}, {"rtx-1.5", {}}}, "- - - -; rtx-1.5 rtx-1.5 rtx-1.5 rtx-1.5"},
      {{{"rtx-1.5", uncertain}}, "- - rtx-1.5 rtx-1.5"},
  };
  for (const Row& row : rows) CHECK(taken_text(row.answers) == row.taken);
}

TEST_CASE("a model against all releases") {
  const std::string bytes = test::onnx_bytes("agraph (float[N,4] x) => (float[N,4] y) { [act] y = Gelu (x) }", 20);
  const Model model = read_model(test::as_bytes(bytes));
  const Matrix made = matrix(Analysis(model), {}, parse_releases("all"));
  REQUIRE(made.reports.size() == known_releases().size() + known_rtx_releases().size());
  CHECK(made.node_count == 1);
  const std::vector<MatrixRange> ranges = made.ranges();
  CHECK(ranges.front().first == known_releases().front());
  CHECK(ranges.front().last == TrtVersion{9, 3});
  REQUIRE(ranges.front().deciding.size() == 1);
  CHECK(ranges.front().deciding[0]->rule->code == "OPS101");
  for (const Format format : {Format::full, Format::json, Format::markdown, Format::html}) {
    const std::string text = render({&made, 1}, {.format = format});
    CHECK_THAT(text, Contains("OPS101") && Contains("act"));
    CHECK(text.back() == '\n');
  }
  CHECK_THROWS_WITH(render({&made, 1}, {.format = Format::sarif}), Contains("full, json, markdown and html"));
  CheckOptions options;
  options.select = {"XYZ999"};
  CHECK_THROWS_AS(matrix(Analysis(model), options, parse_releases("latest")), Error);
}
