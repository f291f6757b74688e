#include "partition/fields.hpp"
#include "partition/text.hpp"
#include "report/envelope.hpp"
#include "report/json_values.hpp"

namespace trtcheck::partitioning {

std::string json_of(const PartitionReport& made) {
  using report::Json;
  using report::json_value;
  Json profile = Json::array();
  for (const ProfileInput& input : made.profile) {
    profile.push_back({{"name", valid_utf8(input.name)}, {"min", input.min}, {"opt", input.opt}, {"max", input.max}});
  }
  return report::document_text(report::enveloped({{"path", valid_utf8(made.path)},
                                                  {"release", made.release},
                                                  {"provider", made.provider},
                                                  {"nodes", made.nodes},
                                                  {"now", json_value(made.now)},
                                                  {"pieces", json_value(made.pieces)},
                                                  {"is_consolidated", made.is_consolidated},
                                                  {"pieces_found", made.pieces_found},
                                                  {"iterations", made.iterations},
                                                  {"refused", json_value(made.refused)},
                                                  {"whole_model", json_value(made.whole_model)},
                                                  {"causes", json_value(made.causes)},
                                                  {"options", json_value(made.options)},
                                                  {"advised", json_value(made.advised)},
                                                  {"profile", std::move(profile)},
                                                  {"notes", json_value(made.notes)},
                                                  {"graph", json_value(made.graph)},
                                                  {"checks", made.checks}}));
}

}  // namespace trtcheck::partitioning
