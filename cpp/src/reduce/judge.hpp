// A program as the judge.
#pragma once

#include <functional>
#include <string>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/reduce.hpp>

namespace trtcheck::reducing {

/// A folder that is there as long as this lives.
class JudgeFolder {
 public:
  /// @throws Error  it cannot be made
  JudgeFolder();
  JudgeFolder(const JudgeFolder&) = delete;
  JudgeFolder& operator=(const JudgeFolder&) = delete;
  ~JudgeFolder();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Where external data goes, so that a folder holds all of the model: into the file as far as it stays below 2 GB.
[[nodiscard]] edit::DataPlace place_for(const Model& model);

/// Runs `sh -c` with the path in the command.
/// @throws Error  when it is called: the shell does not find the program
[[nodiscard]] ReduceJudge command_judge(std::string command, double seconds, std::function<bool()> cancelled);

}  // namespace trtcheck::reducing
