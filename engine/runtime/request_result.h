// What a finished request's record becomes: the ranking of its answers, its last event, and its result.
//
// Functions of the record alone; each requires that the request has finished. Thread: the engine's. Read
// next: request_record.h.
#pragma once

#include "runtime/request_record.h"

namespace vitrine {

// Cumulative logprob / output tokens^length penalty; an answer without a token counts as one of a token.
double scoreOf(const Answer& answer);

// Best-of: stores each answer's score in its result. The best answers come first; of equal scores, the one
// drawn earlier.
AnswersRanked rankAnswers(RequestRecord& record);

RequestFinished finishedEvent(const RequestRecord& record, FinishReason reason);

// Request::sequences answers, best first. An answer that was never begun is empty.
RequestResult resultOf(const RequestRecord& record);

}  // namespace vitrine
