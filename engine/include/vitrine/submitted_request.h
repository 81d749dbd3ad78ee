// The request that a RequestSubmitted event tells of, to be submitted again: by a resumed run, or changed, by
// a branch. Thread: any; no state. Read next: request.h, events/requests.h.
#pragma once

#include "vitrine/events/requests.h"

namespace vitrine {

// With the prompt as ids, and its text for people.
Request submittedRequest(const RequestSubmitted& event);

}  // namespace vitrine
