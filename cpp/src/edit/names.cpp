#include "edit/names.hpp"

#include <fmt/format.h>

namespace trtcheck::edit {

Names::Names(const Model& model) {
  taken_.reserve(model.value_count());
  for (std::uint32_t i = 0; i < model.value_count(); ++i) taken_.emplace(model.value(ValueId{i}).name);
}

std::string Names::fresh(std::string_view base) {
  std::string name(base);
  for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

}  // namespace trtcheck::edit
