// Sentences about a request's life. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct RequestSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const RequestSubmitted& e) const {
    std::string subject = request(e.request);
    if (!e.asked.name.empty() && e.asked.name != requestName(e.request))
      subject = tr("%1 (%2)").arg(subject, e.asked.name);
    if (e.asked.tokenIds.empty())  // for an engine that is seen from outside
      return {tr("Request sent"), tr("%1 is sent to the server.").arg(subject)};
    std::string sentence = tr("%1 arrives: %n prompt token(s), at most %2 new", nullptr,
                              static_cast<int>(e.asked.tokenIds.size()))
                               .arg(subject, e.asked.maxTokens);
    if (!e.asked.outputIds.empty())
      sentence += tr(", %n of them given", nullptr, static_cast<int>(e.asked.outputIds.size()));
    if (e.asked.sequences > 1) sentence += tr(", %n answer(s)", nullptr, e.asked.sequences);
    if (e.asked.bestOf > e.asked.sequences) sentence += tr(", best of %1").arg(e.asked.bestOf);
    if (e.asked.searches()) sentence += tr(", beam width %1").arg(e.asked.beamWidth);
    if (e.asked.priority != 0) sentence += tr(", priority %1").arg(e.asked.priority);
    if (e.asked.deadlineMs > 0) sentence += tr(", deadline %1").arg(milliseconds(e.asked.deadlineMs));
    return {tr("Request submitted"), sentence + "."};
  }
  EventProse operator()(const RequestRejected& e) const {
    return {tr("Request rejected"), rejection(e.name, fault(e.message, e.hint))};
  }
  EventProse operator()(const RequestCancelled& e) const {
    return {tr("Request cancelled"), tr("%1 is cancelled.").arg(request(e.request))};
  }
  EventProse operator()(const SamplingChanged& e) const {
    return {tr("Sampling changed"), tr("%1 samples with new settings from its next token on: temperature %2.")
                                        .arg(request(e.request), decimal(e.sampling.temperature, 2))};
  }
  EventProse operator()(const RequestFinished& e) const {
    std::string sentence =
        tr("%1 finishes after %2: %3")
            .arg(request(e.request), duration(e.totalNs, m_language), generatedTokens(e.completionTokens));
    if (e.ttftNs > 0) sentence += tr(", the first after %1").arg(duration(e.ttftNs, m_language));
    if (e.preemptions > 0) sentence += tr(", preempted %n time(s)", nullptr, e.preemptions);
    sentence += ".";
    if (e.missedDeadline)
      sentence += " " + tr("It missed its deadline of %1 by %2.")
                            .arg(milliseconds(e.deadlineMs), duration(e.lateNs, m_language));
    return {tr("Request finished"), sentence};
  }
  EventProse operator()(const RequestForgotten& e) const {
    return {tr("Request forgotten"),
            tr("The engine frees all that it kept of %1, which has finished.").arg(request(e.request))};
  }

 private:
  String milliseconds(double ms) const { return duration(static_cast<std::int64_t>(ms * 1e6), m_language); }
  String generatedTokens(int count) const { return tr("%n generated token(s)", nullptr, count); }
};

}  // namespace vitrine::prose
