#include "edit/data.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "bytes/real_path.hpp"
#include "edit/document.hpp"
#include "edit/encode.hpp"
#include "model/asked.hpp"
#include "model/fields.hpp"
#include "model/location.hpp"
#include "model/wire.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace trtcheck::edit {
namespace {

namespace f = field;

// As onnx's own functions: what is smaller may be a shape or an axis, which parsers look for in the model.
constexpr std::uint64_t kLarge = 1024;
constexpr std::uint64_t kExternal = 1;
// Runtimes map large tensors into memory, which begins with a page.
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kPagedFrom = std::uint64_t{1} << 20;
constexpr std::uint64_t kAligned = 64;

std::optional<std::uint64_t> last_number(const Message& message, std::uint32_t field) {
  const std::vector<std::size_t> found = message.fields(wire::varint(field));
  return found.empty() ? std::nullopt : std::optional(message.number(found.back()));
}

bool is_external(const Message& tensor) { return last_number(tensor, f::tensor::data_location) == kExternal; }

std::vector<std::int64_t> dims_of(const Message& tensor) {
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    // Packed or not, as the writer liked it.
    if (tensor.key_of(i) != wire::varint(f::tensor::dims) && tensor.key_of(i) != wire::bytes(f::tensor::dims)) continue;
    wire::Cursor numbers(tensor.bytes(i));
    while (!numbers.done()) dims.push_back(numbers.int64());
  }
  return dims;
}

std::vector<StringPair> pairs_of(Message& tensor) {
  std::vector<StringPair> pairs;
  for (const std::size_t i : tensor.fields(wire::bytes(f::tensor::external_data))) {
    const Message& pair = tensor.open(i);
    pairs.push_back({pair.text(wire::bytes(f::pair::key)), pair.text(wire::bytes(f::pair::value))});
  }
  return pairs;
}

Pieces pair_field(std::string_view key, std::string_view value) {
  Pieces content;
  content.add(encode_pair(key, value));
  return wrapped(f::tensor::external_data, content);
}

Pieces text_piece(std::string_view text) {
  Pieces made;
  made.add(text);
  return made;
}

struct PlaceName {
  DataPlace place;
  std::string_view name;
};
constexpr PlaceName kPlaces[] = {{DataPlace::kept, "kept"},
                                 {DataPlace::copied, "copied"},
                                 {DataPlace::inlined, "inlined"},
                                 {DataPlace::external, "external"}};

}  // namespace

std::string_view to_string(DataPlace place) noexcept {
  return std::ranges::find(kPlaces, place, &PlaceName::place)->name;
}

DataPlace parse_data_place(std::string_view name) {
  const auto* const found = std::ranges::find(kPlaces, name, &PlaceName::name);
  if (found != std::end(kPlaces)) return found->place;
  std::vector<std::string_view> names;
  for (const PlaceName& one : kPlaces) names.push_back(one.name);
  throw Error("data",
              fmt::format("`{}` is no place for data{}: {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
}

std::uint64_t OtherFiles::offset_of(const std::string& path) {
  const auto [known, is_new] = known_.try_emplace(path, end_);
  if (is_new) {
    const File file = File::open(path, File::Links::refused);
    files_.push_back({end_, path, file.state()});
    // Apart by a byte: the end of one file and the begin of the next are not one range.
    end_ += file.size() + 1;
  }
  return known->second;
}

OtherFiles::Place OtherFiles::at(std::uint64_t offset) const {
  const Entry& entry = *(std::ranges::upper_bound(files_, offset, {}, &Entry::first) - 1);
  return {entry.path, entry.state, offset - entry.first};
}

void DataMover::operator()(Message& tensor, bool is_initializer) {
  if (is_external(tensor)) {
    const ByteRange range = external(tensor);
    if (place_ != DataPlace::inlined) return point_at(tensor, range);
    Pieces content;
    content.copy(range);
    tensor.replace(f::tensor::external_data, {});
    tensor.replace(f::tensor::data_location, {});
    tensor.replace(f::tensor::raw_data, wrapped(f::tensor::raw_data, content));
    return;
  }
  if (place_ != DataPlace::external || !is_initializer) return;
  const std::vector<std::size_t> raw = tensor.fields(wire::bytes(f::tensor::raw_data));
  if (raw.empty()) return;
  const ByteRange range = tensor.content(raw.back());
  if (range.length < kLarge) return;
  tensor.replace(f::tensor::raw_data, {});
  point_at(tensor, range);
}

ByteRange DataMover::external(Message& tensor) {
  const std::vector<std::int64_t> dims = dims_of(tensor);
  const std::vector<StringPair> pairs = pairs_of(tensor);
  const std::optional<std::uint64_t> type = last_number(tensor, f::tensor::data_type);
  Tensor stated;
  stated.name = tensor.text(wire::bytes(f::tensor::name));
  stated.type = static_cast<DataType>(type.value_or(0));
  stated.dims = dims;
  stated.data = Tensor::Data::external;
  stated.external = pairs;
  const ExternalFile file = external_file(*model_, stated);
  const auto fail = [&](std::string_view why) {
    throw Error(model_->path(), fmt::format("external data `{}` of `{}` cannot be copied: {}", printable(file.location),
                                            printable(stated.name), why));
  };
  if (file.state != ExternalFile::State::ok) fail(file.detail);
  if (file.length == 0 && bytes_needed(stated) != std::uint64_t{0}) fail("nobody knows how many bytes it has");
  const std::string named = model_->base_dir() + "/" + without_parents(file.location);
  return {files_.offset_of(real_path(named).string()) + file.offset, file.length};
}

std::uint64_t DataMover::moved(ByteRange range) {
  const auto known = moved_.find({range.offset, range.length});
  if (known != moved_.end()) return known->second;
  const std::uint64_t step = range.length >= kPagedFrom ? kPage : kAligned;
  data_.add(std::string((step - data_.size() % step) % step, '\0'));
  const std::uint64_t at = data_.size();
  data_.copy(range);
  moved_.emplace(std::pair(range.offset, range.length), at);
  return at;
}

void DataMover::point_at(Message& tensor, ByteRange range) {
  Pieces pairs = pair_field("location", name_);
  pairs.add(pair_field("offset", std::to_string(moved(range))));
  pairs.add(pair_field("length", std::to_string(range.length)));
  tensor.replace(f::tensor::external_data, pairs);
  tensor.replace(f::tensor::data_location, text_piece(number_field(f::tensor::data_location, kExternal)));
}

void relocate(Message& tensor, const std::function<std::string(std::string_view)>& new_location) {
  for (const std::size_t i : tensor.fields(wire::bytes(f::tensor::external_data))) {
    Message& pair = tensor.open(i);
    if (pair.text(wire::bytes(f::pair::key)) != "location") continue;
    const std::string_view old = pair.text(wire::bytes(f::pair::value));
    const std::string moved = new_location(old);
    if (moved != old) pair.replace(f::pair::value, text_piece(text_field(f::pair::value, moved)));
  }
}

}  // namespace trtcheck::edit
