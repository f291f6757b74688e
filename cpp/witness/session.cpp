#include "session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "builder_api.hpp"
#include "log.hpp"
#include "parser_api.hpp"

namespace trtcheck::witness {
namespace {

using namespace std::string_view_literals;

/// `g (float[1,4] x) => (float[1,4] y) { y = Relu(x) }` of opset 17, as protobuf writes it.
constexpr std::string_view kTestModel =
    "\x08\x08\x42\x02\x10\x11\x3a\x3b"
    "\x0a\x0c\x0a\x01x\x12\x01y\x22\x04Relu\x12\x01g"
    "\x5a\x13\x0a\x01x\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x01\x0a\x02\x08\x04"
    "\x62\x13\x0a\x01y\x12\x0e\x0a\x0c\x08\x01\x12\x08\x0a\x02\x08\x01\x0a\x02\x08\x04"sv;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// For whoever reads why the program died.
void tell(const std::string& phase) { std::fprintf(stderr, "trtcheck-witness: %s\n", phase.c_str()); }

TensorInfo info_of(const Tensor& tensor) {
  TensorInfo info{text_of(tensor.calls->name()), {}};
  const Dims dims = tensor.calls->dims();
  for (int i = 0; i < std::min<int>(dims.count, 8); ++i) {
    info.shape.push_back(dims.extents.at(static_cast<std::size_t>(i)));
  }
  return info;
}

ParseFailure failure_of(const ParserError& error) {
  return {.code = error.code(),
          .description = text_of(error.description()),
          .file = text_of(error.file()),
          .line = error.line(),
          .function = text_of(error.function()),
          .node = error.node(),
          .node_name = text_of(error.node_name()),
          .op = text_of(error.node_operator())};
}

bool is_dynamic(const TensorInfo& input) {
  return std::ranges::any_of(input.shape, [](std::int64_t extent) { return extent < 0; });
}

template <class Order, class Parser>
class SessionOf final : public Session {
 public:
  using Builder = typename Order::Builder;
  using Config = typename Order::Config;

  SessionOf(const Libraries& libraries, const Request& request) : libraries_(libraries), request_(request) {
    builder_.reset(static_cast<Builder*>(libraries.make_builder(&logger_, libraries.names.number)));
    if (builder_ == nullptr) throw Fatal(libraries.names.path + ": gives no builder" + last_words());
  }

  Answer ask(const std::string& path) override {
    return run(path, [&path](Parser& parser) { return parser.parse_file(path.c_str(), 2); });
  }

  Answer test() override {
    return run("self-test", [](Parser& parser) { return parser.parse(kTestModel.data(), kTestModel.size(), nullptr); });
  }

 private:
  template <class Parse>
  Answer run(const std::string& name, Parse parse) {
    tell("parsing " + name);
    static_cast<void>(log_.taken());
    Answer answer;
    answer.model = name;
    const std::unique_ptr<Network> network(builder_->calls->make_network(0));
    if (network == nullptr) throw Fatal(libraries_.names.path + ": gives no network" + last_words());
    const std::unique_ptr<Parser> parser(
        static_cast<Parser*>(libraries_.make_parser(network.get(), &logger_, libraries_.parser_version)));
    if (parser == nullptr) throw Fatal(libraries_.names.parser + ": gives no parser" + last_words());
    const Stopwatch watch;
    answer.parsed = parse(*parser);
    answer.parse_seconds = watch.seconds();
    for (int i = 0; i < parser->error_count(); ++i) {
      if (const ParserError* const error = parser->error(i)) answer.errors.push_back(failure_of(*error));
    }
    if (answer.parsed) {
      describe(*network, answer);
      answer.not_built = why_not_built(answer);
      if (answer.not_built.empty()) build(*network, answer);
    } else {
      answer.not_built = "the parser refused it";
    }
    answer.log = log_.taken();
    return answer;
  }

  static void describe(const Network& network, Answer& answer) {
    for (int i = 0; i < network.calls->input_count(); ++i) {
      if (const Tensor* const tensor = network.calls->input(i)) answer.inputs.push_back(info_of(*tensor));
    }
    for (int i = 0; i < network.calls->output_count(); ++i) {
      if (const Tensor* const tensor = network.calls->output(i)) answer.outputs.push_back(info_of(*tensor));
    }
  }

