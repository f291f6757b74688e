// The file of ranges: data/ranges.schema.json.
#include <array>
#include <set>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/ranges.hpp>

#include "bytes/json_document.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

using Json = nlohmann::json;

constexpr JsonKind kKind{
    .name = "file of ranges", .schema_version = 1, .remedy = "measure them anew with `trtcheck ranges`"};

constexpr std::array kTypes{DataType::float32, DataType::float16, DataType::bfloat16, DataType::float64};

/// One object of the file.
class Fields {
 public:
  Fields(const std::string& path, const Json& object, std::string where)
      : path_(&path), object_(&object), where_(std::move(where)) {
    if (!object.is_object()) refuse_document(path, kKind, where_ + " is no object");
  }
  [[nodiscard]] std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) fail(key, "text");
    return value.get<std::string>();
  }
  [[nodiscard]] std::uint64_t count(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_unsigned()) fail(key, "number from 0 on");
    return value.get<std::uint64_t>();
  }
  [[nodiscard]] std::optional<double> number(const char* key) const {
    const Json& value = at(key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_number()) fail(key, "number");
    return value.get<double>();
  }
  [[nodiscard]] DataType type(const char* key) const {
    const std::string word = text(key);
    for (const DataType type : kTypes) {
      if (to_string(type) == word) return type;
    }
    fail(key, "FLOAT, FLOAT16, BFLOAT16 or DOUBLE");
  }
  [[nodiscard]] const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) fail(key, "list");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* key, std::string_view expected) const {
    refuse_document(*path_, kKind, fmt::format("`{}` of {} is no {}", key, where_, expected));
  }
  [[nodiscard]] const Json& at(const char* key) const {
    const auto found = object_->find(key);
    if (found == object_->end()) refuse_document(*path_, kKind, fmt::format("{} has no `{}`", where_, key));
    return *found;
  }

  const std::string* path_;
  const Json* object_;
  std::string where_;
};

MeasuredTensor tensor_of(const std::string& path, const Json& object, std::size_t index) {
  const Fields fields(path, object, fmt::format("entry {} of `tensors`", index));
  MeasuredTensor tensor{.name = fields.text("name"),
                        .type = fields.type("type"),
                        .elements = fields.count("elements"),
                        .zeros = fields.count("zeros"),
                        .nans = fields.count("nan"),
                        .plus_infinite = fields.count("inf"),
                        .minus_infinite = fields.count("neg_inf"),
                        .min = fields.number("min"),
                        .max = fields.number("max")};
  if (tensor.min.has_value() != tensor.max.has_value() || tensor.min > tensor.max) {
    refuse_document(path, kKind, fmt::format("`min` and `max` of entry {} of `tensors` are no range", index));
  }
  return tensor;
}

nlohmann::ordered_json json_of(const MeasuredTensor& tensor) {
  const auto or_null = [](const std::optional<double>& number) {
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
  };
  return {{"name", valid_utf8(tensor.name)},
          {"type", to_string(tensor.type)},
          {"elements", tensor.elements},
          {"zeros", tensor.zeros},
          {"nan", tensor.nans},
          {"inf", tensor.plus_infinite},
          {"neg_inf", tensor.minus_infinite},
          {"min", or_null(tensor.min)},
          {"max", or_null(tensor.max)}};
}

Ranges ranges_of(const std::string& path, const Json& document) {
  const Fields fields(path, document, "it");
  Ranges ranges{.path = path,
                .model = fields.text("model"),
                .graph = fields.text("graph"),
                .samples = fields.count("samples"),
                .left_out = fields.count("left_out"),
                .tensors = {}};
  std::set<std::string> names;
  for (const Json& object : fields.list("tensors")) {
    ranges.tensors.push_back(tensor_of(path, object, ranges.tensors.size()));
    const std::string& name = ranges.tensors.back().name;
    if (!names.insert(name).second) {
      refuse_document(path, kKind, fmt::format("`{}` stands twice in `tensors`", printable(name)));
    }
  }
  return ranges;
}

}  // namespace

Ranges read_ranges(const std::string& path) { return ranges_of(path, read_document(path, kKind)); }

Ranges parse_ranges(std::string_view json, const std::string& path) {
  return ranges_of(path, parse_document(path, kKind, json));
}

std::string to_json(const Ranges& ranges) {
  const nlohmann::ordered_json head{{"model", valid_utf8(ranges.model)},
                                    {"graph", ranges.graph},
                                    {"samples", ranges.samples},
                                    {"left_out", ranges.left_out}};
  std::vector<std::string> tensors;
  for (const MeasuredTensor& tensor : ranges.tensors) tensors.push_back(json_of(tensor).dump());
  return document_of_lines(kKind, head, "tensors", tensors);
}

}  // namespace trtcheck
