// Plain structs to JSON and back, by one table of fields for each struct.
//
// Fields<T>::list names every member once; toJson() and fromJson() both walk it, so that what is written is
// what is read. A missing key is an EngineError(kFileCorrupt) that names it; an unknown one is passed over,
// so that a later version may add some. Thread: any. Read next: event_fields.h.
#pragma once

#include <tuple>
#include <utility>

#include "events/json_value.h"

namespace vitrine {

template <typename T>
struct Fields;  // static constexpr auto list = std::tuple(Field{"name", &T::member}, ...)
template <typename T, typename M>
struct Field {
  const char* name;
  M T::*member;
};
template <typename T, typename M>
Field(const char*, M T::*) -> Field<T, M>;  // clang 14 does not deduce an aggregate's by itself
template <typename T>
struct HashField {
  const char* name;
  std::uint64_t T::*member;
};

template <typename T>
concept Described = requires {
  Fields<T>::list;
};

template <typename T, typename M>
void put(JsonOut& out, const T& value, const Field<T, M>& field) {
  out[field.name] = toJson(value.*field.member);
}
template <typename T>
void put(JsonOut& out, const T& value, const HashField<T>& field) {
  out[field.name] = hexOf(value.*field.member);
}
template <Described T>
JsonOut toJson(const T& value) {
  JsonOut out = JsonOut::object();
  std::apply([&](const auto&... field) { (put(out, value, field), ...); }, Fields<T>::list);
  return out;
}

template <typename T, typename M>
void get(const JsonIn& in, T& value, const Field<T, M>& field) {
  fromJson(field.name, memberOf(field.name, in), value.*field.member);
}
template <typename T>
void get(const JsonIn& in, T& value, const HashField<T>& field) {
  value.*field.member = fromHex(field.name, memberOf(field.name, in));
}
template <Described T>
void fromJson(const char*, const JsonIn& in, T& value) {
  std::apply([&](const auto&... field) { (get(in, value, field), ...); }, Fields<T>::list);
}

}  // namespace vitrine
