#include "cli/baselines.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "cli/check_source.hpp"
#include "cli/option_words.hpp"
#include "cli/output.hpp"

namespace trtcheck::cli {
namespace {

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

std::size_t total(std::span<const BaselineMatch> matches, std::vector<BaselineEntry> BaselineMatch::*part) {
  std::size_t count = 0;
  for (const BaselineMatch& match : matches) {
    for (const BaselineEntry& entry : match.*part) count += entry.count;
  }
  return count;
}

}  // namespace

/// @pre the mutex is locked
Baselines::Used& Baselines::used(const std::string& path) {
  if (const auto known = by_path_.find(path); known != by_path_.end()) return known->second;
  const bool exists = is_there(path);
  if (!exists && mode_ != Mode::update) refuse(path + ": there is no such baseline; --update-baseline makes it");
  try {
    return by_path_.emplace(path, Used{exists ? read_baseline(path) : Baseline(path), exists, {}}).first->second;
  } catch (const Error& error) {
    refuse(error.what());
  }
}

void Baselines::require(const SettingsResolver& resolver, std::span<const std::string> models) const {
  const auto has_one = [&](const std::string& model) {
    try {
      return !settings_of(resolver, model).baseline.empty();
    } catch (const Error&) {
      return true;  // is told where the model is checked
    }
  };
  if (mode_ == Mode::apply || models.empty() || std::ranges::any_of(models, has_one)) return;
  refuse(fmt::format("--{}-baseline: there is no baseline; name one with --baseline FILE",
                     mode_ == Mode::update ? "update" : "prune"));
}

void Baselines::open(const Settings& settings) {
  if (settings.baseline.empty()) return;
  const std::scoped_lock lock(mutex_);
  static_cast<void>(used(settings.baseline));
}

void Baselines::apply(Report& report, const Settings& settings) {
  if (settings.baseline.empty()) return;
  std::unique_lock lock(mutex_);
  Used& mine = used(settings.baseline);
  lock.unlock();
  BaselineMatch match = mine.baseline.apply(report, settings.check, mode_ == Mode::update);
  lock.lock();
  mine.matches.push_back(std::move(match));
}

void Baselines::finish(std::span<const std::string> models) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [path, used] : by_path_) {
    if (mode_ != Mode::apply) {
      write(used, models);
    } else if (const std::size_t gone = total(used.matches, &BaselineMatch::gone); gone > 0) {
      complain(fmt::format("warning: {}: {} of the known findings {} gone; --prune-baseline removes {}", path, gone,
                           gone == 1 ? "is" : "are", gone == 1 ? "it" : "them"));
    }
  }
}

void Baselines::write(const Used& used, std::span<const std::string> models) const {
  const bool is_update = mode_ == Mode::update;
  const Baseline made = is_update ? used.baseline.updated(used.matches) : used.baseline.pruned(used.matches);
  const std::string text = made.to_json();
  if (!used.exists || text != used.baseline.to_json()) write_output({.file = made.path()}, text, models);
}

}  // namespace trtcheck::cli
