// The file that `shape-functions` names: one table per operator.
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include <trtcheck/settings.hpp>

#include "settings/keys.hpp"
#include "settings/places.hpp"
#include "settings/toml.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

using settings::kind_name;
using settings::Source;
using settings::TomlEntry;
using settings::TomlValue;

constexpr std::string_view kShapeTable = "shape";
constexpr std::array<std::string_view, 2> kShapeKeys{"op", "outputs"};

void need_kind(const Source& source, const TomlEntry& entry, TomlValue::Kind kind) {
  if (entry.value.kind == kind) return;
  source.fail(entry.line,
              fmt::format("`{}` must be {}, it is {}", entry.key, kind_name(kind), kind_name(entry.value.kind)));
}

std::vector<std::string> read_outputs(const Source& source, const TomlEntry& entry) {
  need_kind(source, entry, TomlValue::Kind::array);
  std::vector<std::string> made;
  for (const TomlValue& item : entry.value.items) {
    if (item.kind != TomlValue::Kind::string) {
      source.fail(item.line, fmt::format("`outputs` must hold strings, one is {}", kind_name(item.kind)));
    }
    made.push_back(item.text);
  }
  if (made.empty()) source.fail(entry.line, "`outputs` is empty: there is one string for each output");
  return made;
}

ShapeFunction read_function(const Source& source, const TomlValue& table) {
  if (table.kind != TomlValue::Kind::table) {
    source.fail(table.line, fmt::format("each `{}` must be a table, [[{}]]", kShapeTable, kShapeTable));
  }
  ShapeFunction made;
  made.place = fmt::format("{}:{}", source.file, table.line);
  for (const TomlEntry& entry : table.entries) {
    if (entry.key == "op") {
      need_kind(source, entry, TomlValue::Kind::string);
      made.op = entry.value.text;
    } else if (entry.key == "outputs") {
      made.outputs = read_outputs(source, entry);
      made.place = fmt::format("{}:{}", source.file, entry.line);
    } else {
      source.fail(entry.line, fmt::format("unknown key `{}`{}", entry.key, did_you_mean(entry.key, kShapeKeys)));
    }
  }
  for (const auto& [key, is_given] :
       {std::pair(kShapeKeys[0], !made.op.empty()), std::pair(kShapeKeys[1], !made.outputs.empty())}) {
    if (!is_given) source.fail(table.line, fmt::format("`{}` is missing", key));
  }
  check_shape_function(made);
  return made;
}

}  // namespace

std::vector<ShapeFunction> read_shape_functions(const std::string& path) {
  const std::string absolute = settings::absolute_path(path);
  const Source source{.file = settings::shown_path(absolute)};
  const auto document = settings::read_toml(settings::read_file(absolute), source.file, {});
  std::vector<ShapeFunction> made;
  for (const TomlEntry& entry : document->entries) {
    if (entry.key != kShapeTable) {
      source.fail(entry.line, fmt::format("unknown key `{}`; the file is made of [[{}]]", entry.key, kShapeTable));
    }
    need_kind(source, entry, TomlValue::Kind::array);
    for (const TomlValue& table : entry.value.items) made.push_back(read_function(source, table));
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t before = 0; before < i; ++before) {
      if (made[before].op != made[i].op) continue;
      throw Error(made[i].place,
                  fmt::format("`{}` has a shape function already, at {}", made[i].op, made[before].place));
    }
  }
  return made;
}

}  // namespace trtcheck
