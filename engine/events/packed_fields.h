// Described structs (vitrine/description.h) to bytes and back, for what this process alone reads again.
//
// Whole numbers take as few bytes as they need (packed_bytes.h; signed ones zigzag).
// Floating-point numbers and hashes stand as they lie in memory, so every NaN comes back to the bit. The
// bytes carry no names and no version: what outlives the process is JSON (json_fields.h). Thread: any. Read
// next: packed_events.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "events/packed_bytes.h"
#include "vitrine/description.h"

namespace vitrine {

template <typename T>
concept Whole = std::is_integral_v<T> || std::is_enum_v<T>;
template <typename T>
concept Real = std::is_floating_point_v<T>;

template <Whole T>
void pack(PackedWriter& out, T value) {
  if constexpr (std::is_enum_v<T>) {
    pack(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_signed_v<T>) {
    const auto wide = static_cast<std::uint64_t>(std::int64_t{value});
    out.whole((wide << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  } else {
    out.whole(value);
  }
}
template <Whole T>
void unpack(PackedReader& in, T& value) {
  if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    unpack(in, number);
    if (static_cast<std::size_t>(number) >= Names<T>::list.size()) damaged();
    value = static_cast<T>(number);
  } else {
    const std::uint64_t bits = in.whole();
    value = static_cast<T>(std::is_signed_v<T> ? (bits >> 1) ^ (~(bits & 1) + 1) : bits);
  }
}

template <Real T>
void pack(PackedWriter& out, T value) {
  out.raw(&value, sizeof value);
}
template <Real T>
void unpack(PackedReader& in, T& value) {
  in.raw(&value, sizeof value);
}

inline void pack(PackedWriter& out, const std::string& text) {
  out.whole(text.size());
  out.raw(text.data(), text.size());
}
inline void unpack(PackedReader& in, std::string& text) {
  text.resize(in.count());
  in.raw(text.data(), text.size());
}

template <typename T>
void pack(PackedWriter& out, const std::optional<T>& value) {
  pack(out, value.has_value());
  if (value) pack(out, *value);
}
template <typename T>
void unpack(PackedReader& in, std::optional<T>& value) {
  bool present = false;
  unpack(in, present);
  value.reset();
  if (present) unpack(in, value.emplace());
}

template <typename T>
void pack(PackedWriter& out, const std::vector<T>& items) {
  out.whole(items.size());
  for (const T& item : items) pack(out, item);
}
template <typename T>
void unpack(PackedReader& in, std::vector<T>& items) {
  items.resize(in.count());
  for (T& item : items) unpack(in, item);
}

template <typename T, std::size_t N>
void pack(PackedWriter& out, const std::array<T, N>& items) {
  for (const T& item : items) pack(out, item);
}
template <typename T, std::size_t N>
void unpack(PackedReader& in, std::array<T, N>& items) {
  for (T& item : items) unpack(in, item);
}

// A map as its values, each with its id.
template <typename Id, typename Value>
void pack(PackedWriter& out, const std::map<Id, Value>& values) {
  out.whole(values.size());
  for (const auto& [id, value] : values) pack(out, value);
}
template <typename Id, typename Value>
void unpack(PackedReader& in, std::map<Id, Value>& values) {
  values.clear();
  for (std::size_t left = in.count(); left > 0; --left) {
    Value value;
    unpack(in, value);
    const Id id = value.id;
    values.emplace_hint(values.end(), id, std::move(value));
  }
}

// A part of a struct with a form of its own (OwnForm, json_fields.h) has overloads of these two.
template <typename T, typename M>
void packMember(PackedWriter& out, const T& value, M T::*member) {
  pack(out, value.*member);
}
template <typename T>
void packMember(PackedWriter& out, const T& value, Hexadecimal<T> hash) {
  out.raw(&(value.*hash.member), sizeof(std::uint64_t));
}
template <typename T, typename Part, typename M>
void packMember(PackedWriter& out, const T& value, Nested<T, Part, M> field) {
  pack(out, value.*field.part.*field.member);
}
template <typename T, typename M>
void unpackMember(PackedReader& in, T& value, M T::*member) {
  unpack(in, value.*member);
}
template <typename T>
void unpackMember(PackedReader& in, T& value, Hexadecimal<T> hash) {
  in.raw(&(value.*hash.member), sizeof(std::uint64_t));
}
template <typename T, typename Part, typename M>
void unpackMember(PackedReader& in, T& value, Nested<T, Part, M> field) {
  unpack(in, value.*field.part.*field.member);
}

template <Described T>
void pack(PackedWriter& out, const T& value) {
  Description<T>::fields([&](const char*, auto member) { packMember(out, value, member); });
}
template <Described T>
void unpack(PackedReader& in, T& value) {
  Description<T>::fields([&](const char*, auto member) { unpackMember(in, value, member); });
}

}  // namespace vitrine
