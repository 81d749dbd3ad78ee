#include "vitrine/breakpoints.h"

#include <algorithm>

#include "events/field_values.h"
#include "vitrine/machine_state.h"

namespace vitrine {
namespace {

template <typename T, typename... Bodies>
constexpr std::size_t placeOf(const std::variant<Bodies...>*) {
  std::size_t place = 0, found = sizeof...(Bodies);
  ((std::is_same_v<T, std::decay_t<decltype(unboxed(std::declval<Bodies>()))>> ? void(found = place++)
                                                                               : void(++place)),
   ...);
  return found;
}
template <typename T>
constexpr std::size_t kPlaceOf = placeOf<T>(static_cast<const EventBody*>(nullptr));

constexpr std::uint16_t bitOf(BreakKind kind) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
}

// The events that say which request a sequence belongs to, whether there is a breakpoint or not.
constexpr std::uint16_t kAlways = 1u << kBreakKindCount;

using EventTable = std::array<std::uint16_t, std::variant_size_v<EventVariant>>;

// Which kinds an event may meet.
constexpr EventTable meetingTable() {
  EventTable table{};
  const auto say = [&table]<typename T>(std::type_identity<T>, auto... kinds) {
    table[kPlaceOf<T>] = static_cast<std::uint16_t>((0u | ... | bitOf(kinds)));
  };
  using enum BreakKind;
  say(std::type_identity<RequestSubmitted>(), kRequest);
  say(std::type_identity<RequestCancelled>(), kRequest);
  say(std::type_identity<RequestFinished>(), kFinished, kRequest);
  say(std::type_identity<SequenceWaiting>(), kRequest);
  say(std::type_identity<SequenceAdmitted>(), kAdmission, kFirstPrefill, kRequest);
  say(std::type_identity<SequenceScheduled>(), kFirstPrefill, kBlockFull, kRequest);
  say(std::type_identity<SequencePreempted>(), kPreemption, kRequest);
  say(std::type_identity<BlockHit>(), kPrefixHit);
  say(std::type_identity<PrefixMissed>(), kPrefixMiss);
  say(std::type_identity<BlockCopied>(), kCopyOnWrite);
  say(std::type_identity<BlockSwappedOut>(), kSwap);
  say(std::type_identity<BlockSwappedIn>(), kSwap);
  say(std::type_identity<DraftVerified>(), kDraftRejected);
  say(std::type_identity<TokenSampled>(), kToken, kEntropy);
  say(std::type_identity<StepStarted>(), kStep);
  return table;
}
constexpr EventTable kMeeting = meetingTable();

constexpr EventTable kNoted = [] {
  EventTable table{};
  for (const std::size_t place : {kPlaceOf<EngineLoaded>, kPlaceOf<Snapshot>, kPlaceOf<RequestSubmitted>,
                                  kPlaceOf<SequenceForked>, kPlaceOf<RequestForgotten>})
    table[place] = kAlways;
  return table;
}();

// Of a step that computes positions [first, first + tokens): one of them is the last slot of a block. Drafts
// may be rolled back, so they do not count.
bool fillsBlock(const SequenceScheduled& work, int blockSize, BreakHit& hit) {
  if (blockSize <= 0) return false;
  const int end = work.firstPosition + work.tokens - work.draftTokens;
  if (end / blockSize == work.firstPosition / blockSize) return false;
  hit.position = (work.firstPosition / blockSize + 1) * blockSize - 1;
  return true;
}

bool rejects(const DraftVerified& verified, BreakHit& hit) {
  const auto first = static_cast<std::size_t>(verified.accepted);
  if (first >= verified.judgements.size()) return false;
  const DraftJudgement& judged = verified.judgements[first];
  hit.position = verified.firstPosition + verified.accepted;
  hit.token = judged.token;
  return judged.verdict != DraftVerdict::kUndecided;
}

}  // namespace

void Breakpoints::set(std::vector<Breakpoint> list) {
  m_list = std::move(list);
  std::uint16_t wanted = kAlways;
  for (const Breakpoint& one : m_list)
    if (one.enabled) wanted = static_cast<std::uint16_t>(wanted | bitOf(one.kind));
  for (std::size_t i = 0; i < m_watched.size(); ++i) {
    m_watched[i] = static_cast<std::uint16_t>((kMeeting[i] & wanted) | kNoted[i]);
    const bool named = std::ranges::any_of(m_list, [name = allEvents()[i].name](const Breakpoint& one) {
      return one.enabled && one.kind == BreakKind::kEvent && one.event == name;
    });
    if (named) m_watched[i] = static_cast<std::uint16_t>(m_watched[i] | bitOf(BreakKind::kEvent));
  }
}

bool needsEntropyFor(const std::vector<Breakpoint>& list) {
  return std::ranges::any_of(
      list, [](const Breakpoint& one) { return one.enabled && one.kind == BreakKind::kEntropy; });
}

void Breakpoints::begin(const MachineState& state) {
  m_sequences.clear();
  m_requests.clear();
  m_blockSize = state.blockSize;
  for (const auto& [id, request] : state.requests)
    m_requests[id] = {request.name, request.sequences.empty() ? 0 : request.sequences.front()};
  for (const auto& [id, sequence] : state.sequences) m_sequences[id] = {sequence.request, false};
}

