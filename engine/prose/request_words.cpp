#include "vitrine/prose/request_words.h"

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

class RequestWords : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  RequestWords(const SequenceState& sequence, const Language& language)
      : Speaker(kNoNames, language),
        m_sequence(sequence),
        m_total(static_cast<int>(sequence.tokens.size())),
        m_output(m_total - sequence.promptTokens) {}

  String status() const {
    switch (m_sequence.status) {
      case SequenceStatus::kRunning:
        if (isPrefill())
          return tr("prefill: %1 of %2 tokens computed").arg(m_sequence.computedTokens, m_total);
        return tr("decode: %n token(s) generated", nullptr, m_output);
      case SequenceStatus::kFinished:
        return tr("%n token(s), %1", nullptr, m_output).arg(finish());
      case SequenceStatus::kPreempted:
        if (!m_sequence.wait) return tr("preempted, waits for the next step");
        return tr("preempted, waits: %1").arg(reason());
      case SequenceStatus::kSwapped:
        if (!m_sequence.wait) return tr("swapped out, waits for the next step");
        return tr("swapped out, waits: %1").arg(reason());
      case SequenceStatus::kWaiting:
        break;
    }
    return m_sequence.wait ? String(tr("waits: %1").arg(reason())) : String(tr("waits for the next step"));
  }

  String progress(const RequestState& request) const {
    switch (m_sequence.status) {
      case SequenceStatus::kRunning:
        if (isPrefill()) return tr("prefill %1 of %2").arg(m_sequence.computedTokens, m_total);
        return tr("%1 of %2").arg(m_output, request.maxTokens);
      case SequenceStatus::kFinished:
        if (m_sequence.finishReason != FinishReason::kStop &&
            m_sequence.finishReason != FinishReason::kLength)
          return finish();
        return tokens(m_output);
      case SequenceStatus::kPreempted:
        return tr("preempted");
      case SequenceStatus::kSwapped:
        return tr("swapped out");
      case SequenceStatus::kWaiting:
        break;
    }
    return tr("waits");
  }

  // The numbers are those of Admit. Beside a map of the step's end they need their moment: blocks may be
  // free again.
  String waitsFor() const {
    if (!m_sequence.wait) return tr("for the next step");
    if (m_sequence.wait->reason == WaitReason::kBlocks)
      return tr("needs %1 / free %2 at Admit").arg(m_sequence.wait->needed, m_sequence.wait->available);
    return reason();
  }

 private:
  // In decode one token is always missing: the newest token's KV is computed in the next step.
  bool isPrefill() const { return m_sequence.computedTokens + 1 < m_total; }
  String finish() const { return finishReason(m_sequence.finishReason, m_language); }
  String reason() const {
    const WaitState& wait = *m_sequence.wait;
    return waitReason({m_sequence.id, wait.reason, wait.needed, wait.available}, m_language);
  }

  const SequenceState& m_sequence;
  const int m_total, m_output;  // tokens
};

}  // namespace

std::string sequenceStatus(const SequenceState& sequence, const Language& language) {
  return RequestWords(sequence, language).status();
}
std::string sequenceProgress(const SequenceState& sequence, const RequestState& request,
                             const Language& language) {
  return RequestWords(sequence, language).progress(request);
}
std::string whatItWaitsFor(const SequenceState& sequence, const Language& language) {
  return RequestWords(sequence, language).waitsFor();
}

}  // namespace vitrine::prose
