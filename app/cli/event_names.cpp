#include "event_names.h"

namespace vitrine::cli {
namespace {

std::string nameIn(const std::map<std::int32_t, std::string>& names, std::int32_t id, const char* what) {
  const auto found = names.find(id);
  return found == names.end() ? what + std::to_string(id) : found->second;
}

}  // namespace

void EventNames::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_requests[submitted->request] = submitted->name;
    m_sequences[submitted->firstSequence] = submitted->name;
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_sequences[forked->child] = request(forked->request) + "/" + std::to_string(forked->index + 1);
  }
}

std::string EventNames::request(RequestId id) const { return nameIn(m_requests, id, "request "); }

std::string EventNames::sequence(SequenceId id) const { return nameIn(m_sequences, id, "sequence "); }

prose::Names EventNames::proseNames() const {
  return {[this](RequestId id) { return request(id); }, [this](SequenceId id) { return sequence(id); }};
}

}  // namespace vitrine::cli
