// A model in ONNX text and what is known of its values.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fold/fold.hpp"

namespace trtcheck::test {

class Folded {
 public:
  /// A graph in ONNX text, or a whole model.
  explicit Folded(std::string_view text, int opset = 17, Budget budget = {});
  /// A serialized ModelProto.
  static Folded of_bytes(std::string bytes, Budget budget = {});

  [[nodiscard]] std::optional<Constant> value(std::string_view name) { return folder_.value(id(name)); }
  [[nodiscard]] std::string why_not(std::string_view name) { return std::string(folder_.why_not(id(name))); }
  /// "INT64[2] 3 4", or the reason in parentheses.
  [[nodiscard]] std::string text(std::string_view name);

 private:
  struct Bytes {
    std::string bytes;
  };
  Folded(Bytes bytes, Budget budget);
  /// Of whichever graph; inner graphs win.
  [[nodiscard]] ValueId id(std::string_view name) const;

  std::unique_ptr<std::string> bytes_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Shapes> shapes_;
  Folder folder_;
};

/// The elements as numbers of that type.
template <class T>
std::vector<T> elements(const Constant& constant) {
  std::vector<T> made(constant.bytes.size() / sizeof(T));
  if (!made.empty()) std::memcpy(made.data(), constant.bytes.data(), made.size() * sizeof(T));
  return made;
}

}  // namespace trtcheck::test
