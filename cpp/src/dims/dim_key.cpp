#include "dims/dim_key.hpp"

#include "dims/expressions.hpp"

namespace trtcheck {

std::int64_t key_of(Dim dim) noexcept { return DimAccess::bits(dim); }

}  // namespace trtcheck
