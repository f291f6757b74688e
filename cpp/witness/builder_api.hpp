// The network and the builder, as far as they are used: names and places of the functions, nothing else.
//
// Three orders are known: of TensorRT 10 (10.0 to 10.16 agree); of TensorRT 11 and TensorRT-RTX 1.5 to 1.7; and of
// TensorRT-RTX 1.4, which is TensorRT 10.16 without the functions of the configuration that 11 has dropped.
// Only TensorRT-RTX lets the compute capability be chosen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "slots.hpp"

namespace trtcheck::witness {

struct Dims {
  std::int32_t count = 0;
  std::array<std::int64_t, 8> extents{};
};

enum class LogLevel : std::int32_t { internal_error = 0, error = 1, warning = 2, info = 3, verbose = 4 };
enum class ProfilePoint : std::int32_t { min = 0, opt = 1, max = 2 };

/// Receives what the library has to say. Called from any thread.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void take(LogLevel level, const char* text) noexcept = 0;
};

// Same places in both orders.

struct TensorCalls : Skip<Root, 1> {
  virtual const char* name() const noexcept = 0;
  virtual void unused2() = 0;
  virtual Dims dims() const noexcept = 0;
};
using Tensor = Handle<TensorCalls>;

struct NetworkCalls : Skip<Root, 12> {
  virtual std::int32_t input_count() const noexcept = 0;
  virtual Tensor* input(std::int32_t) const noexcept = 0;
  virtual std::int32_t output_count() const noexcept = 0;
  virtual Tensor* output(std::int32_t) const noexcept = 0;
};
using Network = Handle<NetworkCalls>;

struct ProfileCalls : Root {
  virtual bool set_dims(const char* input, ProfilePoint point, const Dims& dims) noexcept = 0;
};
using Profile = Handle<ProfileCalls>;

struct MemoryCalls : Root {
  virtual void* data() const noexcept = 0;
  virtual std::size_t size() const noexcept = 0;
};
using Memory = Handle<MemoryCalls>;

template <int Before>
struct ConfigCalls : Skip<Root, Before> {
  virtual std::int32_t add_profile(const Profile* profile) noexcept = 0;
};

struct RtxConfigCalls : Skip<ConfigCalls<21>, 31> {
  virtual bool set_capability_count(std::int32_t count) noexcept = 0;
  virtual void unused1() = 0;
  /// @param capability  86 = 8.6
  virtual bool set_capability(std::int32_t capability, std::int32_t index) noexcept = 0;
};

template <int Before, class Config>
struct FactoryCalls : Skip<Root, Before> {
  virtual Config* make_config() noexcept = 0;
  virtual Network* make_network(std::uint32_t flags) noexcept = 0;
  virtual Profile* make_profile() noexcept = 0;
};

template <int Before, int Between, class Config>
struct BuilderCalls : Skip<FactoryCalls<Before, Config>, Between> {
  /// @returns null when the network was refused
  virtual Memory* build(Network& network, Config& config) noexcept = 0;
};

struct KindOfInterface {
  const char* name;
  std::int32_t major;
  std::int32_t minor;
};

struct Order10 {
  using Config = Handle<ConfigCalls<23>>;
  using Builder = Handle<BuilderCalls<5, 4, Config>>;
  /// What the library writes its log to: implemented here, called there.
  class Logger {
   public:
    explicit Logger(LogSink& sink) : sink_(sink) {}
    virtual void log(LogLevel level, const char* text) noexcept { sink_.take(level, text); }
    virtual ~Logger() = default;

   private:
    LogSink& sink_;
  };
};

/// TensorRT-RTX 1.4: the builder and the log of TensorRT 10, the configuration of its successors.
struct Order10Rtx : Order10 {
  using Config = Handle<RtxConfigCalls>;
  using Builder = Handle<BuilderCalls<5, 4, Config>>;
};

struct Order11 {
  using Config = Handle<ConfigCalls<21>>;
  using Builder = Handle<BuilderCalls<3, 3, Config>>;
  class Logger {
   public:
    explicit Logger(LogSink& sink) : sink_(sink) {}
    virtual std::int32_t language() const noexcept { return 0; }
    virtual KindOfInterface kind() const noexcept { return {"ILogger", 1, 0}; }
    virtual ~Logger() = default;
    virtual void log(LogLevel level, const char* text) noexcept { sink_.take(level, text); }

   private:
    LogSink& sink_;
  };
};

/// TensorRT-RTX 1.5 to 1.7.
struct Order11Rtx : Order11 {
  using Config = Handle<RtxConfigCalls>;
  using Builder = Handle<BuilderCalls<3, 3, Config>>;
};

}  // namespace trtcheck::witness
