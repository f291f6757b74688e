#include "fold/places.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace trtcheck::fold {
namespace {

/// Counts through all indices of a tensor, the last axis fastest; on_step(axis) for each axis that goes up by one,
/// on_wrap(axis) for each that starts anew.
template <class OnElement, class OnStep, class OnWrap>
void count_through(const Dims& dims, std::size_t elements, OnElement on_element, OnStep on_step, OnWrap on_wrap) {
  Dims index(dims.size(), 0);
  for (std::size_t i = 0; i < elements; ++i) {
    on_element();
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      if (++index[axis] < dims[axis]) {
        on_step(axis);
        break;
      }
      index[axis] = 0;
      on_wrap(axis);
    }
  }
}

}  // namespace

Places strides_of(const Dims& dims) {
  Places strides(dims.size(), 1);
  for (std::size_t axis = dims.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * size(dims[axis]);
  return strides;
}

Places strided(const Call& call, const Dims& out, const Places& strides, std::size_t start) {
  const std::size_t elements = call.count(out);
  call.spend(static_cast<std::int64_t>(elements));
  Places places;
  places.reserve(elements);
  std::size_t at = start;
  // Unsigned numbers wrap, so a negative stride is one that goes round.
  count_through(
      out, elements, [&] { places.push_back(at); }, [&](std::size_t axis) { at += strides[axis]; },
      [&](std::size_t axis) { at -= strides[axis] * (size(out[axis]) - 1); });
  return places;
}

Picks all_of(const Call& call, const Dims& dims) {
  Picks picks;
  for (const std::int64_t dim : dims) {
    static_cast<void>(call.count({dim}));
    Places& places = picks.emplace_back(size(dim));
    std::iota(places.begin(), places.end(), std::size_t{0});
  }
  return picks;
}

Dims picked_dims(const Picks& picks) {
  Dims dims;
  for (const Places& places : picks) dims.push_back(static_cast<std::int64_t>(places.size()));
  return dims;
}

Places picked(const Call& call, const Dims& dims, const Picks& picks) {
  Places places{0};
  const Places strides = strides_of(dims);
  std::size_t elements = call.count(picked_dims(picks));
  call.spend(static_cast<std::int64_t>(elements));
  if (elements == 0) return {};
  for (std::size_t axis = 0; axis < picks.size(); ++axis) {
    Places next;
    next.reserve(places.size() * picks[axis].size());
    for (const std::size_t place : places) {
      for (const std::size_t pick : picks[axis]) {
        next.push_back(place == kNowhere || pick == kNowhere ? kNowhere : place + pick * strides[axis]);
      }
    }
    places = std::move(next);
  }
  return places;
}

Array take(const Call& call, const Array& from, const Places& places, Dims dims, const Array* otherwise) {
  Array made = call.blank(from.type, std::move(dims));
  const std::size_t width = width_of(from.type);
  const std::byte* rest = otherwise == nullptr ? nullptr : otherwise->bytes.data();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::byte* source = places[i] == kNowhere ? rest : from.bytes.data() + places[i] * width;
    if (source != nullptr) std::memcpy(made.bytes.data() + i * width, source, width);
  }
  return made;
}

Array take(const Call& call, const Array& from, const Picks& picks, const Array* otherwise) {
  return take(call, from, picked(call, from.dims, picks), picked_dims(picks), otherwise);
}

Dims broadcast(const Dims& a, const Dims& b) {
  if (a.size() < b.size()) return broadcast(b, a);
  Dims made = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    std::int64_t& dim = made[a.size() - b.size() + i];
    if (dim != b[i] && dim != 1 && b[i] != 1) {
      throw Unfolded{"sizes " + std::to_string(dim) + " and " + std::to_string(b[i]) + " cannot be broadcast"};
    }
    if (dim == 1) dim = b[i];
  }
  return made;
}

Places broadcast_places(const Call& call, const Dims& from, const Dims& to) {
  if (broadcast(from, to) != to) throw Unfolded{"sizes cannot be broadcast in one direction"};
  const Places own = strides_of(from);
  Places strides(to.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) strides[to.size() - from.size() + i] = own[i];
  }
  return strided(call, to, strides);
}

Dims reduced_dims(Dims dims, const std::vector<std::size_t>& axes) {
  for (const std::size_t axis : axes) dims[axis] = 1;
  return dims;
}

Places reduced_places(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes) {
  Places strides = strides_of(reduced_dims(dims, axes));
  for (const std::size_t axis : axes) strides[axis] = 0;
  return strided(call, dims, strides);
}

}  // namespace trtcheck::fold
