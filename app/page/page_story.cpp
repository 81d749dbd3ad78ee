#include "page/page_story.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "vitrine/prose/headline.h"
#include "vitrine/prose/request_mark.h"
#include "vitrine/prose/request_words.h"
#include "vitrine/prose/why.h"
#include "vitrine/prose/words.h"
#include "vitrine/state_digest.h"
#include "vitrine/step_rate.h"

namespace vitrine::page {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMostPrompt = 2000;  // bytes of a prompt that a page shows: its end

std::string hexadecimal(std::uint64_t bits) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(bits));
  return text.data();
}

bool isInsideCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The end of a text, whole characters.
std::string endOf(const std::string& text) {
  if (text.size() <= kMostPrompt) return text;
  std::size_t from = text.size() - kMostPrompt;
  while (from < text.size() && isInsideCharacter(text[from])) ++from;
  return "…" + text.substr(from);
}

// A part of a sentence that speaks of something: [its words, a letter for the kind, ids]. What a sequence has
// or does is no name of it.
Json partOf(const std::string& words, const prose::Target& target) {
  if (!target.blocks.empty()) return {words, "b", target.blocks.front(), target.blocks.back()};
  if (target.position >= 0) return words;
  if (target.step != 0) return target.sequence == 0 ? Json{words, "s", target.step} : Json(words);
  if (target.sequence != 0) return {words, "q", target.sequence};
  return target.request != 0 ? Json{words, "r", target.request} : Json(words);
}

// A sentence as a list of its parts: texts, and words that are linked.
Json sentence(const std::string& text, const std::vector<prose::Link>& links) {
  Json parts = Json::array();
  std::size_t behind = 0;
  for (const prose::Link& link : links) {
    if (link.begin < behind || link.begin + link.length > text.size()) continue;
    if (link.begin > behind) parts.push_back(text.substr(behind, link.begin - behind));
    parts.push_back(partOf(text.substr(link.begin, link.length), link.target));
    behind = link.begin + link.length;
  }
  if (behind < text.size()) parts.push_back(text.substr(behind));
  return parts;
}

int groupOf(SequenceStatus status) {
  if (status == SequenceStatus::kRunning) return 0;
  return status == SequenceStatus::kFinished ? 2 : 1;
}

// What a step did with one sequence.
struct Cell {
  const char* kind = nullptr;  // a word of the page's style sheet
  int tokens = 0, cached = 0;
  std::string text, end;

  Json toJson() const {
    Json json = {{"kind", kind}};
    if (tokens > 0) json["tokens"] = tokens;
    if (cached > 0) json["cached"] = cached;
    if (!text.empty()) json["text"] = text;
    if (!end.empty()) json["end"] = end;
    return json;
  }
};

class Cells {
 public:
  void add(const Event& event) {
    if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) {
      m_cells[admitted->sequence].cached = admitted->cachedTokens;
    } else if (const auto* scheduled = bodyOf<SequenceScheduled>(event)) {
      Cell& cell = m_cells[scheduled->sequence];
      cell.kind = nameOf(scheduled->kind);
      cell.tokens = scheduled->tokens;
    } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
      m_cells[sampled->sequence].text +=
          prose::visibleText(sampled->text.empty() ? sampled->piece : sampled->text);
    } else if (const auto* preempted = bodyOf<SequencePreempted>(event)) {
      m_cells[preempted->sequence] = {preempted->how == Preemption::kSwap ? "swapped" : "preempted",
                                      preempted->lostTokens, 0, "", ""};
    } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
      Cell& cell = m_cells[finished->sequence];
      if (cell.kind == nullptr) cell.kind = "finished";
      cell.end = prose::finishReason(finished->reason);
    }
  }
  // A sequence that waits, and that the step did nothing else with.
  void addWaiting(const SequenceState& sequence) {
    Cell& cell = m_cells[sequence.id];
    if (cell.kind == nullptr) cell = {"waits", 0, 0, prose::whatItWaitsFor(sequence), ""};
  }
  Json toJson() const {
    Json json = Json::object();
    for (const auto& [sequence, cell] : m_cells)
      if (cell.kind != nullptr) json[std::to_string(sequence)] = cell.toJson();
    return json;
  }

 private:
  std::map<SequenceId, Cell> m_cells;
};

}  // namespace

void PageStory::add(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    m_loaded = *loaded;
    m_events.clear();
    m_names.clear();
    m_isStepOpen = false;
  }
  if (!m_events.empty() && isA<StepFinished>(m_events.back())) m_events.clear();
  m_state.apply(event);
  noteName(event);
  if (isA<StepStarted>(event)) m_isStepOpen = true;
  if (isA<StepFinished>(event)) m_isStepOpen = false;
  if (!isA<Snapshot>(event) && !isA<LayerTap>(event)) m_events.push_back(event);
}

void PageStory::noteName(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event))
    m_names[submitted->firstSequence] = {submitted->request, 0};
  else if (const auto* forked = bodyOf<SequenceForked>(event))
    m_names[forked->child] = {forked->request, forked->index};
  else if (isA<Snapshot>(event))
    for (const auto& [id, sequence] : m_state.sequences) m_names[id] = {sequence.request, sequence.index};
}

std::string PageStory::letterOf(SequenceId sequence) const {
  const auto name = m_names.find(sequence);
  if (name == m_names.end()) return "?";
  const auto request = m_state.requests.find(name->second.request);
  const std::size_t answers = request == m_state.requests.end() ? 1 : request->second.sequences.size();
  return prose::sequenceLetter(name->second.request, name->second.index, static_cast<int>(answers));
}

prose::Names PageStory::names() const {
  return {[](RequestId request) { return prose::requestMark(request).letter; },
          [this](SequenceId sequence) { return letterOf(sequence); }};
}

