// The names of enum values, as files, the command line and traces spell them: kHeavyHitters is "heavy".
//
// Each public enum has its list beside it, in the order of its values; nameOf() and fromName() are derived.
// Thread: any. Read next: options.h, which has the most of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace vitrine {

template <typename Enum>
struct Names;  // static constexpr std::array<const char*, n> list

template <typename Enum>
concept Named = requires {
  Names<Enum>::list;
};

// Requires a value of the list.
template <Named Enum>
constexpr const char* nameOf(Enum value) {
  return Names<Enum>::list.at(static_cast<std::size_t>(value));
}

// Nothing when no value has this name.
template <Named Enum>
constexpr std::optional<Enum> fromName(std::string_view name) {
  for (std::size_t i = 0; i < Names<Enum>::list.size(); ++i)
    if (Names<Enum>::list[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace vitrine

// Declares the names of an enum's values, all of them, in their order. For use in namespace vitrine.
#define VITRINE_NAMES(Enum, ...)                                            \
  template <>                                                               \
  struct Names<Enum> {                                                      \
    static constexpr auto list = std::to_array<const char*>({__VA_ARGS__}); \
  }
