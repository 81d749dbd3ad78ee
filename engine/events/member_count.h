// A check for the compiler: that the description of an aggregate names each of its members once.
//
// How many members an aggregate has is the greatest number of values that it can be initialized with (the
// technique of Boost.PFR). Thread: compile time. Read next: event_info.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "vitrine/description.h"

namespace vitrine {

struct AnyValue {
  template <typename T>
  operator T() const;  // never called
};

template <typename T, std::size_t... I>
constexpr bool takesValues(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyValue())...}; };
}

inline constexpr std::size_t kMostMembers = 64;

template <typename T, std::size_t Most = kMostMembers>
constexpr std::size_t memberCount() {
  if constexpr (takesValues<T>(std::make_index_sequence<Most>()))
    return Most;
  else
    return memberCount<T, Most - 1>();
}

template <typename Member>
inline constexpr bool kIsNested = false;
template <typename T, typename Part, typename M>
inline constexpr bool kIsNested<Nested<T, Part, M>> = true;

// Nested fields stand for one member. Whether they name all of its own is checked where they are described.
template <typename T>
constexpr bool describesAllMembers() {
  std::array<std::string_view, 2 * kMostMembers> names;
  std::size_t count = 0, members = 0;
  bool unique = true, nests = false;
  Description<T>::fields([&]<typename Member>(const char* name, Member) {
    for (std::size_t i = 0; i < count; ++i) unique = unique && names[i] != name;
    names[count++] = name;
    if (kIsNested<Member>)
      nests = true;
    else
      ++members;
  });
  return unique && members + (nests ? 1 : 0) == memberCount<T>();
}

}  // namespace vitrine
