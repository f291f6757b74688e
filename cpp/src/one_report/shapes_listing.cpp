#include "one_report/shapes_listing.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "text/glob.hpp"
#include "text/suggest.hpp"
#include "why/explainer.hpp"

namespace trtcheck::one_report {
namespace {

/// "y:1" of a model that has no value "y:1".
struct Asked {
  std::vector<ValueId> values;
  std::optional<std::int64_t> axis;
};

std::vector<ValueId> values_called(const Model& model, const std::vector<GraphValues>& graphs, std::string_view name) {
  std::vector<ValueId> found;
  for (const GraphValues& entry : graphs) {
    std::ranges::copy_if(entry.values, std::back_inserter(found),
                         [&](ValueId id) { return model.value(id).name == name; });
  }
  return found;
}

Asked asked(const Model& model, const std::vector<GraphValues>& graphs, const std::string& word) {
  if (auto found = values_called(model, graphs, word); !found.empty()) return {std::move(found), {}};
  const std::size_t colon = word.rfind(':');
  std::string name = word;
  if (colon != std::string::npos) {
    std::int64_t axis = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data() + colon + 1, end, axis);
    name = word.substr(0, colon);
    auto found = values_called(model, graphs, name);
    if (!found.empty() && (error != std::errc{} || rest != end)) {
      throw Error("", fmt::format("--why: `{}` is no axis, write VALUE:1", word.substr(colon + 1)));
    }
    if (!found.empty()) return {std::move(found), axis};
  }
  std::vector<std::string_view> names;
  for (const GraphValues& entry : graphs) {
    for (const ValueId id : entry.values) names.push_back(model.value(id).name);
  }
  throw Error("", fmt::format("--why: there is no value `{}`{}", name, did_you_mean(name, names)));
}

std::size_t axis_of(const Shapes& shapes, ValueId id, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(shapes[id].rank());
  return static_cast<std::size_t>(axis < 0 && axis + rank >= 0 ? axis + rank : axis);
}

void keep_only(const Model& model, std::vector<GraphValues>& graphs, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) check_glob(pattern);
  std::vector<bool> is_used(patterns.size());
  for (GraphValues& entry : graphs) {
    std::erase_if(entry.values, [&](ValueId id) {
      bool is_wanted = false;
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        if (!glob_matches(patterns[i], model.value(id).name)) continue;
        is_used[i] = true;
        is_wanted = true;
      }
      return !is_wanted;
    });
  }
  const auto unused = std::ranges::find(is_used, false);
  if (unused != is_used.end()) {
    throw Error("", fmt::format("--only: no value is called `{}`",
                                patterns[static_cast<std::size_t>(unused - is_used.begin())]));
  }
}

}  // namespace

ShapesListing list_shapes(const Model& model, const Shapes& shapes, const ListingOptions& options) {
  std::vector<GraphValues> graphs = values_by_graph(model);
  std::vector<Why> whys;
  if (!options.why.empty()) {
    whys::Explainer explainer(model, options.infer);
    std::vector<ValueId> explained;
    for (const std::string& word : options.why) {
      const Asked one = asked(model, graphs, word);
      for (const ValueId id : one.values) {
        explained.push_back(id);
        whys.push_back(explainer.of(id, one.axis ? std::optional(axis_of(shapes, id, *one.axis)) : std::nullopt));
      }
    }
    // Who asks about one value does not want all.
    if (options.only.empty()) {
      for (GraphValues& entry : graphs) {
        std::erase_if(entry.values, [&](ValueId id) { return std::ranges::find(explained, id) == explained.end(); });
      }
    }
  }
  if (!options.only.empty()) keep_only(model, graphs, options.only);
  if (!options.only.empty() || !options.why.empty()) {
    std::erase_if(graphs, [](const GraphValues& entry) { return entry.values.empty(); });
  }
  return {.model = model,
          .shapes = shapes,
          .graphs = std::move(graphs),
          .unknowns = UnknownNames(model, shapes),
          .facts = size_facts(model, shapes, options.infer, options.with_ways),
          .assumed = options.infer.assume,
          .whys = std::move(whys)};
}

}  // namespace trtcheck::one_report
