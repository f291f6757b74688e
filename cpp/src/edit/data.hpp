// Where the data of tensors goes when a model is written: it stays, is copied, becomes part of the model, or moves out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/edit.hpp>

#include "bytes/bytes.hpp"
#include "edit/pieces.hpp"
#include "model/external_files.hpp"

namespace trtcheck::edit {

class Message;

/// Files that pieces are of beside the old one, as one row of bytes from `Pieces::kOtherFiles` on. None is kept open: a
/// model may name thousands.
class OtherFiles {
 public:
  struct Place {
    std::string path;
    FileState state;  ///< when it was looked at first
    std::uint64_t offset = 0;
  };
  /// @throws Error  it cannot be opened
  [[nodiscard]] std::uint64_t offset_of(const std::string& path);
  /// What is there. @pre `offset_of` gave it, or it is within the file that begins there
  [[nodiscard]] Place at(std::uint64_t offset) const;

 private:
  struct Entry {
    std::uint64_t first;
    std::string path;
    FileState state;
  };
  std::vector<Entry> files_;  ///< by first byte
  std::map<std::string, std::uint64_t> known_;
  std::uint64_t end_ = Pieces::kOtherFiles;
};

/// Changes tensors so that their data is in another place, and notes which bytes go there.
class DataMover {
 public:
  /// @param name  of the file that data moves to, beside the model
  DataMover(const Model& model, DataPlace place, std::string name)
      : model_(&model), place_(place), name_(std::move(name)) {}

  /// @throws Error  external data is missing, too short or out of reach
  void operator()(Message& tensor, bool is_initializer);
  /// What the new data file is made of, of the file of the model and of other ones; empty: nothing moves.
  [[nodiscard]] const Pieces& data() const noexcept { return data_; }
  [[nodiscard]] const OtherFiles& files() const noexcept { return files_; }

 private:
  [[nodiscard]] ByteRange external(Message& tensor);
  /// Where the range is in the new file; data that tensors share stays shared.
  [[nodiscard]] std::uint64_t moved(ByteRange range);
  void point_at(Message& tensor, ByteRange range);

  const Model* model_;
  DataPlace place_;
  std::string name_;
  Pieces data_;
  OtherFiles files_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> moved_;
};

/// Gives a tensor another location, where its data is external.
void relocate(Message& tensor, const std::function<std::string(std::string_view)>& new_location);

}  // namespace trtcheck::edit
