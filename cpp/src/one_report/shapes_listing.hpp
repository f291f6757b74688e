// What `trtcheck shapes` prints, whatever the form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/why.hpp>

#include "one_report/parts.hpp"
#include "one_report/shapes_rows.hpp"
#include "one_report/unknown_names.hpp"

namespace trtcheck::one_report {

struct ListingOptions {
  InferOptions infer{};             ///< that the shapes were inferred with
  std::vector<std::string> only{};  ///< wildcards over names of values; empty = all
  std::vector<std::string> why{};   ///< VALUE or VALUE:AXIS
  bool with_ways = false;           ///< demands have their ways back
};

struct ShapesListing {
  const Model& model;
  const Shapes& shapes;
  std::vector<GraphValues> graphs;  ///< without those of which nothing is listed
  UnknownNames unknowns;
  SizeFacts facts;
  std::vector<std::string> assumed;
  std::vector<Why> whys;  ///< of each value of that name
};

/// @throws Error  a wildcard is none, or nothing has such a name, or the value has no such axis
[[nodiscard]] ShapesListing list_shapes(const Model& model, const Shapes& shapes, const ListingOptions& options);

/// What stands below the rows: unknown sizes, demands, conflicts, ways back; "" = nothing.
[[nodiscard]] std::string shapes_notes(const ShapesListing& listing);
/// One way back, a line for each step.
[[nodiscard]] std::string why_text(const Why& why);

/// "main", or the path of a body; its rows follow.
void write_shapes_json(Parts& out, const ShapesListing& listing);
void write_shapes_markdown(Parts& out, const ShapesListing& listing);
[[nodiscard]] std::string shapes_page(const ShapesListing& listing);
/// The document of one way back: what Python's `Why.to_dict` holds.
[[nodiscard]] std::string why_json(const Why& why);

}  // namespace trtcheck::one_report
