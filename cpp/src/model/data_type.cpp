#include <array>
#include <utility>

#include <trtcheck/model.hpp>

namespace trtcheck {
namespace {

struct TypeName {
  const char* name;
  int bits;
};

// Indexed by ONNX's number.
constexpr std::array<TypeName, 29> kTypes{{
    {"UNDEFINED", 0},      {"FLOAT", 32},    {"UINT8", 8},        {"INT8", 8},           {"UINT16", 16},
    {"INT16", 16},         {"INT32", 32},    {"INT64", 64},       {"STRING", 0},         {"BOOL", 8},
    {"FLOAT16", 16},       {"DOUBLE", 64},   {"UINT32", 32},      {"UINT64", 64},        {"COMPLEX64", 64},
    {"COMPLEX128", 128},   {"BFLOAT16", 16}, {"FLOAT8E4M3FN", 8}, {"FLOAT8E4M3FNUZ", 8}, {"FLOAT8E5M2", 8},
    {"FLOAT8E5M2FNUZ", 8}, {"UINT4", 4},     {"INT4", 4},         {"FLOAT4E2M1", 4},     {"FLOAT8E8M0", 8},
    {"UINT2", 2},          {"INT2", 2},      {"FLOAT6E2M3", 6},   {"FLOAT6E3M2", 6},
}};

const TypeName* type_name_of(DataType type) noexcept {
  const auto number = static_cast<std::int32_t>(type);
  if (number < 0 || static_cast<std::size_t>(number) >= kTypes.size()) return nullptr;
  return &kTypes[static_cast<std::size_t>(number)];
}

}  // namespace

std::string to_string(DataType type) {
  const TypeName* row = type_name_of(type);
  return row != nullptr ? row->name : "UNDEFINED(" + std::to_string(static_cast<std::int32_t>(type)) + ")";
}

int bits_of(DataType type) noexcept {
  const TypeName* row = type_name_of(type);
  return row != nullptr ? row->bits : 0;
}

}  // namespace trtcheck
