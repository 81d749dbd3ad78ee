#include "event_names.h"

#include <algorithm>

namespace vitrine::cli {
namespace {

std::string nameIn(const std::map<std::int32_t, std::string>& names, std::int32_t id, const char* what) {
  const auto found = names.find(id);
  return found == names.end() ? what + std::to_string(id) : found->second;
}

}  // namespace

void EventNames::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    noteRequest(*submitted);
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_sequences[forked->child] = request(forked->request) + "/" + std::to_string(forked->index + 1);
  }
}

// The steps of a beam search name sequences before they fork.
void EventNames::noteRequest(const RequestSubmitted& submitted) {
  m_requests[submitted.request] = m_sequences[submitted.firstSequence] = submitted.asked.name;
  const int answers =
      std::max({submitted.asked.sequences, submitted.asked.bestOf, submitted.asked.beamWidth});
  for (int index = 1; index < answers; ++index)
    m_sequences[submitted.firstSequence + index] = submitted.asked.name + "/" + std::to_string(index + 1);
  const std::size_t prompt = submitted.asked.tokenIds.size();
  const std::size_t known = std::min(submitted.pieces.size(), prompt + submitted.asked.outputIds.size());
  for (std::size_t i = 0; i < known; ++i)
    m_tokens[i < prompt ? submitted.asked.tokenIds[i] : submitted.asked.outputIds[i - prompt]] =
        submitted.pieces[i];
}

std::string EventNames::request(RequestId id) const { return nameIn(m_requests, id, "request "); }

std::string EventNames::sequence(SequenceId id) const { return nameIn(m_sequences, id, "sequence "); }

prose::Names EventNames::proseNames() const {
  return {[this](RequestId id) { return request(id); }, [this](SequenceId id) { return sequence(id); },
          [this](TokenId id, const PrefixMissed&) {
            const auto found = m_tokens.find(id);
            return found == m_tokens.end() ? std::string() : found->second;
          }};
}

}  // namespace vitrine::cli
