// FieldMixer: a number for the fields of described structs, for digests. Thread: a value. Read next:
// event_digest.h.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/mix.h"
#include "vitrine/description.h"

namespace vitrine {

class FieldMixer {
 public:
  explicit FieldMixer(std::uint64_t seed) : m_digest(seed) {}
  std::uint64_t digest() const { return m_digest; }

  void add(std::uint64_t bits) { m_digest = mixBits(m_digest + bits + kGoldenRatio); }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(float value) { add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
  template <typename T>
  requires(std::is_enum_v<T> || std::is_integral_v<T>) void add(T value) {
    add(static_cast<std::uint64_t>(value));
  }
  void add(const std::string& text) {
    add(text.size());
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  template <typename T>
  void add(const std::vector<T>& items) {
    add(items.size());
    for (const T& item : items) add(item);
  }
  template <typename T, std::size_t kCount>
  void add(const std::array<T, kCount>& items) {
    for (const T& item : items) add(item);
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <Described T>
  void add(const T& value) {
    Description<T>::fields([&](const char*, auto member) { addMember(value, member); });
  }
  // But for these members.
  template <Described T, typename... Left>
  void addWithout(const T& value, Left... left) {
    Description<T>::fields([&](const char*, auto member) {
      if (!(isSame(member, left) || ...)) addMember(value, member);
    });
  }

 private:
  template <typename A, typename B>
  static constexpr bool isSame(A a, B b) {
    if constexpr (std::is_same_v<A, B>)
      return a == b;
    else
      return false;
  }
  template <typename T, typename Member>
  void addMember(const T& value, Member T::*member) {
    add(value.*member);
  }
  template <typename T>
  void addMember(const T& value, Hexadecimal<T> hexadecimal) {
    add(value.*hexadecimal.member);
  }

  std::uint64_t m_digest;
};

}  // namespace vitrine
