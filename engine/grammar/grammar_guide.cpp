#include "grammar/grammar_guide.h"

namespace vitrine {

GrammarGuide::GrammarGuide(const Grammar& grammar, std::shared_ptr<const TokenTrie> trie)
    : m_automaton(grammar), m_trie(std::move(trie)), m_matcher(m_automaton), m_masks(m_matcher, *m_trie) {}

// Texts that open ever more brackets have ever more states.
void GrammarGuide::forget() {
  m_matcher.forget();
  m_masks.forget();
  ++m_memory;
}

GrammarGuide::State GrammarGuide::stateAfter(GrammarPlace& place, std::span<const TokenId> output) {
  if (m_matcher.states() > kMostStates) forget();
  if (place.memory != m_memory || place.tokens > output.size())
    place = {.state = m_matcher.start(), .memory = m_memory};
  for (; place.tokens < output.size(); ++place.tokens)
    place.state = advance(place.state, output[place.tokens], place.tokens);
  return place.state;
}

}  // namespace vitrine
