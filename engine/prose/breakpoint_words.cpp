#include "vitrine/prose/breakpoint_words.h"

#include <algorithm>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

// All that is said of a kind. %1: the sequence, or the request of an event that has none; %6: the event.
struct Row {
  String title, help, noun, reason;
};

struct BreakpointSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  Row rowOf(BreakKind kind) const {
    switch (kind) {
      case BreakKind::kAdmission:
        return {tr("next admission"), tr("A waiting sequence joins the running set."), tr("admission"),
                tr("%1 was admitted")};
      case BreakKind::kFirstPrefill:
        return {tr("first prefill chunk"), tr("A step computes the first tokens of a prompt."),
                tr("first prefill chunk"), tr("%1 computes the first chunk of its prompt")};
      case BreakKind::kBlockFull:
        return {tr("block full"), tr("A step computes the last slot of a block."), tr("block full"),
                tr("%1 fills a block, up to position %2")};
      case BreakKind::kPrefixHit:
        return {tr("prefix hit"), tr("A sequence finds a block in the prefix index."), tr("prefix hit"),
                tr("%1 finds block %3 in the prefix index")};
      case BreakKind::kPrefixMiss:
        return {tr("prefix miss"), tr("A prompt is computed again behind its cached beginning."),
                tr("prefix miss"), tr("a part of the prompt of %1 is computed again")};
      case BreakKind::kCopyOnWrite:
        return {tr("copy-on-write"), tr("A shared block is copied before a sequence writes into it."),
                tr("copy-on-write"), tr("%1 writes into shared block %3, which is copied")};
      case BreakKind::kPreemption:
        return {tr("preemption"), tr("A running sequence loses its blocks."), tr("preemption"),
                tr("%1 was preempted")};
      case BreakKind::kSwap:
        return {tr("swap"), tr("A block moves out of the pool, or back."), tr("swap"),
                tr("blocks of %1 are swapped")};
      case BreakKind::kDraftRejected:
        return {tr("draft rejected"), tr("The model rejects a draft token."), tr("draft rejected"),
                tr("the model rejected a draft token of %1, at position %2")};
      case BreakKind::kFinished:
        return {tr("request finished"), tr("A request ends."), tr("end"), tr("%1 has ended")};
      case BreakKind::kToken:
        return {tr("token…"), tr("A sequence samples a token, given by its text or its number."), tr("token"),
                tr("%1 sampled %4 at position %2")};
      case BreakKind::kEntropy:
        return {tr("entropy above…"), tr("The model is less certain of a token than a number of bits."),
                tr("entropy"), tr("the distribution of %1 at position %2 has %5 bits")};
      case BreakKind::kRequest:
        return {tr("request…"), tr("A request arrives, waits, is scheduled, preempted or ends."), tr("event"),
                tr("an event concerns %1")};
      case BreakKind::kStep:
        return {tr("step…"), tr("A step begins."), tr("step"), tr("a breakpoint names this step")};
      case BreakKind::kEvent:
        return {tr("event…"), tr("Any event of the run, given by its name in a trace."), tr("event"),
                tr("%6 (%1)")};
    }
    return {};
  }

  String subject(const BreakHit& hit) const {
    return hit.sequence != 0 ? sequence(hit.sequence) : request(hit.request);
  }
  String tokenOf(const Breakpoint& one) const {
    return one.token >= 0 ? String(tr("token %1").arg(one.token)) : tr("“%1”").arg(visibleText(one.text));
  }

  // "sequence preempted with reason "importance"".
  String eventOf(const Breakpoint& one) const {
    const String name = spaced(one.event);
    String fields;
    for (const auto& [field, value] : one.with)
      fields += (fields.empty() ? "" : ", ") + spaced(field) + " " + value;
    return fields.empty() ? name : String(tr("%1 with %2").arg(name, fields));
  }
  static String spaced(String name) {
    std::ranges::replace(name, '_', ' ');
    return name;
  }

  String text(const Breakpoint& one) const {
    String text = rowOf(one.kind).noun;
    if (one.kind == BreakKind::kToken) text = tokenOf(one);
    if (one.kind == BreakKind::kEntropy) text = tr("entropy above %1 bits").arg(decimal(one.bits, 1));
    if (one.kind == BreakKind::kStep) text = tr("step %1").arg(one.step);
    if (one.kind == BreakKind::kEvent) text = eventOf(one);
    const String of = one.request != 0 ? request(one.request) : one.requestName;
    return of.empty() ? text : tr("%1 of %2").arg(text, of);
  }

  // Only an admission may be a return.
  String happened(BreakKind kind, const BreakHit& hit) const {
    return kind == BreakKind::kAdmission && hit.resumed ? tr("%1 has resumed") : rowOf(kind).reason;
  }
  String nameOf(const std::string& event, const BreakHit& hit) const {
    return hit.resumed ? tr("sequence resumed") : spaced(event);
  }

  String reason(const BreakStop& stop) const {
    const BreakHit& hit = stop.hit;
    const Breakpoint& met = stop.breakpoint;
    if (met.kind == BreakKind::kStep && met.once) return tr("Reached step %1.").arg(hit.step);
    const Pattern where =
        hit.step == 0 ? tr("Stopped before the first step: %2.") : tr("Stopped at step %1: %2.");
    if (met.kind == BreakKind::kEvent && hit.sequence == 0 && hit.request == 0)
      return where.arg(hit.step, spaced(met.event));
    const Pattern pattern(happened(met.kind, hit), m_language);
    return where.arg(hit.step, pattern.arg(subject(hit), hit.position, hit.block, tokenOf(met),
                                           decimal(hit.bits, 2), nameOf(met.event, hit)));
  }
};

}  // namespace

BreakKindWords wordsOf(BreakKind kind, const Language& language) {
  const Names none;
  const Row row = BreakpointSentences(none, language).rowOf(kind);
  return {row.title, row.help};
}

std::string breakpointText(const Breakpoint& breakpoint, const Names& names, const Language& language) {
  return BreakpointSentences(names, language).text(breakpoint);
}

std::string stopReason(const BreakStop& stop, const Names& names, const Language& language) {
  return BreakpointSentences(names, language).reason(stop);
}

}  // namespace vitrine::prose
