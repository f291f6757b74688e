// A drawing of the nodes around a finding.
//
//     trtcheck::Report report = trtcheck::check("model.onnx", {.neighbourhoods = true});
//     std::ofstream("why.svg") << trtcheck::draw(report.findings[0].neighbourhood, {.title = "why"});
#pragma once

#include <string>

#include <trtcheck/export.hpp>
#include <trtcheck/neighbourhood.hpp>

namespace trtcheck {

/// How a picture looks.
struct DrawOptions {
  std::string title;  ///< read out for those who do not see the picture; "" = made from the nodes
  /// A file by itself: with the colours of a light or a dark page. Otherwise a piece of an HTML page, in the colour of
  /// the text around it.
  bool standalone = true;
  bool is_finding = true;  ///< false: the victim is no victim, but the node that somebody asked to see
};

/// An SVG document: the nodes from top to bottom, element types and dims on the edges, culprit and victim marked in
/// shape, words and colour. It refers to nothing outside of itself and holds no script; every text is escaped. Empty
/// for an empty neighbourhood.
/// @throws Error  the layout library (Graphviz) is not installed beside trtcheck, or gave up
TRTCHECK_API std::string draw(const Neighbourhood& neighbourhood, const DrawOptions& options = {});

}  // namespace trtcheck
