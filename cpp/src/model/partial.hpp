// A file of which parts were not fetched. Not public: who may leave out what is a contract with the reader.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/far_files.hpp"

namespace trtcheck {

/// Where external data may be: in a folder, or where a function can fetch it. Neither: it is not resolved.
struct Beside {
  std::string base_dir;
  FetchFar fetch;
};

/// Reads a model from memory of the file's size, in which some bytes are missing (and read as zero).
///
/// Values of a tensor that has a missing byte count as not available, like external data: they never read as zero.
///
/// @param bytes    borrowed; must outlive the model
/// @param path     for reports and errors: a URL, say. External data is not resolved against it
/// @param beside   asked once, and only if the model names files
/// @param missing  parts of the payload of raw_data, float_data or double_data in a TensorProto, whose sizes the
///                 reader needs and whose bytes it does not; anything else that is missing reads as zero
/// @throws Error   as read_model; or a range outside of `bytes`
Model read_partial_model(std::span<const std::byte> bytes, std::string path, std::vector<ByteRange> missing,
                         const Beside& beside = {}, const Limits& limits = {});

inline std::uint64_t end_of(ByteRange range) noexcept { return range.offset + range.length; }

/// Sorted and joined.
std::vector<ByteRange> in_order(std::vector<ByteRange> ranges);

/// Whether a byte of the range was not fetched.
bool is_missing(const Model& model, ByteRange range);

}  // namespace trtcheck
