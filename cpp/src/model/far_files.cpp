#include "model/far_files.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "model/asked.hpp"
#include "model/location.hpp"
#include "model/model_data.hpp"
#include "model/partial.hpp"
#include "model/skeleton.hpp"

namespace trtcheck {
namespace {

// Each costs a request.
constexpr std::size_t kMostFiles = 1000;
constexpr std::size_t kMostRanges = 1000;
// A thousand tensors of this kind.
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

/// With what is between those that are so close that one request is cheaper than two.
std::vector<ByteRange> with_short_gaps(std::vector<ByteRange> ranges) {
  std::vector<ByteRange> joined;
  for (const ByteRange range : in_order(std::move(ranges))) {
    if (!joined.empty() && range.offset - end_of(joined.back()) < Skeleton::kRemote.smallest_hole) {
      joined.back().length = end_of(range) - joined.back().offset;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

bool is_wanted(const Tensor& tensor, const ExternalFile& place, Asked asked) {
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  if (!needed || *needed == 0 || place.length != *needed) return false;
  if (asked == Asked::if_small) return *tensor.element_count() <= kMostElements;
  return asked == Asked::if_short && *needed <= kShort;
}

}  // namespace

std::vector<FarWant> far_wants(const ModelData& data) {
  std::map<std::string, std::vector<ByteRange>> by_path;
  const std::vector<Asked> asked = asked_of(data);
  for (std::size_t i = 0; i < data.tensors.size(); ++i) {
    const Tensor& tensor = data.tensors[i];
    if (tensor.data != Tensor::Data::external) continue;
    const ExternalFile place = stated_place(tensor);
    if (place.state != ExternalFile::State::ok || !escape_by_text(place.location).empty()) continue;
    const std::string path = path_below(place.location);
    const bool is_new = !by_path.contains(path);
    if (path.empty() || (is_new && by_path.size() == kMostFiles)) continue;
    std::vector<ByteRange>& ranges = by_path[path];
    if (is_wanted(tensor, place, asked[i])) ranges.push_back({place.offset, place.length});
  }
  std::vector<FarWant> wants;
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  for (auto& [path, ranges] : by_path) {
    FarWant& want = wants.emplace_back(FarWant{path, {}});
    for (ByteRange range : with_short_gaps(std::move(ranges))) {
      range.length = std::min(range.length, kMostBytes - bytes);
      if (count == kMostRanges || range.length == 0) break;
      ++count;
      bytes += range.length;
      want.ranges.push_back(range);
    }
  }
  return wants;
}

void fetch_far(ModelData& data, const FetchFar& fetch) {
  const std::vector<FarWant> wants = far_wants(data);
  std::vector<FarFile> found;
  if (!wants.empty()) found = fetch(wants);
  FarFiles files;
  for (std::size_t i = 0; i < std::min(wants.size(), found.size()); ++i) files[wants[i].path] = std::move(found[i]);
  data.external_files.set_far(std::move(files));
}

FarFile FarFile::found(std::optional<std::uint64_t> size, std::vector<Part> parts) {
  return {ExternalFile::State::ok, {}, size, std::move(parts)};
}
FarFile FarFile::missing() { return {ExternalFile::State::missing, std::generic_category().message(ENOENT), {}, {}}; }
FarFile FarFile::directory() { return {ExternalFile::State::not_regular, "is a directory", {}, {}}; }
FarFile FarFile::unknown(std::string why) { return {ExternalFile::State::not_fetched, std::move(why), {}, {}}; }

std::optional<std::string> FarFile::bytes(ByteRange range) const {
  const auto after = std::ranges::upper_bound(parts, range.offset, {}, &Part::offset);
  if (after == parts.begin()) return std::nullopt;
  const Part& part = *std::prev(after);
  const std::uint64_t skip = range.offset - part.offset;
  if (skip > part.bytes.size() || range.length > part.bytes.size() - skip) return std::nullopt;
  return part.bytes.substr(static_cast<std::size_t>(skip), static_cast<std::size_t>(range.length));
}

}  // namespace trtcheck
