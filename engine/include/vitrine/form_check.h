// The form that a request asks of its answers, read before there is a machine: whether it can be followed.
//
// Thread: any; a pure function. The largest grammars take longer than a frame of a window. Read next:
// request.h.
#pragma once

#include "vitrine/request.h"

namespace vitrine {

// The JSON schema of any object.
inline constexpr const char* kAnyObjectSchema = R"({"type":"object"})";

// Reads the request's grammar, in whichever form it is written, and nothing else of the request. Throws
// EngineError(kInvalidArgument), which names the place in it and what to do. A model may still have no token
// that begins such an answer: Engine::submit() says so. A request without a grammar is right.
void requireForm(const Request& request);

}  // namespace vitrine
