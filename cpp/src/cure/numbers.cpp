#include "cure/numbers.hpp"

#include <limits>

#include "fold/array.hpp"

namespace trtcheck::cure {

std::optional<std::vector<std::int64_t>> whole_numbers(const Constant& constant) {
  const std::optional<fold::Array> array = fold::unpacked(constant.type, constant.dims, constant.bytes);
  if (!array || fold::width_of(constant.type) == 0) return std::nullopt;
  switch (fold::domain_of(constant.type)) {
    case fold::Domain::integer:
      return fold::numbers<std::int64_t>(*array);
    case fold::Domain::natural: {
      std::vector<std::int64_t> numbers;
      for (const std::uint64_t number : fold::numbers<std::uint64_t>(*array)) {
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
        numbers.push_back(static_cast<std::int64_t>(number));
      }
      return numbers;
    }
    case fold::Domain::real:
      break;
  }
  return std::nullopt;
}

std::optional<std::vector<double>> real_numbers(const Constant& constant) {
  const std::optional<fold::Array> array = fold::unpacked(constant.type, constant.dims, constant.bytes);
  if (!array || fold::width_of(constant.type) == 0) return std::nullopt;
  return fold::in_domain(constant.type, [&](auto zero) {
    const auto numbers = fold::numbers<decltype(zero)>(*array);
    return std::optional(std::vector<double>(numbers.begin(), numbers.end()));
  });
}

std::string number_bytes(double value, DataType type) {
  const fold::Array array = fold::is_real(type)
                                ? fold::array_of<double>(type, {}, std::vector<double>{value})
                                : fold::array_of<std::int64_t>(type, {}, std::vector{static_cast<std::int64_t>(value)});
  const Constant constant = fold::packed(array);
  return {reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size()};
}

}  // namespace trtcheck::cure
