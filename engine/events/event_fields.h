// Descriptions of the options that events carry. Those of events stand beside their structs.
#pragma once

#include "vitrine/description.h"
#include "vitrine/options.h"

namespace vitrine {

VITRINE_NAMES(EarlyStopping, "true", "heuristic", "never");
VITRINE_NAMES(Policy, "fcfs", "priority", "deadline");
VITRINE_NAMES(Eviction, "none", "sinks", "heavy");
VITRINE_NAMES(KvType, "same", "int8");
VITRINE_NAMES(Batching, "continuous", "static", "sequential", "window");
VITRINE_NAMES(DraftMethod, "off", "exit", "model", "ngram");
VITRINE_NAMES(Preemption, "recompute", "swap");

VITRINE_STRUCT(SpeculationOptions, "speculation_options", field("drafter", &T::drafter),
               field("draft_length", &T::draftLength), field("adaptive", &T::adaptive),
               field("exit_layer", &T::exitLayer), field("draft_model", &T::draftModel),
               field("ngram_length", &T::ngramLength));
VITRINE_STRUCT(SamplingOptions, "sampling_options", field("repetition_penalty", &T::repetitionPenalty),
               field("presence_penalty", &T::presencePenalty),
               field("frequency_penalty", &T::frequencyPenalty), field("temperature", &T::temperature),
               field("top_k", &T::topK), field("top_p", &T::topP), field("min_p", &T::minP),
               field("seed", &T::seed));

}  // namespace vitrine
