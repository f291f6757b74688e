// How NVIDIA's libraries hand out their objects: an object holds a pointer to its implementation, whose functions are
// called by their place in its virtual table. Our declarations name the places that are used; the others are counted.
#pragma once

namespace trtcheck::witness {

/// What every implementation begins with; the compiler gives its destructor the first two places.
struct Root {
  virtual ~Root() = default;
  void pass() {}
};

/// `Base`, followed by N places that nobody here calls.
template <class Base, int N>
struct Skip : Skip<Base, N - 1> {
  using Skip<Base, N - 1>::pass;
  virtual void pass(const Skip*) = 0;
};
template <class Base>
struct Skip<Base, 0> : Base {
  using Base::pass;
};

/// An object of the library; `delete` gives it back.
template <class Implementation>
struct Handle {
  virtual ~Handle() = default;
  Implementation* calls = nullptr;
};

}  // namespace trtcheck::witness
