// The machine and model that computed an answer, as the history keeps them. Thread: any.
#pragma once

#include <optional>

#include "history/chat_record.h"
#include "vitrine/event.h"
#include "vitrine/options.h"
#include "vitrine/request.h"

namespace vitrine {

// `options` are those of the machine, in the spelling of a scenario's file; so is the sampling.
Provenance provenanceOf(const EngineLoaded& engine, const EngineOptions& options, const Request& request);

// The request again, without name and prompt. Nothing when the text is not one of a request: of another
// program, or of a later version.
std::optional<Request> requestOf(const Provenance& provenance);

}  // namespace vitrine
