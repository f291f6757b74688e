// Files with data beside a model behind a URL: what is to be fetched of them.
//
// Their existence and size are looked up, and the constants fetched that somebody may ask for; weights stay where they
// are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/external_files.hpp"

namespace trtcheck {

struct ModelData;

struct FarWant {
  std::string path;               ///< below the folder of the model, without ".." and "."
  std::vector<ByteRange> ranges;  ///< sorted, apart; the file may be shorter
};

/// @returns  an answer to each
using FetchFar = std::function<std::vector<FarFile>(const std::vector<FarWant>&)>;

/// Each file that the model names and that may be inside of its folder: not too many files, nor ranges, nor bytes.
std::vector<FarWant> far_wants(const ModelData& data);

/// From now on the model knows these files.
void fetch_far(ModelData& data, const FetchFar& fetch);

}  // namespace trtcheck
