// GrammarMatcher: where a text may be in a grammar, byte by byte.
//
// A state is the set of all ways to read the text so far: each is a node of the automaton and the calls that
// it has to return from, which share their memory as linked lists. States and lists that are the same have
// the same number, and what a byte does to a state is computed once: a deterministic machine, built as far as
// texts go. A state is a pure function of the bytes; what is remembered changes its number alone. Of a
// grammar so ambiguous that a state has more than kMostWays, the first are followed: every text that is
// taken is one of the grammar, but not every one of the grammar is taken.
//
// Errors: none, but std::bad_alloc. Thread: one object, one thread. Read next: token_masks.h.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/automaton.h"

namespace vitrine {

class GrammarMatcher {
 public:
  using State = int;
  static constexpr State kDead = 0;  // no way
  static constexpr std::size_t kMostWays = 1024;

  // One way: a node, and the list of calls behind it. A way without a node is behind the last call.
  struct Way {
    static constexpr int kNone = -1;
    int node = kNone, calls = 0;
    auto operator<=>(const Way&) const = default;
  };
  // The ends of lists: the end of the text, and an unknown list behind a rule (token_masks.h).
  static constexpr int kEnd = 0, kOpen = 1;

  explicit GrammarMatcher(const Automaton& automaton);  // which must outlive it

  State start() const { return m_start; }
  State advance(State state, std::uint8_t byte);
  State advance(State state, std::string_view bytes);
  // The one way that goes on from a node, with these calls behind it.
  State from(int node, int calls);
  // Behind the last of these calls. Requires other ones than kEnd and kOpen.
  State behind(int calls);

  bool mayEnd(State state) const { return has(state, {Way::kNone, kEnd}); }  // the text is whole
  bool isOpen(State state) const { return has(state, {Way::kNone, kOpen}); }
  bool isOver(State state) const {
    return ways(state).size() == 1 && mayEnd(state);
  }  // and nothing may follow
  const std::vector<Way>& ways(State state) const { return *m_states[static_cast<std::size_t>(state)].ways; }

  // For people: the names of the rules that the first way is in, from the root on.
  std::vector<std::string> rulesAt(State state) const;
  // And what may come next: "0-9 . e"; at most `most` characters or ranges, and behind them an ellipsis.
  std::string expectedAt(State state, int most) const;

  std::size_t states() const { return m_states.size(); }
  void forget();  // all states but kDead and start(); their numbers mean others from now on

 private:
  struct Call {
    int back = 0, behind = 0;  // the node that it returns to, and the list behind it
  };
  struct WaysHash {
    std::size_t operator()(const std::vector<Way>& ways) const;
  };
  struct Entry {
    const std::vector<Way>* ways;  // in order, each once
    std::vector<State> next = {};  // [byte class]; made when it is first needed
  };

  bool has(State state, const Way& way) const;
  int call(int back, int behind);
  void follow(int node, int calls);
  State intern();

  const Automaton& m_automaton;
  std::vector<bool> m_isTail;  // [node]
  std::vector<Call> m_calls;
  std::unordered_map<std::uint64_t, int> m_callNumbers;
  std::deque<Entry> m_states;
  std::unordered_map<std::vector<Way>, State, WaysHash> m_numbers;
  State m_start = kDead;

  std::vector<Way> m_found, m_open;  // of follow()
  std::unordered_map<std::uint64_t, bool> m_followed;
};

}  // namespace vitrine
