// A model with its shapes as pieces of its file.
#include <trtcheck/annotate.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/shapes.hpp>

#include "annotate/declared.hpp"
#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "edit/declare.hpp"
#include "edit/left_out.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"

namespace trtcheck {

struct Annotated::Impl {
  std::optional<File> file;  ///< nothing: the model is in memory
  Readable old;
  std::string base_dir;
  Limits limits;
  std::size_t added = 0;
  std::size_t refined = 0;
  std::vector<UnknownShape> unknown;
  std::vector<DeclaredOtherwise> contradictions;
  std::vector<ImpossibleNode> impossible;
  edit::Pieces pieces;
};

struct AnnotatedAccess {
  using Impl = Annotated::Impl;
  static Annotated make(std::unique_ptr<Impl> impl) { return Annotated(std::move(impl)); }
};

namespace {

/// Nodes whose inputs, outputs or attributes the operator does not have: of these inference follows nothing.
void say_what_is_malformed(const Model& model, const Shapes& shapes, AnnotatedAccess::Impl& into) {
  constexpr std::string_view kMalformed = "malformed node: ";
  NodeId last;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const ValueShape& shape = shapes[ValueId{i}];
    const NodeId producer = model.value(ValueId{i}).producer;
    if (!producer || producer == last || shape.reason_node != producer || !shape.reason.starts_with(kMalformed))
      continue;
    last = producer;
    const Node& node = model.node(producer);
    into.impossible.push_back({model.node_label(producer), std::string(node.op_type), model.graph_path(node.graph),
                               std::string(shape.reason.substr(kMalformed.size()))});
  }
}

void say_what_contradicts(const Model& model, const Shapes& shapes, AnnotatedAccess::Impl& into) {
  for (const Shapes::ClaimMismatch& mismatch : shapes.mismatches()) {
    const Value& value = model.value(mismatch.value);
    into.contradictions.push_back({std::string(value.name), model.graph_path(value.graph), mismatch.message});
  }
  for (const Conflict& conflict : shapes.conflicts()) {
    const Node& node = model.node(conflict.node);
    into.impossible.push_back(
        {model.node_label(conflict.node), std::string(node.op_type), model.graph_path(node.graph), conflict.message});
  }
  say_what_is_malformed(model, shapes, into);
}

Annotated annotated(std::unique_ptr<AnnotatedAccess::Impl> impl, const Model& model, const AnnotateOptions& options) {
  const Shapes shapes = infer(model, {.shape_functions = options.shape_functions});
  annotating::Declarations made = annotating::declarations(model, shapes, options);
  impl->limits = options.limits;
  impl->added = made.added;
  impl->refined = made.refined;
  for (const ValueId id : made.unknown) {
    const Value& value = model.value(id);
    impl->unknown.push_back({std::string(value.name), model.graph_path(value.graph), std::string(shapes[id].reason)});
  }
  say_what_contradicts(model, shapes, *impl);
  impl->pieces = edit::declared(model, made.all);
  return AnnotatedAccess::make(std::move(impl));
}

}  // namespace

Annotated::Annotated(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Annotated::Annotated(Annotated&&) noexcept = default;
Annotated& Annotated::operator=(Annotated&&) noexcept = default;
Annotated::~Annotated() = default;

std::size_t Annotated::added() const noexcept { return impl_->added; }
std::size_t Annotated::refined() const noexcept { return impl_->refined; }
std::span<const UnknownShape> Annotated::unknown() const noexcept { return impl_->unknown; }
std::span<const DeclaredOtherwise> Annotated::contradictions() const noexcept { return impl_->contradictions; }
std::span<const ImpossibleNode> Annotated::impossible() const noexcept { return impl_->impossible; }
bool Annotated::is_changed() const noexcept { return impl_->added + impl_->refined > 0; }
std::uint64_t Annotated::size() const noexcept { return impl_->pieces.size(); }

void Annotated::write(const std::string& output) const {
  const Model made = read_model(edit::readable(impl_->pieces, impl_->old), impl_->base_dir, impl_->limits);
  edit::put(made, impl_->pieces, {impl_->old, impl_->file ? &*impl_->file : nullptr}, output, edit::DataPlace::kept,
            edit::same_model(made, output, impl_->limits));
}

std::string Annotated::bytes_without(std::span<const ByteRange> weights, std::string_view mark) const {
  const Model made = read_model(edit::readable(impl_->pieces, impl_->old), impl_->base_dir, impl_->limits);
  return edit::content_without(made, impl_->pieces, impl_->old, {weights, mark});
}

std::string Annotated::bytes() const { return impl_->pieces.content(impl_->old.read); }

Annotated annotate(const std::string& path, const AnnotateOptions& options) {
  auto impl = std::make_unique<AnnotatedAccess::Impl>();
  impl->file.emplace(File::open(path));
  if (impl->file->is_pipe()) throw Error(path, "is a pipe, a file is required to be annotated");
  impl->old = readable(*impl->file);
  impl->base_dir = folder_of(path);
  const Model model = read_model(*impl->file, path, impl->base_dir, options.limits);
  return annotated(std::move(impl), model, options);
}

Annotated annotate(std::span<const std::byte> bytes, const AnnotateOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<AnnotatedAccess::Impl>();
  impl->old = readable(bytes);
  impl->base_dir = base_dir;
  const Model model = read_model(bytes, base_dir, options.limits);
  return annotated(std::move(impl), model, options);
}

Annotated annotate(const Parts& parts, const AnnotateOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<AnnotatedAccess::Impl>();
  impl->old = readable(parts);
  impl->base_dir = base_dir;
  const Model model = read_model(parts, base_dir, options.limits);
  return annotated(std::move(impl), model, options);
}

}  // namespace trtcheck
