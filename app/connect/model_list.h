// The models that a server offers (GET /v1/models), and what their list tells of the server. Reads bytes from
// outside: tests/fuzz/fuzz_chat_stream. Thread: any. Read next: server_kind.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connect/server_kind.h"

namespace vitrine::connect {

struct ServedModelName {
  std::string id;
  int contextLength = 0;  // tokens; 0: not told

  bool operator==(const ServedModelName&) const = default;
};

struct ModelList {
  ServerKind kind = ServerKind::kUnknown;
  std::vector<ServedModelName> models;
};

// Throws EngineError: kFileCorrupt for a text that is no list of models, kUnavailable for an empty one.
ModelList modelListOf(std::string_view body);

}  // namespace vitrine::connect
