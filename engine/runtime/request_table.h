// RequestTable: the records of all requests that are not forgotten, and the ids given out so far.
//
// Invariant: request ids count up by one, and a request's sequences have consecutive ids, one for each answer
// or beam it may have. Thread: the engine's. Read next: request_record.h.
#pragma once

#include <map>
#include <memory>

#include "runtime/request_record.h"

namespace vitrine {

class RequestTable {
 public:
  using Records = std::map<RequestId, std::unique_ptr<RequestRecord>>;

  // Ids for the record that is added next.
  RequestId nextRequest() const { return m_lastRequest + 1; }
  SequenceId nextSequence() const { return m_lastSequence + 1; }

  // Requires a record with these ids. Calls submit(), and keeps the record when that returns; if it or the
  // allocation throws, nothing has changed.
  template <typename Submit>
  void add(std::unique_ptr<RequestRecord> record, const Submit& submit) {
    const auto entry = reserve(*record);
    try {
      submit();
    } catch (...) {
      m_records.erase(entry);
      throw;
    }
    keep(entry, std::move(record));
  }

  // Null when the request was forgotten. Throws EngineError(kInvalidArgument) for an id never given out.
  RequestRecord* find(RequestId request) const;
  // The same, and null when it has finished.
  RequestRecord* unfinished(RequestId request) const;
  // Requires a sequence of a request in the table.
  Answer& answerOf(const Sequence& sequence) const;

  // False when it is not in the table.
  bool forget(RequestId request) { return m_records.erase(request) > 0; }

  const Records& records() const { return m_records; }

 private:
  Records::iterator reserve(const RequestRecord& record);
  void keep(Records::iterator entry, std::unique_ptr<RequestRecord> record);

  Records m_records;
  RequestId m_lastRequest = 0;
  SequenceId m_lastSequence = 0;
};

}  // namespace vitrine
