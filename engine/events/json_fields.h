// Described structs (vitrine/description.h) to JSON and back; what is written is what is read.
//
// A missing key is an EngineError(kFileCorrupt) that names it; an unknown one is passed over. Thread: any.
// Read next: event_fields.h.
#pragma once

#include "events/json_value.h"
#include "vitrine/description.h"

namespace vitrine {

template <typename T, typename M>
JsonOut memberToJson(const T& value, M T::*member) {
  return toJson(value.*member);
}
template <typename T>
JsonOut memberToJson(const T& value, Hexadecimal<T> field) {
  return hexOf(value.*field.member);
}
template <Described T>
JsonOut toJson(const T& value) {
  JsonOut out = JsonOut::object();
  Description<T>::fields([&](const char* name, auto member) { out[name] = memberToJson(value, member); });
  return out;
}

template <typename T, typename M>
void memberFromJson(const char* name, const JsonIn& in, T& value, M T::*member) {
  fromJson(name, in, value.*member);
}
template <typename T>
void memberFromJson(const char* name, const JsonIn& in, T& value, Hexadecimal<T> field) {
  value.*field.member = fromHex(name, in);
}
template <Described T>
void fromJson(const char*, const JsonIn& in, T& value) {
  Description<T>::fields(
      [&](const char* name, auto member) { memberFromJson(name, memberOf(name, in), value, member); });
}

}  // namespace vitrine
