#include "widgets/session/token_texts.h"

#include <algorithm>

#include "widgets/support/token_ink.h"

namespace vitrine {

void TokenTexts::clear() {
  m_prompts.clear();
  m_requests.clear();
  m_outputs.clear();
  m_beamEnds.clear();
}

void TokenTexts::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    Texts& prompt = m_prompts[submitted->request];
    prompt = {};
    m_requests[submitted->firstSequence] = submitted->request;
    for (const std::string& piece : submitted->pieces)
      prompt.put(static_cast<int>(prompt.ends.size()), piece);
    prompt.bytes.shrink_to_fit();
    prompt.ends.shrink_to_fit();
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_requests[forked->child] = forked->request;
  } else if (const auto* sampled = bodyOf<TokenSampled>(event)) {
    Texts& output = m_outputs[sampled->sequence];
    output.put(sampled->position, inkOf(*sampled));
    if (hasName(*sampled)) output.names.push_back(sampled->position);
  } else if (const auto* replaced = bodyOf<SequenceReplaced>(event)) {
    m_outputs[replaced->sequence].names.clear();  // they are none of the other beam's tokens
  } else if (const auto* chosen = bodyOf<BeamChosen>(event)) {
    m_beamEnds[chosen->sequence] = chosen->piece;
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    const auto found = m_outputs.find(finished->sequence);
    if (found == m_outputs.end()) return;
    found->second.bytes.shrink_to_fit();
    found->second.ends.shrink_to_fit();
  }
}

// Tokens come in order. A repeated position replaces the first text; positions that were skipped stay empty.
void TokenTexts::Texts::put(int position, std::string_view text) {
  if (ends.empty()) firstPosition = position;
  if (position < firstPosition) return;
  const auto place = static_cast<std::size_t>(position - firstPosition);
  if (place < ends.size()) {
    bytes.resize(place == 0 ? 0 : ends[place - 1]);
    ends.resize(place);
    while (!names.empty() && names.back() >= position) names.pop_back();
  }
  ends.resize(place, static_cast<std::uint32_t>(bytes.size()));
  bytes += text;
  ends.push_back(static_cast<std::uint32_t>(bytes.size()));
}

std::string_view TokenTexts::Texts::between(int from, int to) const {
  const auto endBefore = [this](int position) -> std::size_t {
    const int tokens = std::clamp(position - firstPosition, 0, static_cast<int>(ends.size()));
    return tokens == 0 ? 0 : ends[static_cast<std::size_t>(tokens - 1)];
  };
  const std::size_t begin = endBefore(from);
  return std::string_view(bytes).substr(begin, endBefore(to) - begin);
}

QString TokenTexts::textOf(const SequenceState& state, int position) const {
  if (position < 0) return {};
  std::string_view text;
  // What was submitted comes first: behind the prompt it may have the beginning of the answer.
  if (const auto prompt = m_prompts.find(state.request); prompt != m_prompts.end())
    text = prompt->second.at(position);
  if (const auto output = m_outputs.find(state.id); text.empty() && output != m_outputs.end())
    text = output->second.at(position);
  if (!text.empty()) return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  if (static_cast<std::size_t>(position) >= state.tokens.size()) return {};
  return QStringLiteral("#%1").arg(state.tokens[static_cast<std::size_t>(position)]);
}

QString TokenTexts::textAt(SequenceId sequence, int position) const {
  const auto request = m_requests.find(sequence);
  if (request == m_requests.end() || position < 0) return {};
  std::string_view text;
  if (const auto output = m_outputs.find(sequence); output != m_outputs.end())
    text = output->second.at(position);
  if (const auto prompt = m_prompts.find(request->second); text.empty() && prompt != m_prompts.end())
    text = prompt->second.at(position);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// From the last name to the first: what stands behind a name is the text of the tokens after it.
std::string_view TokenTexts::writtenBy(const SequenceState& state, std::string& named) const {
  // The answer of a search is none of the tokens that its sequence had before.
  const auto beamEnd = m_beamEnds.find(state.id);
  if (state.status == SequenceStatus::kFinished && beamEnd != m_beamEnds.end())
    return beamEnd->second.empty() ? std::string_view(state.text)
                                   : std::string_view(named = state.text + beamEnd->second);
  const auto output = m_outputs.find(state.id);
  if (output == m_outputs.end() || output->second.names.empty()) return state.text;
  named = state.text;
  std::size_t place = state.text.size();
  int end = static_cast<int>(state.tokens.size());
  for (auto name = output->second.names.rbegin(); name != output->second.names.rend(); ++name) {
    if (*name >= end) continue;  // of a step after the one shown
    const std::size_t behind = output->second.between(*name + 1, end).size();
    if (behind > place) break;
    place -= behind;
    end = *name;
    named.insert(place, output->second.at(*name));
  }
  return named;
}

}  // namespace vitrine
