// The oracle that we did not write: onnx's test models with recorded tensors. Whatever we state (rank, size, type,
// contents), the recorded outputs agree; every model runs, so a conflict would be wrong, too.
//
// Each model is inferred three times: as it is, with all input sizes left open, and with open sizes but short
// inputs (axes, sizes, scales) made constant. The sizes of the recorded inputs are then put in for the symbols.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>
#include <catch2/catch.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "as_bytes.hpp"

namespace trtcheck::test {
namespace {

namespace fs = std::filesystem;

/// libonnx-testdata, or another copy of onnx/backend/test/data (then nothing is said about the unknowns).
const char* const kOther = std::getenv("TRTCHECK_OTHER_TESTDATA");
const fs::path kFolder = kOther != nullptr ? fs::path(kOther) : fs::path(TRTCHECK_ONNX_TESTDATA) / "data";

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

enum class Variant { as_it_is, open_sizes, open_sizes_constant_parameters };

bool is_tensor_type(const onnx::ValueInfoProto& info) { return info.type().has_tensor_type(); }

onnx::TensorProto recorded(const fs::path& set, const char* kind, int i) {
  onnx::TensorProto tensor;
  if (!tensor.ParseFromString(slurp(set / (std::string(kind) + "_" + std::to_string(i) + ".pb")))) tensor.Clear();
  return tensor;
}

/// Axes, sizes, scales: what exporters write as constants.
bool is_parameter(const onnx::TensorProto& tensor) {
  const int type = tensor.data_type();
  const bool is_scales = type == onnx::TensorProto::FLOAT && (tensor.dims_size() == 0 || tensor.dims(0) <= 8);
  return is_scales || type == onnx::TensorProto::INT64 || type == onnx::TensorProto::INT32 ||
         type == onnx::TensorProto::BOOL;
}

/// Leaves the sizes of inputs open and takes the claims about everything else away.
void open_up(onnx::ModelProto& model, const fs::path& set, bool constant_parameters) {
  auto* graph = model.mutable_graph();
  graph->clear_value_info();
  for (auto& output : *graph->mutable_output()) {
    if (is_tensor_type(output)) output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  onnx::GraphProto kept;
  for (int i = 0; i < graph->input_size(); ++i) {
    const auto& input = graph->input(i);
    if (!is_tensor_type(input)) continue;
    auto tensor = recorded(set, "input", i);
    if (constant_parameters && tensor.dims_size() <= 1 && model.ir_version() >= 4 && is_parameter(tensor)) {
      tensor.set_name(input.name());
      *graph->add_initializer() = std::move(tensor);
    }
    for (auto& dim : *graph->mutable_input(i)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      dim.Clear();
    }
  }
  if (!constant_parameters) return;
  for (int i = 0; i < graph->input_size(); ++i) {
    bool is_constant = false;
    for (const auto& initializer : graph->initializer()) is_constant |= initializer.name() == graph->input(i).name();
    if (!is_constant) *kept.add_input() = graph->input(i);
  }
  *graph->mutable_input() = kept.input();
}

/// numpy has no bfloat16: the recorder wrote its bits as uint16.
bool is_recorded_bfloat16(DataType type, const onnx::TensorProto& tensor) {
  return type == DataType::bfloat16 && tensor.data_type() == onnx::TensorProto::UINT16;
}

struct Tally {
  int values = 0;
  int sizes = 0;
  int unknown_sizes = 0;
  int unknown_ranks = 0;
  int contents = 0;
  std::vector<std::string> wrong;
  std::vector<std::string> unknown;
};

/// One model against its recorded tensors.
class Comparison {
 public:
  Comparison(std::string name, const Model& model, const Shapes& shapes, Tally& tally)
      : name_(std::move(name)), model_(&model), shapes_(&shapes), tally_(&tally) {}

  void bind(ValueId id, const onnx::TensorProto& tensor) {
    const ValueShape& shape = (*shapes_)[id];
    if (!shape.has_rank || shape.rank() != static_cast<std::size_t>(tensor.dims_size())) return;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      const auto symbols = shapes_->dims().symbols(shape.dims[axis]);
      const std::int64_t size = tensor.dims(static_cast<int>(axis));
      // A size of 0 lies outside of the default range of a symbol: nothing is claimed for it.
      if (symbols.size() == 1 && size == 0) has_zero_ = true;
      if (symbols.size() == 1) bindings_.push_back({symbols[0], size});
    }
  }
  [[nodiscard]] bool has_zero() const { return has_zero_; }

  void compare(ValueId id, const onnx::TensorProto& tensor) {
    const ValueShape& shape = (*shapes_)[id];
    ++tally_->values;
    if (shape.kind == ValueShape::Kind::tensor && shape.type != DataType::undefined &&
        static_cast<int>(shape.type) != tensor.data_type() && !is_recorded_bfloat16(shape.type, tensor)) {
      wrong("type " + to_string(shape.type) + ", recorded " + std::to_string(tensor.data_type()));
    }
    if (!shape.has_rank) {
      ++tally_->unknown_ranks;
      tally_->unknown.push_back(name_ + ": " + std::string(shape.reason));
      return;
    }
    if (shape.rank() != static_cast<std::size_t>(tensor.dims_size()))
      return wrong(shapes_->text(shape) + ", recorded rank " + std::to_string(tensor.dims_size()));
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      compare_size(shape.dims[axis], tensor.dims(static_cast<int>(axis)));
    if (shape.is_known) compare_contents(shape, tensor);
  }

  void check_obligations() {
    for (const Conflict& conflict : shapes_->conflicts()) wrong("conflict: " + conflict.message);
    for (const Obligation& need : shapes_->obligations()) {
      // A branch that is not taken may ask for anything.
      if (model_->graph(model_->node(need.node).graph).kind == Graph::Kind::body) continue;
      const auto a = shapes_->dims().evaluate(need.a, bindings_);
      const auto b = shapes_->dims().evaluate(need.b, bindings_);
      if (!a || !b) continue;
      bool holds = false;
      switch (need.need) {
        case Obligation::Need::equal:
          holds = *a == *b;
          break;
        case Obligation::Need::divides:
          holds = *b != 0 && *a % *b == 0;
          break;
        case Obligation::Need::one_or_equal:
          holds = *a == 1 || *a == *b || *b == 1;
          break;
        case Obligation::Need::at_least:
          holds = *a >= *b;
          break;
        case Obligation::Need::in_range:
          holds = *a >= 0 && *a < *b;
          break;
      }
      if (!holds) wrong("obligation: " + std::string(need.why) + " " + std::to_string(*a) + " " + std::to_string(*b));
    }
  }

 private:
  void wrong(std::string text) { tally_->wrong.push_back(name_ + ": " + std::move(text)); }

  void compare_size(Dim dim, std::int64_t recorded_size) {
    ++tally_->sizes;
    const auto value = shapes_->dims().evaluate(dim, bindings_);
    if (!value) {
      ++tally_->unknown_sizes;
      const auto origins = shapes_->dims().origins(dim);
      tally_->unknown.push_back(name_ + ": " +
                                (origins.empty() ? shapes_->dims().text(dim) : std::string(origins[0].reason)));
      const Interval range = shapes_->dims().bounds(dim);
      if (recorded_size < range.low || recorded_size > range.high)
        wrong("bounds exclude " + std::to_string(recorded_size));
    } else if (*value != recorded_size) {
      wrong("size " + shapes_->dims().text(dim) + " = " + std::to_string(*value) + ", recorded " +
            std::to_string(recorded_size));
    }
  }

  void compare_contents(const ValueShape& shape, const onnx::TensorProto& tensor) {
    if (tensor.data_type() != onnx::TensorProto::INT64 || tensor.raw_data().size() != 8 * shape.known.size()) return;
    for (std::size_t i = 0; i < shape.known.size(); ++i) {
      std::int64_t number = 0;
      tensor.raw_data().copy(reinterpret_cast<char*>(&number), 8, 8 * i);
      const auto value = shapes_->dims().evaluate(shape.known[i], bindings_);
      ++tally_->contents;
      if (value && *value != number)
        wrong("content " + std::to_string(*value) + ", recorded " + std::to_string(number));
    }
  }

  std::string name_;
  const Model* model_;
  const Shapes* shapes_;
  Tally* tally_;
  std::vector<DimTable::Binding> bindings_;
  bool has_zero_ = false;
};

void run(const fs::path& folder, Variant variant, Tally& tally) {
  const fs::path set = folder / "test_data_set_0";
  onnx::ModelProto proto;
  REQUIRE(proto.ParseFromString(slurp(folder / "model.onnx")));
  std::vector<std::string> names;
  for (const auto& input : proto.graph().input()) names.push_back(input.name());
  if (variant != Variant::as_it_is) open_up(proto, set, variant == Variant::open_sizes_constant_parameters);
  const std::string bytes = proto.SerializeAsString();
  const Model model = read_model(as_bytes(bytes));
  const Shapes shapes = infer(model);
  Comparison comparison(folder.filename().string(), model, shapes, tally);
  for (const ValueId id : model.graph().inputs) {
    const auto at = std::find(names.begin(), names.end(), model.value(id).name);
    const auto index = static_cast<int>(at - names.begin());
    if (fs::exists(set / ("input_" + std::to_string(index) + ".pb")))
      comparison.bind(id, recorded(set, "input", index));
  }
  if (comparison.has_zero() && variant != Variant::as_it_is) return;
  for (std::size_t i = 0; i < model.graph().outputs.size(); ++i) {
    const ValueId id = model.graph().outputs[i];
    if (!is_tensor_type(proto.graph().output(static_cast<int>(i)))) continue;
    if (!fs::exists(set / ("output_" + std::to_string(i) + ".pb"))) continue;
    comparison.compare(id, recorded(set, "output", static_cast<int>(i)));
  }
  comparison.check_obligations();
}

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (!fs::exists(kFolder)) return folders;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().filename() == "model.onnx") folders.push_back(entry.path().parent_path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string lines(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + "\n";
  return out;
}

void run_all(Variant variant, int most_unknown) {
  Tally tally;
  for (const fs::path& folder : model_folders()) run(folder, variant, tally);
  UNSCOPED_INFO(tally.values << " outputs, " << tally.sizes << " sizes, " << tally.contents << " contents compared; "
                             << tally.unknown_sizes << " sizes and " << tally.unknown_ranks << " ranks unknown");
  CHECK(lines(tally.wrong) == "");
  if (std::getenv("TRTCHECK_SHOW_UNKNOWN") != nullptr) WARN(lines(tally.unknown));
  INFO(lines(tally.unknown));
  CHECK(tally.unknown_sizes + tally.unknown_ranks <= (kOther != nullptr ? tally.sizes : most_unknown));
}

TEST_CASE("the recorded tensors of onnx's test models agree with all that is stated") { run_all(Variant::as_it_is, 2); }

TEST_CASE("the same with open input sizes") { run_all(Variant::open_sizes, 280); }

TEST_CASE("the same with open input sizes and constant parameters") {
  run_all(Variant::open_sizes_constant_parameters, 75);
}

}  // namespace
}  // namespace trtcheck::test
