// Described structs (vitrine/description.h) to JSON and back; what is written is what is read.
//
// A missing field keeps the value it has, an unknown one is passed over, so that programs of different
// versions read each other's files. Thread: any. Read next: event_fields.h.
#pragma once

#include "events/json_value.h"
#include "vitrine/description.h"

namespace vitrine {

// A part of a struct with a form of its own in JSON: `kWords` says which, toJson() and fromJson() convert it.
template <typename F>
concept OwnForm = requires {
  F::kWords;
};

template <typename T, typename M>
JsonOut memberToJson(const T& value, M T::*member) {
  return toJson(value.*member);
}
template <typename T>
JsonOut memberToJson(const T& value, Hexadecimal<T> field) {
  return hexOf(value.*field.member);
}
template <typename T, typename Part, typename M>
JsonOut memberToJson(const T& value, Nested<T, Part, M> field) {
  return toJson(value.*field.part.*field.member);
}
template <typename T, OwnForm F>
JsonOut memberToJson(const T& value, const F& form) {
  return form.toJson(value);
}
template <Described T>
JsonOut toJson(const T& value) {
  JsonOut out = JsonOut::object();
  Description<T>::fields(
      [&](const char* name, auto member) { addMember(out, name, memberToJson(value, member)); });
  return out;
}

template <typename T, typename M>
void memberFromJson(const char* name, const JsonIn& in, T& value, M T::*member) {
  try {
    fromJson(name, in, value.*member);
  } catch (UnknownWord& word) {
    word.within(name);
    throw;
  }
}
template <typename T>
void memberFromJson(const char* name, const JsonIn& in, T& value, Hexadecimal<T> field) {
  value.*field.member = fromHex(name, in);
}
template <typename T, typename Part, typename M>
void memberFromJson(const char* name, const JsonIn& in, T& value, Nested<T, Part, M> field) {
  memberFromJson(name, in, value.*field.part, field.member);
}
template <typename T, OwnForm F>
void memberFromJson(const char* name, const JsonIn& in, T& value, const F& form) {
  form.fromJson(name, in, value);
}
template <Described T>
void fromJson(const char* field, const JsonIn& in, T& value) {
  if (!in.is_object()) corruptField(field, "is not an object");
  Description<T>::fields([&](const char* name, auto member) {
    if (const JsonIn* const found = findMember(in, name)) memberFromJson(name, *found, value, member);
  });
}

}  // namespace vitrine