  [[nodiscard]] const InputRange* range_of(const TensorInfo& input) const {
    const auto found = std::ranges::find(request_.profile, input.name, &InputRange::input);
    return found == request_.profile.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::string why_not_built(const Answer& answer) const {
    if (request_.parse_only) return "only parsing was asked for";
    if (!libraries_.is_rtx() && !has_driver()) return "the builder of TensorRT needs a GPU, there is no driver";
    for (const TensorInfo& input : answer.inputs) {
      if (is_dynamic(input) && range_of(input) == nullptr) {
        return "input `" + input.name + "` is dynamic and has no profile";
      }
    }
    return "";
  }

  void build(Network& network, Answer& answer) {
    tell("building");
    const std::unique_ptr<Config> config = make_config();
    answer.not_built = add_profile(*config, answer);
    if (!answer.not_built.empty()) return;
    const Stopwatch watch;
    const std::unique_ptr<Memory> engine(builder_->calls->build(network, *config));
    answer.build_seconds = watch.seconds();
    answer.built = engine != nullptr;
    if (engine != nullptr) answer.engine_bytes = engine->calls->size();
  }

  std::unique_ptr<Config> new_config() {
    std::unique_ptr<Config> config(builder_->calls->make_config());
    if (config == nullptr) throw Fatal(libraries_.names.path + ": gives no configuration" + last_words());
    return config;
  }

  /// For the compute capability that was asked for; a warning says that the library does not know it.
  std::unique_ptr<Config> make_config() {
    const int capability = request_.capability;
    if (capability == 0) return new_config();
    LogLines before = log_.taken();
    std::unique_ptr<Config> config = new_config();
    const bool chosen = choose(*config, capability);
    // What it logs of a capability is not about the model.
    log_.put_back(std::move(before));
    if (chosen) return config;
    const std::string name = std::to_string(capability / 10) + "." + std::to_string(capability % 10);
    log_.take(LogLevel::warning, ("it does not build for compute capability " + name + ", but as it chooses").c_str());
    return new_config();
  }

  static bool choose(Config& config, int capability) {
    if constexpr (requires { config.calls->set_capability(capability, 0); }) {
      return config.calls->set_capability_count(1) && config.calls->set_capability(capability, 0);
    }
    return false;
  }

  /// @returns why it was not taken, or ""
  std::string add_profile(Config& config, const Answer& answer) {
    Profile* profile = nullptr;  // belongs to the builder
    for (const TensorInfo& input : answer.inputs) {
      const InputRange* const range = range_of(input);
      if (range == nullptr) continue;
      if (profile == nullptr) profile = builder_->calls->make_profile();
      if (profile == nullptr) throw Fatal(libraries_.names.path + ": gives no profile" + last_words());
      for (const ProfilePoint point : {ProfilePoint::min, ProfilePoint::opt, ProfilePoint::max}) {
        if (!profile->calls->set_dims(input.name.c_str(), point, range->points.at(static_cast<std::size_t>(point)))) {
          return "the profile of input `" + input.name + "` was refused";
        }
      }
    }
    if (profile != nullptr && config.calls->add_profile(profile) < 0) return "the profile was refused";
    return "";
  }

  std::string last_words() {
    const std::vector<LogLine> lines = log_.taken().kept;
    return lines.empty() ? "" : ": " + lines.back().text;
  }

  const Libraries& libraries_;
  const Request& request_;
  Log log_;
  typename Order::Logger logger_{log_};
  std::unique_ptr<Builder> builder_;
};

template <class Order, class Parser>
std::unique_ptr<Session> made(const Libraries& libraries, const Request& request) {
  return std::make_unique<SessionOf<Order, Parser>>(libraries, request);
}

}  // namespace

std::unique_ptr<Session> make_session(const Libraries& libraries, const Request& request) {
  const bool is_rtx = libraries.is_rtx();
  if (libraries.is_order_10() && is_rtx) return made<Order10Rtx, Parser10>(libraries, request);
  if (libraries.is_order_10()) return made<Order10, Parser10>(libraries, request);
  return is_rtx ? made<Order11Rtx, Parser11>(libraries, request) : made<Order11, Parser11>(libraries, request);
}

}  // namespace trtcheck::witness
