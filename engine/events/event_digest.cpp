#include "events/event_digest.h"

#include "events/event_fields.h"
#include "events/field_mixer.h"

namespace vitrine {
namespace {

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
          FieldMixer mixer(body.index());
          mixer.add(decided(unboxed(boxed)));
          return mixer.digest();
        }
      },
      body);
}

}  // namespace vitrine
