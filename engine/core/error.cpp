#include "vitrine/error.h"

namespace vitrine {

const char* errorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kFileNotFound:
      return "file_not_found";
    case ErrorCode::kFileUnreadable:
      return "file_unreadable";
    case ErrorCode::kFileCorrupt:
      return "file_corrupt";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kContextTooLong:
      return "context_too_long";
    case ErrorCode::kOutOfMemory:
      return "out_of_memory";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kCancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace vitrine
