#include "model/fetch.hpp"

#include <algorithm>

#include <trtcheck/error.hpp>

#include "model/asked.hpp"
#include "model/partial.hpp"
#include "model/skeleton.hpp"

namespace trtcheck {
namespace {

// Smaller files are read at once.
constexpr std::uint64_t kWhole = std::uint64_t{256} << 10;
// Read on after a hole: little, more and more if it goes on without one.
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 20;
// Protobuf's limit for a message. What is no weight and still larger is no model.
constexpr std::uint64_t kMostFetched = std::uint64_t{1} << 31;

std::span<std::byte> part(Bytes& bytes, ByteRange range) {
  return bytes.writable().subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.length));
}

/// Where the values are that may be asked for, sorted and disjoint.
std::vector<ByteRange> wanted_ranges(const ModelData& data) {
  std::vector<ByteRange> ranges;
  const std::vector<Asked> asked = asked_of(data);
  for (std::size_t i = 0; i < data.tensors.size(); ++i) {
    const Tensor& tensor = data.tensors[i];
    const std::optional<std::int64_t> count = tensor.element_count();
    // What is short was never left out.
    if (asked[i] != Asked::if_small || !count || *count > kMostElements || tensor.is_sparse) continue;
    if (tensor.data == Tensor::Data::raw) ranges.push_back(tensor.raw);
    if (tensor.data == Tensor::Data::typed) ranges.insert(ranges.end(), tensor.messages.begin(), tensor.messages.end());
  }
  return in_order(std::move(ranges));
}

}  // namespace

std::vector<ByteRange> in_order(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](ByteRange a, ByteRange b) { return a.offset < b.offset; });
  std::vector<ByteRange> joined;
  for (const ByteRange range : ranges) {
    if (range.length == 0) continue;
    if (!joined.empty() && range.offset <= end_of(joined.back())) {
      joined.back().length = std::max(end_of(joined.back()), end_of(range)) - joined.back().offset;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

Readable readable(const File& file) {
  return {.path = file.path(), .size = file.size(), .read = [&file](std::uint64_t offset, std::span<std::byte> into) {
            file.read(offset, into);
          }};
}

Readable readable(std::span<const std::byte> bytes) {
  return {.path = {}, .size = bytes.size(), .read = [bytes](std::uint64_t offset, std::span<std::byte> into) {
            std::ranges::copy(bytes.subspan(static_cast<std::size_t>(offset), into.size()), into.begin());
          }};
}

Fetched fetch_structure(const File& file) {
  if (file.is_pipe()) return {Bytes::of(file), {}};
  return fetch_structure(readable(file));
}

Fetched fetch_structure(const Readable& file) {
  Fetched result{Bytes::reserve(file.path, file.size), {}};
  if (file.size <= kWhole) {
    file.read(0, result.bytes.writable());
    return result;
  }
  Skeleton skeleton(file.size, Skeleton::kLocal);
  std::uint64_t fetched = 0;
  std::uint64_t count = 0;
  std::uint64_t block = kPage;
  while (const auto want = skeleton.next(result.bytes.span(), fetched)) {
    block = want->offset > fetched ? kPage : std::min(2 * block, kLargestBlock);
    const std::uint64_t end = (want->offset + std::max(want->length, block) + kPage - 1) / kPage * kPage;
    const ByteRange range{want->offset, std::min(end, file.size) - want->offset};
    count += range.length;
    if (count > kMostFetched) {
      throw Error(file.path, "has more than " + std::to_string(kMostFetched) + " bytes that are no weights");
    }
    file.read(range.offset, part(result.bytes, range));
    fetched = end_of(range);
  }
  result.missing = skeleton.holes();
  return result;
}

void fetch_constants(ModelData& data, const Readable& file) {
  if (data.missing.empty()) return;
  const std::vector<ByteRange> wanted = wanted_ranges(data);
  std::vector<ByteRange> missing;
  auto at = wanted.begin();
  for (const ByteRange hole : data.missing) {
    while (at != wanted.end() && end_of(*at) <= hole.offset) ++at;
    // A hole is (the rest of) one payload. A longer one has other values than the tensor's dims say: nobody decodes it.
    const bool is_wanted = at != wanted.end() && at->offset < end_of(hole) && hole.length <= kLargestValues;
    if (is_wanted) {
      file.read(hole.offset, part(data.bytes, hole));
    } else {
      missing.push_back(hole);
    }
  }
  data.missing = std::move(missing);
}

}  // namespace trtcheck