void Breakpoints::note(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    begin({});
    m_blockSize = loaded->options.kvCache ? loaded->options.blockSize : 0;
  } else if (const auto* snapshot = bodyOf<Snapshot>(event)) {
    begin(*snapshot->state);
  } else if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_requests[submitted->request] = {submitted->asked.name, submitted->firstSequence};
    m_sequences[submitted->firstSequence] = {submitted->request, false};
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_sequences[forked->child] = {forked->request, false};
  } else if (const auto* forgotten = bodyOf<RequestForgotten>(event)) {
    m_requests.erase(forgotten->request);
    std::erase_if(m_sequences, [&](const auto& one) { return one.second.request == forgotten->request; });
  }
}

RequestId Breakpoints::requestOf(SequenceId sequence) const {
  const auto found = m_sequences.find(sequence);
  return found == m_sequences.end() ? 0 : found->second.request;
}

// The first scheduling after an admission is that of the prompt's first chunk, wherever cached blocks let it
// begin. A resumed sequence has had its first chunk.
void Breakpoints::noteAdmission(const Event& event) {
  if (const auto* admitted = bodyOf<SequenceAdmitted>(event))
    m_sequences[admitted->sequence].isNew = !admitted->resumed;
}
void Breakpoints::noteScheduled(const Event& event) {
  if (const auto* scheduled = bodyOf<SequenceScheduled>(event))
    if (const auto found = m_sequences.find(scheduled->sequence); found != m_sequences.end())
      found->second.isNew = false;
}

std::optional<BreakHit> Breakpoints::check(const Event& event) {
  const std::uint16_t watched = m_watched[event.body.index()];
  if (watched == 0) return std::nullopt;
  if ((watched & kAlways) != 0) note(event);
  if ((watched & bitOf(BreakKind::kFirstPrefill)) != 0) noteAdmission(event);
  std::optional<BreakHit> first;
  for (std::size_t place = 0; place < m_list.size() && !first; ++place) {
    const Breakpoint& one = m_list[place];
    if (!one.enabled || (watched & bitOf(one.kind)) == 0) continue;
    BreakHit hit{place, event.step, event.phase};
    if (meets(one, event, hit) && concerns(one, hit)) first = hit;
  }
  if ((watched & bitOf(BreakKind::kFirstPrefill)) != 0) noteScheduled(event);
  return first;
}

bool Breakpoints::concerns(const Breakpoint& breakpoint, const BreakHit& hit) const {
  if (breakpoint.kind == BreakKind::kStep) return true;
  if (breakpoint.request != 0 && hit.request != breakpoint.request) return false;
  if (breakpoint.requestName.empty()) return true;
  const auto known = m_requests.find(hit.request);
  return known != m_requests.end() && known->second.name == breakpoint.requestName;
}

// Its sequence is one that the event names, or the first of its request.
bool Breakpoints::meetsEvent(const Breakpoint& breakpoint, const Event& event, BreakHit& hit) const {
  if (breakpoint.event != eventName(event) || !concerns(breakpoint, hit)) return false;
  const auto known = m_requests.find(hit.request);
  if (hit.sequence == 0 && known != m_requests.end()) hit.sequence = known->second.first;
  return hasFields(event, breakpoint.with);
}

// Whether an event that may meet the kind does so; fills in what it concerns.
bool Breakpoints::meets(const Breakpoint& breakpoint, const Event& event, BreakHit& hit) const {
  return std::visit(
      [&](const auto& boxed) {
        const auto& body = unboxed(boxed);
        if constexpr (requires { body.sequence; }) {
          hit.sequence = body.sequence;
          hit.request = requestOf(body.sequence);
        }
        if constexpr (requires { body.request; }) hit.request = body.request;
        if constexpr (requires { body.block; }) hit.block = body.block;
        if constexpr (requires { body.resumed; }) hit.resumed = body.resumed;
        if (breakpoint.kind == BreakKind::kEvent) return meetsEvent(breakpoint, event, hit);
        return meetsBody(breakpoint, body, hit);
      },
      event.body);
}

template <typename Body>
bool Breakpoints::meetsBody(const Breakpoint& breakpoint, const Body& body, BreakHit& hit) const {
  if constexpr (std::is_same_v<Body, SequenceAdmitted>) {
    return breakpoint.kind != BreakKind::kFirstPrefill;
  } else if constexpr (std::is_same_v<Body, SequenceScheduled>) {
    if (breakpoint.kind == BreakKind::kBlockFull) return fillsBlock(body, m_blockSize, hit);
    hit.position = body.firstPosition;
    if (breakpoint.kind == BreakKind::kRequest) return true;
    const auto known = m_sequences.find(body.sequence);
    return body.kind == WorkKind::kPrefill && known != m_sequences.end() && known->second.isNew;
  } else if constexpr (std::is_same_v<Body, BlockCopied>) {
    hit.block = body.from;
    return true;
  } else if constexpr (std::is_same_v<Body, DraftVerified>) {
    return rejects(body, hit);
  } else if constexpr (std::is_same_v<Body, TokenSampled>) {
    hit.token = body.token;
    hit.position = body.position;
    hit.bits = body.entropy;
    if (breakpoint.kind == BreakKind::kEntropy) return body.entropy > breakpoint.bits;
    return breakpoint.token >= 0 ? body.token == breakpoint.token : body.text == breakpoint.text;
  } else if constexpr (std::is_same_v<Body, StepStarted>) {
    return hit.step == breakpoint.step;
  } else {
    return true;
  }
}

}  // namespace vitrine