Json PageStory::header() const {
  Json phases = Json::array();
  for (int phase = 0; phase < kPhaseCount; ++phase) phases.push_back(prose::phaseName(Phase(phase)));
  return {{"format", "vitrine-page"},        {"version", kFormat},
          {"model", m_loaded.model.name},    {"device", m_loaded.device},
          {"blocks", m_state.blocks.size()}, {"block_size", m_state.blockSize},
          {"phases", std::move(phases)}};
}

Json PageStory::account() const {
  Json account = {{"step", m_state.step},
                  {"digest", hexadecimal(stateDigest(m_state))},
                  {"why", why()},
                  {"lanes", lanes()},
                  {"figures", figures()}};
  if (const auto headline = prose::headlineOf(m_events, m_state, names())) {
    account["headline"] = sentence(headline->text, headline->links);
    // A failure, a preemption or an eviction.
    if (headline->kind <= prose::HeadlineKind::kEviction) account["warning"] = true;
  }
  if (m_isStepOpen && !m_events.empty()) account["phase"] = static_cast<int>(m_events.back().phase);
  return account;
}

Json PageStory::why() const {
  Json rows = Json::array();
  for (const prose::WhyRow& row : prose::explainStep(m_events, m_state, names())) {
    Json json = {{"section", row.section}, {"text", sentence(row.text, row.links)}};
    if (row.warning) json["warning"] = true;
    for (const prose::Rule& rule : row.rules) json["rules"].push_back(rule.text);
    rows.push_back(std::move(json));
  }
  return rows;
}

Json PageStory::lanes() const {
  Cells cells;
  for (const Event& event : m_events) cells.add(event);
  if (!m_events.empty())
    for (const SequenceId waiting : m_state.waiting) cells.addWaiting(m_state.sequences.at(waiting));
  return cells.toJson();
}

Json PageStory::figures() const {
  const StepFinished* const finished = m_events.empty() ? nullptr : bodyOf<StepFinished>(m_events.back());
  Json figures = {{"running", m_state.running.size()}, {"waiting", m_state.waiting.size()}};
  if (finished == nullptr) return figures;
  figures["tokens"] = finished->tokens;
  figures["sampled"] = finished->sampled;
  figures["took"] = prose::duration(phasesNs(*finished));
  for (const std::int64_t ns : finished->phaseNs) figures["phases"].push_back(ns / 1000);  // microseconds
  return figures;
}

Json PageStory::machine() const {
  return {{"requests", requests()}, {"blocks", blocks()}, {"pool", pool()}, {"swap", swap()}};
}

// By sequence: each answer of a request has a card of its own.
Json PageStory::requests() const {
  Json json = Json::object();
  for (const auto& [id, sequence] : m_state.sequences)
    if (const auto request = m_state.requests.find(sequence.request); request != m_state.requests.end())
      json[std::to_string(id)] = requestOf(sequence, request->second);
  for (std::size_t i = 0; i < m_state.waiting.size(); ++i)
    json[std::to_string(m_state.waiting[i])]["place"] = i + 1;  // in the queue
  return json;
}

Json PageStory::requestOf(const SequenceState& sequence, const RequestState& request) const {
  const prose::RequestMark mark = prose::requestMark(request.id);
  Json json = {{"request", request.id},
               {"letter", letterOf(sequence.id)},
               {"colour", mark.colour},
               {"hatch", mark.hatch},
               {"name", request.name},
               {"group", groupOf(sequence.status)},
               {"status", prose::sequenceStatus(sequence)},
               {"progress", prose::sequenceProgress(sequence, request)},
               {"prompt", endOf(request.prompt)},
               {"text", sequence.text},
               {"blocks", sequence.blockTable.size()}};
  if (groupOf(sequence.status) == 1) json["reason"] = prose::whatItWaitsFor(sequence);
  return json;
}

// [filled tokens, references, 1 if cached, owners ...] of each block that is held or cached.
Json PageStory::blocks() const {
  std::map<BlockId, std::vector<SequenceId>> owners;
  for (const auto& [id, sequence] : m_state.sequences)
    for (const BlockId block : sequence.blockTable) owners[block].push_back(id);
  Json json = Json::object();
  for (std::size_t i = 0; i < m_state.blocks.size(); ++i) {
    const BlockState& block = m_state.blocks[i];
    if (block == BlockState()) continue;
    Json one = {block.filled, block.refCount, block.cached ? 1 : 0};
    for (const SequenceId owner : owners[static_cast<BlockId>(i)]) one.push_back(owner);
    json[std::to_string(i)] = std::move(one);
  }
  return json;
}

Json PageStory::pool() const {
  const auto used = std::ranges::count_if(m_state.blocks, [](const BlockState& b) { return b.refCount > 0; });
  const auto cached =
      std::ranges::count_if(m_state.blocks, [](const BlockState& b) { return b.refCount == 0 && b.cached; });
  return {{"used", used}, {"cached", cached}, {"held", heldTokens(m_state)}};
}

// By tier: its size, and what lies in it as [slot, sequence] one behind the other.
Json PageStory::swap() const {
  Json json = Json::object();
  for (int tier = 0; tier < kSwapTierCount; ++tier) {
    const int size = m_state.swapBlocks[static_cast<std::size_t>(tier)];
    if (size == 0) continue;
    Json held = Json::array();
    for (const auto& [id, sequence] : m_state.sequences)
      for (const SwappedBlock& block : sequence.swapped)
        if (block.tier == SwapTier(tier)) held.push_back({block.slot, id});
    json[nameOf(SwapTier(tier))] = {{"size", size}, {"held", std::move(held)}};
  }
  return json;
}

}  // namespace vitrine::page
