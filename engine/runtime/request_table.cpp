#include "runtime/request_table.h"

#include <string>

#include "core/check.h"

namespace vitrine {

RequestTable::Records::iterator RequestTable::reserve(const RequestRecord& record) {
  VITRINE_CHECK(record.id == nextRequest() && record.firstSequence == nextSequence());
  const auto [entry, isNew] = m_records.try_emplace(record.id, nullptr);
  VITRINE_CHECK(isNew);
  return entry;
}

void RequestTable::keep(Records::iterator entry, std::unique_ptr<RequestRecord> record) {
  m_lastRequest = record->id;
  m_lastSequence += record->request.sequenceSlots();
  entry->second = std::move(record);
}

RequestRecord* RequestTable::find(RequestId request) const {
  if (request < 1 || request > m_lastRequest)
    throw EngineError(ErrorCode::kInvalidArgument, "there is no request " + std::to_string(request));
  const auto found = m_records.find(request);
  return found == m_records.end() ? nullptr : found->second.get();
}

RequestRecord* RequestTable::unfinished(RequestId request) const {
  RequestRecord* const record = find(request);
  return record && !record->finished ? record : nullptr;
}

Answer& RequestTable::answerOf(const Sequence& sequence) const {
  return *m_records.at(sequence.request)->answers[static_cast<std::size_t>(sequence.index)];
}

}  // namespace vitrine
