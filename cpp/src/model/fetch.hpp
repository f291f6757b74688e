// What is read of a file, and what is not: its structure and small constants are, large weights are left out.
//
// Once that is done the file is not needed any more: nothing that happens to it changes the model.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/parts.hpp>

#include "bytes/bytes.hpp"
#include "bytes/readable.hpp"
#include "model/model_data.hpp"

namespace trtcheck {

struct Fetched {
  Bytes bytes;                     ///< of the file's size
  std::vector<ByteRange> missing;  ///< weights, which read as zeros: sorted, disjoint, not empty
};

/// @throws Error  the file became shorter, cannot be read, or has 2 GiB and more that is no weight
Fetched fetch_structure(const File& file);
Fetched fetch_structure(const Readable& file);

/// The same bytes, as long as the file is open.
Readable readable(const File& file);
/// Of a model in memory, without a path. @pre the bytes outlive it
Readable readable(std::span<const std::byte> bytes);
/// The same of bytes that lie in several places. @pre the bytes outlive it
Readable readable(const Parts& parts);

/// Reads those of the missing bytes that hold values which may be asked for.
/// @throws Error  as above
void fetch_constants(ModelData& data, const Readable& file);

/// Reads what is open already.
/// @param path  for reports and errors
Model read_model(const File& file, std::string path, std::string base_dir, const Limits& limits = {});

/// Of bytes that can be read by position; external data is looked for in `base_dir`.
Model read_model(const Readable& file, std::string base_dir, const Limits& limits = {});
/// The same of bytes that can be read as long as the model is there: `all_bytes` of weights reads them.
Model read_lasting_model(const Readable& file, std::string base_dir, const Limits& limits = {});

/// Of bytes that the model keeps. As of a file at `path`; large weights are there, too.
Model read_model(Bytes bytes, const std::string& path, const Limits& limits = {});

}  // namespace trtcheck
