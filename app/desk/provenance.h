// What an answer was computed with, as the history keeps it. Thread: any.
#pragma once

#include "history/chat_record.h"
#include "vitrine/event.h"
#include "vitrine/options.h"
#include "vitrine/request.h"

namespace vitrine {

// `options` are those of the machine, in the spelling of a scenario's file; so is the sampling.
Provenance provenanceOf(const EngineLoaded& engine, const EngineOptions& options, const Request& request);

}  // namespace vitrine
