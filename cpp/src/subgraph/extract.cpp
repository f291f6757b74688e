// A part of a model as pieces of its file.
#include <trtcheck/extract.hpp>

#include <cstring>
#include <optional>
#include <utility>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"

namespace trtcheck {

struct Extracted::Impl {
  std::optional<File> file;  ///< nothing: the model is in memory
  Readable old;
  std::string base_dir;
  Limits limits;
  ExtractPlan plan;
  edit::Pieces pieces;
  std::optional<Model> part;
};

struct ExtractedAccess {
  using Impl = Extracted::Impl;
  static Extracted make(std::unique_ptr<Impl> impl) { return Extracted(std::move(impl)); }
};

namespace {

Extracted extracted(std::unique_ptr<ExtractedAccess::Impl> impl, const Model& model, const ExtractOptions& options) {
  impl->limits = options.limits;
  impl->plan = plan_extract(model, infer(model), options);
  impl->pieces = edit::edited(model, impl->plan.edits);
  const auto read = [&made = *impl](std::uint64_t offset, std::span<std::byte> into) {
    made.pieces.read(offset, into, made.old.read);
  };
  impl->part.emplace(read_model(Readable{impl->old.path, impl->pieces.size(), read}, impl->base_dir, options.limits));
  return ExtractedAccess::make(std::move(impl));
}

}  // namespace

Extracted::Extracted(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Extracted::Extracted(Extracted&&) noexcept = default;
Extracted& Extracted::operator=(Extracted&&) noexcept = default;
Extracted::~Extracted() = default;

const ExtractPlan& Extracted::plan() const noexcept { return impl_->plan; }
std::uint64_t Extracted::size() const noexcept { return impl_->pieces.size(); }

void Extracted::write(const std::string& output, edit::DataPlace data) const {
  const auto look = [&](const File& file) {
    const Model written = read_model(file, output, folder_of(output), impl_->limits);
    const bool is_same = written.node_count() == impl_->part->node_count() &&
                         written.value_count() == impl_->part->value_count() &&
                         written.tensor_count() == impl_->part->tensor_count();
    if (!is_same) throw Error(output, "cannot write: the file is another model when it is read again");
  };
  edit::put(*impl_->part, impl_->pieces, {impl_->old, impl_->file ? &*impl_->file : nullptr}, output, data, look);
}

std::string Extracted::bytes() const {
  std::string result(impl_->pieces.size(), '\0');
  impl_->pieces.read(0, std::as_writable_bytes(std::span(result)), impl_->old.read);
  return result;
}

Extracted extract(const std::string& path, const ExtractOptions& options) {
  auto impl = std::make_unique<ExtractedAccess::Impl>();
  impl->file.emplace(File::open(path));
  if (impl->file->is_pipe()) throw Error(path, "is a pipe, a file is required to be cut");
  impl->old = readable(*impl->file);
  impl->base_dir = folder_of(path);
  const Model model = read_model(*impl->file, path, impl->base_dir, options.limits);
  return extracted(std::move(impl), model, options);
}

Extracted extract(std::span<const std::byte> bytes, const ExtractOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<ExtractedAccess::Impl>();
  const auto read = [bytes](std::uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  impl->old = {.path = {}, .size = bytes.size(), .read = read};
  impl->base_dir = base_dir;
  const Model model = read_model(bytes, base_dir, options.limits);
  return extracted(std::move(impl), model, options);
}

}  // namespace trtcheck
