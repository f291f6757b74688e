// A part of a model as pieces of its file.
#include <trtcheck/extract.hpp>

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
  impl->plan = plan_extract(model, infer(model, {.shape_functions = options.shape_functions}), options);
  impl->pieces = edit::edited(model, impl->plan.edits);
  impl->part.emplace(read_model(edit::readable(impl->pieces, impl->old), impl->base_dir, options.limits));
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
  edit::put(*impl_->part, impl_->pieces, {impl_->old, impl_->file ? &*impl_->file : nullptr}, output, data,
            edit::same_model(*impl_->part, output, impl_->limits));
}

std::string Extracted::bytes() const { return impl_->pieces.content(impl_->old.read); }

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
  impl->old = readable(bytes);
  impl->base_dir = base_dir;
  const Model model = read_model(bytes, base_dir, options.limits);
  return extracted(std::move(impl), model, options);
}

}  // namespace trtcheck
