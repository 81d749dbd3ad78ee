#include "vitrine/submitted_request.h"

namespace vitrine {

Request submittedRequest(const RequestSubmitted& e) {
  Request request;
  request.name = e.name;
  request.prompt = e.prompt;
  request.tokenIds = e.tokenIds;
  request.sampling = e.sampling;
  request.maxTokens = e.maxTokens;
  request.ignoreEos = e.ignoreEos;
  request.stop = e.stop;
  request.sequences = e.sequences;
  request.bestOf = e.bestOf;
  request.beamWidth = e.beamWidth;
  request.lengthPenalty = e.lengthPenalty;
  request.earlyStopping = e.earlyStopping;
  request.priority = e.priority;
  request.deadlineMs = e.deadlineMs;
  request.logprobs = e.logprobs;
  request.cacheSalt = e.cacheSalt;
  request.outputIds = e.outputIds;
  return request;
}

}  // namespace vitrine
