#include "events/event_digest.h"

#include <bit>
#include <string>

#include "core/mix.h"
#include "events/event_fields.h"

namespace vitrine {
namespace {

class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : m_digest(seed) {}
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
  template <Described T>
  void add(const T& value) {
    Description<T>::fields([&](const char*, auto member) { addMember(value, member); });
  }

 private:
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

// Without what is measured on request alone, and without texts that follow from tokens.
template <typename Body>
const Body& decided(const Body& body) {
  return body;
}
TokenSampled decided(TokenSampled sampled) {
  sampled.entropy = TokenSampled().entropy;
  return sampled;
}

BeamChosen decided(BeamChosen chosen) {
  chosen.piece.clear();
  return chosen;
}

DraftProposed decided(DraftProposed proposed) {
  proposed.pieces.clear();
  return proposed;
}

}  // namespace

std::optional<std::uint64_t> digestOf(const EventBody& body) {
  return std::visit(
      [&](const auto& boxed) -> std::optional<std::uint64_t> {
        using Body = std::decay_t<decltype(unboxed(boxed))>;
        if constexpr (Description<Body>::kInfo.role != EventRole::kDecision) {
          return std::nullopt;
        } else {
          Mixer mixer(body.index());
          mixer.add(decided(unboxed(boxed)));
          return mixer.digest();
        }
      },
      body);
}

}  // namespace vitrine
