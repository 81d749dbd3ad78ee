// EngineError: what a user can cause (a broken file, an impossible request, a full disk).
//
// The message names the thing, the hint names the mend; both are plain English for the log, while the
// code lets a window translate. A bug is not an EngineError: it fails a VITRINE_CHECK (core/check.h).
// Thread: any. Read next: events/loading.h and events/requests.h, whose events carry such an error as data.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace vitrine {

enum class ErrorCode {
  kFileNotFound,
  kFileUnreadable,
  kFileCorrupt,      // the bytes contradict themselves: truncated, overlapping, not UTF-8
  kUnsupported,      // well formed, but a kind this engine does not know: an architecture, a rope type
  kInvalidArgument,  // an option or a request outside its range
  kContextTooLong,   // the prompt leaves no room in the model's context
  kOutOfMemory,      // a request can never fit the KV pool, or an allocation failed
  kUnavailable,      // needs a module or device that is not here
  kIo,               // writing failed: full disk, unwritable folder
  kCancelled,        // the user stopped a long operation
};

// Snake-case name as it stands in traces and in --json output ("file_not_found").
const char* errorCodeName(ErrorCode code);

class EngineError : public std::runtime_error {
 public:
  EngineError(ErrorCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), m_code(code), m_hint(std::move(hint)) {}

  ErrorCode code() const { return m_code; }
  const std::string& hint() const { return m_hint; }

 private:
  ErrorCode m_code;
  std::string m_hint;
};

}  // namespace vitrine
