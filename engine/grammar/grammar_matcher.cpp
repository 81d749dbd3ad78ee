#include "grammar/grammar_matcher.h"

#include <algorithm>
#include <bitset>

#include "core/check.h"
#include "core/mix.h"

namespace vitrine {
namespace {

constexpr GrammarMatcher::State kUnknown = -1;

std::uint64_t keyOf(int a, int b) {
  return std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b);
}

}  // namespace

std::size_t GrammarMatcher::WaysHash::operator()(const std::vector<Way>& ways) const {
  std::uint64_t hash = ways.size();
  for (const Way& way : ways) hash = mixBits(hash + kGoldenRatio + keyOf(way.node, way.calls));
  return static_cast<std::size_t>(hash);
}

GrammarMatcher::GrammarMatcher(const Automaton& automaton)
    : m_automaton(automaton), m_isTail(static_cast<std::size_t>(automaton.nodes())) {
  for (int node = 0; node < automaton.nodes(); ++node)
    m_isTail[static_cast<std::size_t>(node)] = automaton.isTail(node);
  forget();
}

void GrammarMatcher::forget() {
  m_calls.assign(2, {});  // kEnd and kOpen
  m_callNumbers.clear();
  m_states.clear();
  m_numbers.clear();
  VITRINE_CHECK(intern() == kDead);  // the state without a way
  m_start = from(m_automaton.startOf(m_automaton.root()), kEnd);
}

bool GrammarMatcher::has(State state, const Way& way) const {
  return std::ranges::binary_search(ways(state), way);
}

int GrammarMatcher::call(int back, int behind) {
  if (m_isTail[static_cast<std::size_t>(back)]) return behind;
  const auto [found, isNew] =
      m_callNumbers.try_emplace(keyOf(back, behind), static_cast<int>(m_calls.size()));
  if (isNew) m_calls.push_back({back, behind});
  return found->second;
}

// Adds to m_found all nodes with bytes that can be reached without one. The automaton has no rule that begins
// with itself, so the lists of calls stay finite.
void GrammarMatcher::follow(int node, int calls) {
  m_open.push_back({node, calls});
  while (!m_open.empty()) {
    const Way way = m_open.back();
    m_open.pop_back();
    if (m_followed.size() > 64 * kMostWays || m_found.size() >= kMostWays) break;
    if (!m_followed.try_emplace(keyOf(way.node, way.calls), true).second) continue;
    const Automaton::Node& at = m_automaton.node(way.node);
    if (!at.bytes.empty()) m_found.push_back(way);
    for (const int next : at.empty) m_open.push_back({next, way.calls});
    for (const Automaton::CallEdge& edge : at.calls)
      m_open.push_back({m_automaton.startOf(edge.rule), call(edge.target, way.calls)});
    if (!at.ends) continue;
    if (way.calls == kEnd || way.calls == kOpen)
      m_found.push_back({Way::kNone, way.calls});
    else
      m_open.push_back({m_calls[static_cast<std::size_t>(way.calls)].back,
                        m_calls[static_cast<std::size_t>(way.calls)].behind});
  }
  m_open.clear();
}

// The state that m_found is.
GrammarMatcher::State GrammarMatcher::intern() {
  std::ranges::sort(m_found);
  m_found.erase(std::unique(m_found.begin(), m_found.end()), m_found.end());
  const auto [found, isNew] = m_numbers.try_emplace(m_found, static_cast<State>(m_states.size()));
  if (isNew) m_states.push_back({&found->first});
  m_found.clear();
  m_followed.clear();
  return found->second;
}

GrammarMatcher::State GrammarMatcher::from(int node, int calls) {
  follow(node, calls);
  return intern();
}

GrammarMatcher::State GrammarMatcher::behind(int calls) {
  VITRINE_CHECK(calls != kEnd && calls != kOpen);
  const Call& last = m_calls[static_cast<std::size_t>(calls)];
  return from(last.back, last.behind);
}

GrammarMatcher::State GrammarMatcher::advance(State state, std::uint8_t byte) {
  if (state == kDead) return kDead;
  Entry& entry = m_states[static_cast<std::size_t>(state)];
  if (entry.next.empty()) entry.next.assign(static_cast<std::size_t>(m_automaton.classes()), kUnknown);
  State& next = entry.next[static_cast<std::size_t>(m_automaton.classOf(byte))];
  if (next != kUnknown) return next;
  for (const Way& way : *entry.ways) {
    if (way.node == Way::kNone) continue;
    for (const Automaton::ByteEdge& edge : m_automaton.node(way.node).bytes)
      if (edge.first <= byte && byte <= edge.last) follow(edge.target, way.calls);
  }
  return next = intern();  // a deque's entries stay where they are
}

GrammarMatcher::State GrammarMatcher::advance(State state, std::string_view bytes) {
  for (const char byte : bytes) state = advance(state, static_cast<std::uint8_t>(byte));
  return state;
}

std::vector<std::string> GrammarMatcher::rulesAt(State state) const {
  const std::vector<Way>& all = ways(state);
  const auto way = std::ranges::find_if(all, [](const Way& one) { return one.node != Way::kNone; });
  if (way == all.end()) return {};
  std::vector<std::string> names = {m_automaton.nameOf(m_automaton.node(way->node).rule)};
  for (int calls = way->calls; calls != kEnd && calls != kOpen;) {
    const Call& one = m_calls[static_cast<std::size_t>(calls)];
    names.push_back(m_automaton.nameOf(m_automaton.node(one.back).rule));
    calls = one.behind;
  }
  std::ranges::reverse(names);
  return names;
}

std::string GrammarMatcher::expectedAt(State state, int most) const {
  std::bitset<257> taken;
  for (const Way& way : ways(state))
    if (way.node != Way::kNone)
      for (const Automaton::ByteEdge& edge : m_automaton.node(way.node).bytes)
        for (int byte = edge.first; byte <= edge.last; ++byte) taken.set(static_cast<std::size_t>(byte));
  const auto nameOf = [](std::size_t byte) -> std::string {
    if (byte == ' ') return "␣";
    if (byte == '\n') return "⏎";
    if (byte == '\t') return "⇥";
    if (byte == '\r') return "␍";
    if (byte < 0x20 || byte == 0x7F) return "␀";
    return std::string(1, static_cast<char>(byte));
  };
  std::vector<std::string> names;
  for (std::size_t byte = 0; byte < 0x80; ++byte) {
    if (!taken.test(byte)) continue;
    std::size_t last = byte;
    const bool runs = byte > ' ';  // blanks are named one by one
    while (runs && last + 1 < 0x7F && taken.test(last + 1)) ++last;
    if (last < byte + 2) last = byte;
    names.push_back(last > byte ? nameOf(byte) + "-" + nameOf(last) : nameOf(byte));
    byte = last;
  }
  for (std::size_t byte = 0x80; byte < 0x100; ++byte)
    if (taken.test(byte)) {
      names.push_back("é…");  // some character beyond ASCII
      break;
    }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += ' ';
    if (static_cast<int>(i) == most) return text + "…";
    text += names[i];
  }
  return text;
}

}  // namespace vitrine
