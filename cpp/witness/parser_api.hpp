// The ONNX parser, as far as it is used: names and places of the functions. Its objects are called without a pointer to
// an implementation in between.
#pragma once

#include <cstddef>

namespace trtcheck::witness {

class ParserError {
 public:
  virtual int code() const = 0;
  virtual const char* description() const = 0;
  virtual const char* file() const = 0;
  virtual int line() const = 0;
  virtual const char* function() const = 0;
  virtual int node() const = 0;  ///< in the order of the graph, -1 = of none
  virtual const char* node_name() const = 0;
  virtual const char* node_operator() const = 0;

 protected:
  ~ParserError() = default;
};

/// Of TensorRT 10 and TensorRT-RTX 1.4.
struct Parser10 {
  virtual bool parse(const void* model, std::size_t bytes, const char* path) noexcept = 0;
  virtual bool parse_file(const char* path, int verbosity) noexcept = 0;
  virtual void unused2() = 0;
  virtual void unused3() = 0;
  virtual void unused4() = 0;
  virtual int error_count() const noexcept = 0;
  virtual const ParserError* error(int index) const noexcept = 0;
  virtual void clear_errors() noexcept = 0;
  virtual ~Parser10() = default;
};

/// Of TensorRT 11 and TensorRT-RTX 1.5 to 1.7.
struct Parser11 {
  virtual bool parse(const void* model, std::size_t bytes, const char* path) noexcept = 0;
  virtual bool parse_file(const char* path, int verbosity) noexcept = 0;
  virtual void unused2() = 0;
  virtual int error_count() const noexcept = 0;
  virtual const ParserError* error(int index) const noexcept = 0;
  virtual void clear_errors() noexcept = 0;
  virtual ~Parser11() = default;
};

}  // namespace trtcheck::witness
