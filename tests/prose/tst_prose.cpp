// Events as sentences: all have one, they are true English, and every text passes the hook for translation.
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <set>

#include "vitrine/prose/event_prose.h"
#include "vitrine/prose/why.h"
#include "vitrine/prose/words.h"

using namespace vitrine;
using prose::describe;
using prose::explainStep;

namespace {

// One event of each kind, all its numbers 0.
template <std::size_t... I>
std::vector<Event> emptyEvents(std::index_sequence<I...>) {
  std::vector<Event> events(sizeof...(I));
  ((events[I].body = EventBody(std::in_place_index<I>)), ...);
  return events;
}
std::vector<Event> emptyEvents() {
  return emptyEvents(std::make_index_sequence<std::variant_size_v<EventBody>>());
}

Event eventOf(EventBody body, Phase phase = Phase::kAdmit) {
  Event event;
  event.phase = phase;
  event.body = std::move(body);
  return event;
}

// As the window names them: A, B, ...
prose::Names letters() {
  const auto letter = [](std::int32_t id) { return std::string(1, static_cast<char>('A' + id - 1)); };
  return {letter, letter};
}

class Marking : public prose::Language {
 public:
  std::string translate(const char* text, int) const override { return "⟦" + std::string(text) + "⟧"; }
};

// Says what it is for first, and writes numbers as in Germany.
class Backwards : public prose::Language {
 public:
  std::string translate(const char* text, int count) const override {
    if (text == std::string("%1 forks from %2 and shares its %3.")) return "%3: %2 -> %1";
    if (text == std::string("%n block(s)")) return count == 1 ? "%n Block" : "%n Blöcke";
    return text;
  }
  std::string number(std::int64_t value) const override { return "#" + std::to_string(value); }
  std::string decimal(double value, int digits) const override {
    return QString::fromStdString(Language::decimal(value, digits)).replace('.', ',').toStdString();
  }
};

// What stands outside of the marks.
QString unmarked(const std::string& text) {
  QString rest = QString::fromStdString(text);
  static const QRegularExpression innermost(QStringLiteral("⟦[^⟦⟧]*⟧"));
  for (QString before; before != rest;) {
    before = rest;
    rest.remove(innermost);
  }
  return rest;
}

struct Said {
  Event event;
  const char* title;
  const char* sentence;
};

RequestSubmitted submitted() {
  RequestSubmitted e{};
  e.request = e.firstSequence = 1;
  e.name = "letter";
  e.tokenIds.assign(12, 5);
  e.maxTokens = 8;
  e.sequences = 2;
  e.bestOf = 4;
  e.priority = 3;
  e.deadlineMs = 2;
  return e;
}

SequencePreempted preempted(PreemptReason reason, Preemption how, PreemptionCause cause) {
  SequencePreempted e{2, 1, 1, 0, 2, 8};
  e.reason = reason;
  e.how = how;
  e.cause = cause;
  e.swapBlocks = 2;
  e.swapRoom = 1;
  e.neededSlots = 1;
  return e;
}

std::vector<Said> requestSentences() {
  RequestFinished late{1, FinishReason::kLength, 12, 1, 0, 1, 0, 1'500'000, 2'400'000};
  late.deadlineMs = 2;
  late.lateNs = 400'000;
  late.missedDeadline = true;
  return {
      {eventOf(submitted()), "Request submitted",
       "A (letter) arrives: 12 prompt tokens, at most 8 new, 2 answers, best of 4, priority 3, "
       "deadline 2.0 ms."},
      {eventOf(RequestRejected{"big", "context_too_long", "the prompt has 99 tokens", "shorten it"}),
       "Request rejected", "“big” is rejected: the prompt has 99 tokens. Hint: shorten it."},
      {eventOf(RequestCancelled{1}), "Request cancelled", "A is cancelled."},
      {eventOf(RequestForgotten{1}), "Request forgotten",
       "The engine frees all that it kept of A, which has finished."},
      {eventOf(late), "Request finished",
       "A finishes after 2.4 ms: 1 generated token, the first after 1.5 ms, preempted 1 time. It missed its "
       "deadline of 2.0 ms by 400 µs."},
  };
}

std::vector<Said> waitingSentences() {
  using enum WaitReason;
  const auto waits = [](WaitReason reason, int needed, int available) {
    return eventOf(SequenceWaiting{2, reason, needed, available});
  };
  const char* const title = "Sequence waits";
  return {
      {waits(kBlocks, 3, 2), title, "B waits: needs 3 blocks, 2 free."},
      {waits(kBlocks, 1, 0), title, "B waits: needs 1 block, 0 free."},
      {waits(kSequences, 1, 0), title, "B waits: needs 1 slot, 0 free."},
      {waits(kSequences, 4, 2), title, "B waits: needs 4 slots, 2 free."},
      {waits(kTokenBudget, 30, 4), title, "B waits: needs 30 tokens, 4 left in this step's budget."},
      {waits(kPreemption, 2, 1), title,
       "B waits: this step preempts, so it admits none (2 blocks needed, 1 free)."},
      {waits(kBehind, 0, 0), title, "B waits: behind a blocked request (head-of-line blocking)."},
      {waits(kBatch, 3, 0), title, "B waits: the batch is closed, 3 sequences still running."},
      {waits(kBeams, 16, 8), title, "B waits: the first beam has computed 8 of 16 shared tokens."},
      {waits(kWindow, 50, 10), title, "B waits: batching window, 10 of 50 ms passed."},
  };
}

std::vector<Said> schedulingSentences() {
  using enum PreemptionCause;
  const auto memory = PreemptReason::kMemory;
  SequencePreempted itself = preempted(memory, Preemption::kRecompute, kOption);
  itself.forSequence = itself.sequence;
  SequenceAdmitted swapped{2, 0, 8, true, 7};
  return {
      {eventOf(SequenceAged{1, 64, 0}), "Sequence aged",
       "A has been in the engine for 64 steps, so it counts as due from now on (aging)."},
      {eventOf(SequenceAdmitted{1, 16, 20, false}), "Sequence admitted",
       "A is admitted with 20 tokens, 16 from the prefix cache, 4 to compute."},
      {eventOf(swapped), "Sequence resumed", "B resumes with 8 tokens, 7 to swap in, 1 to compute."},
      {eventOf(SequenceScheduled{1, WorkKind::kPrefill, 0, 16, 30}), "Prefill scheduled",
       "A prefills 16 tokens, positions 0 to 15; 14 tokens left for later steps."},
      {eventOf(SequenceScheduled{1, WorkKind::kPrefill, 16, 14, 30}), "Prefill scheduled",
       "A prefills 14 tokens, positions 16 to 29, and then samples its next token."},
      {eventOf(SequenceScheduled{1, WorkKind::kDecode, 30, 1, 31}), "Decode scheduled",
       "A decodes position 30."},
      {eventOf(SequenceScheduled{1, WorkKind::kDecode, 30, 2, 31, 1}), "Decode scheduled",
       "A decodes position 30 and verifies 1 draft token."},
      {eventOf(preempted(memory, Preemption::kRecompute, kOption)), "Sequence preempted",
       "B is preempted: A needs 1 block, 0 free. This frees 2 blocks; 8 tokens must be computed again."},
      {eventOf(itself), "Sequence preempted",
       "B is preempted: it needs 1 block, 0 free. This frees 2 blocks; 8 tokens must be computed again."},
      {eventOf(preempted(memory, Preemption::kSwap, kRoom)), "Sequence preempted",
       "B is preempted: A needs 1 block, 0 free. This frees 2 blocks and swaps out 2 blocks."},
      {eventOf(preempted(memory, Preemption::kRecompute, kNoRoom)), "Sequence preempted",
       "B is preempted: A needs 1 block, 0 free. This frees 2 blocks; 8 tokens must be computed again: "
       "swapping needs room for 2 blocks, 1 free."},
      {eventOf(preempted(memory, Preemption::kRecompute, kBeams)), "Sequence preempted",
       "B is preempted: A needs 1 block, 0 free. This frees 2 blocks; 8 tokens must be computed again: "
       "beams share blocks and are not swapped."},
      {eventOf(preempted(PreemptReason::kImportance, Preemption::kRecompute, kOption)), "Sequence preempted",
       "B is preempted: A ranks before it and needs 1 block (0 free) and 1 sequence slot (0 free). This "
       "frees 2 "
       "blocks; 8 tokens must be computed again."},
      {eventOf(KvForgotten{1, 1}), "KV discarded",
       "Without a KV cache A discards 1 computed token; the next step computes them again."},
      {eventOf(SequenceForked{1, 2, 1, 1, 1}), "Sequence forked", "B forks from A and shares its 1 block."},
      {eventOf(SequenceFinished{1, FinishReason::kStop, 3}), "Sequence finished",
       "A finishes after 3 tokens: stop token or string."},
  };
}

std::vector<Said> blockSentences() {
  return {
      {eventOf(BlockAllocated{5, 1, 0}), "Block allocated", "A allocates 1 block: 5."},
      {eventOf(BlockShared{5, 1, 0, 2}), "Block shared", "A shares block 5 (2 references)."},
      {eventOf(BlockHit{5, 1, 0, 1, 0x0123456789abcdefu}), "Prefix cache hit",
       "A finds 1 block in the prefix index: 5 (1 reference, hash 01234567)."},
      {eventOf(BlockCopied{5, 7, 1, 0}), "Block copied on write",
       "A writes into shared block 5, so it is copied to block 7 (copy-on-write)."},
      {eventOf(BlockCached{5, 0x0123456789abcdefu, 0}), "Block cached",
       "Block 5 is full and enters the prefix index (hash 01234567)."},
      {eventOf(BlockEvicted{5, 0x0123456789abcdefu}), "Block evicted",
       "Block 5 leaves the prefix index (hash 01234567)."},
      {eventOf(ContextEvicted{5, 1, 1, 16, 16, 0.25, 0}), "Context evicted",
       "The context of A is full: positions 16 to 31 are evicted with block 5 (least attention received: "
       "0.250)."},
      {eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 16, 38, 17, 12, 7, -1}), "Prefix missed",
       "B shares its first 17 tokens with A; then it has token 12 instead of token 7. Only whole blocks are "
       "reused, so 38 of its 54 tokens are computed again."},
      {eventOf(PrefixMissed{2, MissCause::kEvicted, 1, 16, 38, -1, -1, -1, 41}), "Prefix missed",
       "The block of A that continues the first 16 tokens of B was evicted in step 41. So 38 of its 54 "
       "tokens "
       "are computed again."},
      {eventOf(PrefixMissed{2, MissCause::kEvicted, 1, 0, 5, -1, -1, -1, 41}), "Prefix missed",
       "The block of A that B begins with was evicted in step 41. So 5 of its 5 tokens are computed again."},
      {eventOf(BlockFreed{5, 1, 0}), "Block freed", "A frees 1 block: 5."},
      {eventOf(BlockFreed{5, 1, 2}), "Block released",
       "A releases 1 block that other sequences hold: 5 (2 references left)."},
      {eventOf(BlockSwappedOut{5, 1, 0, SwapTier::kHost, 3, 65536}), "Block swapped out",
       "A swaps out block 5 (64.0 KiB) to memory slot 3."},
      {eventOf(BlockSwappedIn{5, 1, 0, SwapTier::kDisk, 3, 512}), "Block swapped in",
       "A swaps in block 5 (512 bytes) from file slot 3."},
      {eventOf(BlockDemoted{1, 2, 3, 4, 512}), "Swapped block moved to the file",
       "A swapped block of A, the one with index 2, moves from memory slot 3 to file slot 4."},
      {eventOf(SwapFailed{1, SwapMove::kIn, SwapTier::kDisk, 0, 7, "io", "its checksum differs", ""}),
       "Swapping failed", "Swapping in A failed: its checksum differs. 7 tokens must be computed again."},
      {eventOf(StepSwapped{2, 1, 0, 1024, 512, 0, 1'200'000, 1, 1}), "Step swapped",
       "Swapping took 1.2 ms: 2 blocks out (1.0 KiB), 1 on to the file (512 bytes), 0 in (0 bytes)."},
  };
}

std::vector<Said> stepSentences() {
  using enum DraftVerdict;
  return {
      {eventOf(StepStarted{1, 2}), "Step started", "1 sequence waiting, 2 running."},
      {eventOf(StepPlanned{2, 23, 64, 3}), "Step planned",
       "Plan for 3 sequences: 23 prefill + 2 decode = 25 of the budget of 64 tokens."},
      {eventOf(PhaseStarted{Phase::kForward}), "Phase started", "The phase Forward begins."},
      {eventOf(StepFinished{{0, 0, 0, 1'000'000, 0, 200'000}, 25, 3, 1, 2, 9, 4}), "Step finished",
       "Done in 1.2 ms: 25 tokens computed, 3 sampled; 9 blocks free, 4 of them cached."},
      {eventOf(TokenSampled{1, 42, 12, -0.5, " the\n"}), "Token sampled",
       "A samples “␣the↵” (token 42) at position 12 with probability 60.7 %."},
      {eventOf(LayerTap{1, 3, 2, 1.5f}), "Layer norm",
       "The hidden state of A at position 3 has the norm 1.500 after layer 2."},
      {eventOf(DraftProposed{1, DraftMethod::kNgram, 4, {5, 6}}), "Draft proposed",
       "The drafter proposes 2 tokens for A, from position 4 on."},
      {eventOf(DraftVerified{1, 4, 1, {{5, kSame, 0, 0, 0}, {6, kDiffers, 0, 0, 0}}}), "Draft verified",
       "A accepts 1 of 2 draft tokens; the model chooses another token than 6."},
      {eventOf(DraftVerified{1, 4, 1, {{5, kSame, 0, 0, 0, 5}, {6, kDiffers, 0, 0, 0, 9}}}), "Draft verified",
       "A accepts 1 of 2 draft tokens; the model chooses token 9 where the draft has token 6."},
      {eventOf(DraftVerified{1, 4, 0, {{6, kDiffers, 0.125, 0.5, 0.75, 9}, {7, kUndecided}}}),
       "Draft verified",
       "A accepts 0 of 2 draft tokens; with 0.750 the model draws token 9, the draft has 6: p/q = 12.5 % / "
       "50.0 %."},
      {eventOf(DraftVerified{1, 4, 0, {{5, kBeyond, 0.125, 0.5, 0.75}}}), "Draft verified",
       "A accepts 0 of 1 draft token; token 5 is rejected: p/q = 12.5 % / 50.0 %, and 0.750 was drawn."},
      {eventOf(DraftVerified{1, 4, 0, {{5, kBeyond, 0.125, 0.5, 0.75, 9}}}), "Draft verified",
       "A accepts 0 of 1 draft token; token 9 replaces 5: p/q = 12.5 % / 50.0 %, and 0.750 was drawn."},
      {eventOf(DraftRolledBack{1, 4, 2, 1}), "Draft rolled back",
       "A discards 2 tokens computed for rejected draft tokens, and frees 1 block."},
      {eventOf(StepSpeculated{1, 1, 3, 1, 2, 0, 1'000'000, 3'000'000}), "Step speculated",
       "Drafting took 1.0 ms and verifying 3.0 ms: 1 of 3 draft tokens accepted, 2 tokens for 1 sequence in "
       "all."},
      {eventOf(SequenceReplaced{2, 1, 3}), "Beam replaced",
       "B has no kept continuation: it takes over the tokens of A and shares its 3 blocks."},
      {eventOf(BeamChosen{1, 2, {5}, "five", -1.5}), "Beam answer",
       "A becomes hypothesis 2, with score -1.500."},
      {eventOf(AnswersRanked{1, {{2, -1.5, true}, {1, -2, false}}}), "Answers ranked",
       "A ranks its answers by score: B -1.500 (chosen), A -2.000."},
  };
}

std::vector<Said> allSentences() {
  std::vector<Said> all;
  for (const auto& some :
       {requestSentences(), waitingSentences(), schedulingSentences(), blockSentences(), stepSentences()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

// Two sequences in one step: B is admitted, A decodes, both allocate and sample.
std::vector<Event> stepEvents() {
  std::vector<Event> events = {
      eventOf(RequestCancelled{3}),
      eventOf(StepStarted{1, 1}),
      eventOf(SequenceAdmitted{2, 0, 20, false}),
      eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 0, 20, 5, 12, 7, -1}),
      eventOf(SequenceWaiting{4, WaitReason::kBehind, 0, 0}),
      eventOf(SequenceScheduled{1, WorkKind::kDecode, 16, 1, 17}, Phase::kPlan),
      eventOf(SequenceScheduled{2, WorkKind::kPrefill, 0, 20, 20}, Phase::kPlan),
      eventOf(StepPlanned{1, 20, 64, 2}, Phase::kPlan),
      eventOf(BlockAllocated{4, 1, 1}, Phase::kAllocate),
      eventOf(BlockAllocated{5, 2, 0}, Phase::kAllocate),
      eventOf(BlockAllocated{6, 2, 1}, Phase::kAllocate),
      eventOf(TokenSampled{1, 7, 17, 0, "a"}, Phase::kSample),
      eventOf(BlockCached{5, 1, 0}, Phase::kCommit),
      eventOf(SequenceFinished{1, FinishReason::kLength, 2}, Phase::kCommit),
      eventOf(BlockFreed{3, 1, 0}, Phase::kCommit),
      eventOf(BlockFreed{4, 1, 1}, Phase::kCommit),
      eventOf(StepFinished{{0, 0, 0, 2'000'000, 0, 0}, 21, 1, 1, 1, 7, 1}, Phase::kCommit),
      eventOf(RequestRejected{"big", "", "too long", ""}),
  };
  TokenCandidates candidates{1, 17, 7, {{"logits", 3, {}}}, {}};
  events.insert(events.begin() + 12, eventOf(candidates, Phase::kSample));
  return events;
}

MachineState stateAfter() {
  MachineState after;
  after.blockSize = 16;
  after.freeQueue = BlockQueue(7);
  for (BlockId block = 0; block < 7; ++block) after.freeQueue.pushBack(block);
  return after;
}

}  // namespace

class TestProse : public QObject {
  Q_OBJECT

 private slots:
  void everyEventHasATitleAndASentence() {
    static const QRegularExpression unfilled(QStringLiteral("%[n1-9]|\\(s\\)"));
    for (const Event& event : emptyEvents()) {
      const prose::EventProse said = describe(event);
      const QByteArray index = QByteArray::number(event.body.index());
      QVERIFY2(!said.title.empty() && !said.sentence.empty(), index);
      QVERIFY2(said.sentence.ends_with('.'), said.sentence.c_str());
      QVERIFY2(!QString::fromStdString(said.title + said.sentence).contains(unfilled), said.sentence.c_str());
    }
  }

  void theSentencesAreThese() {
    for (const Said& said : allSentences()) {
      const prose::EventProse prose = describe(said.event, letters());
      QCOMPARE(QString::fromStdString(prose.title), QString::fromUtf8(said.title));
      QCOMPARE(QString::fromStdString(prose.sentence), QString::fromUtf8(said.sentence));
    }
  }

  void theyAreShortAndPlain() {
    static const QRegularExpression dialect(
        QStringLiteral("\\b(who|whoever|someone|somebody|nobody|told|tell|gives? way|sister|lets? go)\\b"));
    for (const Said& said : allSentences())
      for (const QString& sentence : QString::fromUtf8(said.sentence).split(QStringLiteral(". "))) {
        QVERIFY2(sentence.size() <= 110, qPrintable(sentence));
        QVERIFY2(!sentence.contains(dialect), qPrintable(sentence));
      }
  }

  void everyTextPassesTheHook() {
    static const QRegularExpression punctuation(QStringLiteral("^[ .,]*$"));
    const Marking marking;
    for (const Event& event : emptyEvents()) {
      const prose::EventProse said = describe(event, {}, marking);
      QVERIFY2(unmarked(said.title).isEmpty(), said.title.c_str());
      QVERIFY2(said.sentence.starts_with("⟦"), said.sentence.c_str());
    }
    for (const Said& said : allSentences()) {
      const std::string text = describe(said.event, letters(), marking).sentence;
      QVERIFY2(unmarked(text).contains(punctuation), text.c_str());
    }
    for (const prose::WhyRow& row : explainStep(stepEvents(), stateAfter(), letters(), marking))
      QVERIFY2(unmarked(row.text).contains(punctuation), row.text.c_str());
    for (int phase = 0; phase < kPhaseCount; ++phase)
      QVERIFY(unmarked(prose::phaseName(static_cast<Phase>(phase), marking)).isEmpty());
  }

#ifdef VITRINE_LUPDATE
  // A translator sees what lupdate finds, so it must find each tr("...") of the room, in the hook's context.
  void lupdateFindsEveryText() {
    const QString room = QStringLiteral(VITRINE_SOURCE_DIR "/engine/prose");
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("prose.ts"));
    QProcess lupdate;
    lupdate.start(QStringLiteral(VITRINE_LUPDATE),
                  {"-silent", "-locations", "none", "-I", VITRINE_SOURCE_DIR "/engine", "-tr-function-alias",
                   "Q_DECLARE_TR_FUNCTIONS+=VITRINE_PROSE_CONTEXT", room, "-ts", file});
    QVERIFY(lupdate.waitForFinished() && lupdate.exitCode() == 0);
    QFile ts(file);
    QVERIFY(ts.open(QIODevice::ReadOnly));
    std::set<QString> found;
    for (QXmlStreamReader xml(&ts); !xml.atEnd();) {
      xml.readNextStartElement();
      if (xml.name() == u"name") QCOMPARE(xml.readElementText(), QString::fromUtf8(prose::kContext));
      if (xml.name() == u"source") found.insert(xml.readElementText());
    }
    static const QRegularExpression seam(QStringLiteral("\"\\s*\n\\s*\"")),
        text(QStringLiteral("\\btr\\(\\s*\"([^\"\\n]*)\""));
    int seen = 0;
    for (QDirIterator walk(room, {"*.cpp", "*_sentences.h"}); walk.hasNext();) {
      QFile source(walk.next());
      QVERIFY(source.open(QIODevice::ReadOnly));
      const QString code = QString::fromUtf8(source.readAll()).remove(seam);
      for (auto match = text.globalMatch(code); match.hasNext(); ++seen) {
        const QString literal = match.next().captured(1);
        QVERIFY2(found.contains(literal), qPrintable(literal));
      }
    }
    QVERIFY(seen > 150);
  }
#endif

  void translationsMayReorderTheirValues() {
    const Backwards backwards;
    const Event event = eventOf(SequenceForked{1, 2, 1, 1, 3});
    QCOMPARE(QString::fromStdString(describe(event, letters(), backwards).sentence),
             QStringLiteral("#3 Blöcke: A -> B"));
    QCOMPARE(prose::duration(12'300'000, backwards), "12,3 ms");
  }

  // "%2" in a name is text, not the place of the next value; "(s)" in one is no plural.
  void placeholdersInValuesAreText() {
    prose::Names names = letters();
    names.sequence = [](SequenceId) { return std::string("%2 %n token(s)"); };
    QCOMPARE(describe(eventOf(SequenceAged{1, 2, 0}), names).sentence,
             "%2 %n token(s) has been in the engine for 2 steps, so it counts as due from now on (aging).");
    QCOMPARE(describe(eventOf(TokenSampled{1, 7, 5, 0, "%3%4"}), names).sentence,
             "%2 %n token(s) samples “%3%4” (token 7) at position 5 with probability 100.0 %.");
  }

  void withoutNamesTheNumbersAreNames() {
    QCOMPARE(describe(eventOf(RequestCancelled{3})).sentence, "request 3 is cancelled.");
    QCOMPARE(describe(eventOf(SequenceForked{1, 2, 1, 1, 0})).sentence,
             "sequence 2 forks from sequence 1 and shares its 0 blocks.");
  }

  void tokensAreNamedByTheirTexts() {
    prose::Names names = letters();
    names.token = [](TokenId id, const PrefixMissed&) {
      return id == 12 ? std::string(" cat") : std::string();
    };
    const std::string sentence =
        describe(eventOf(PrefixMissed{2, MissCause::kDiffers, 1, 16, 38, 17, 12, 7, -1}), names).sentence;
    QVERIFY2(sentence.find("token 12 “␣cat” instead of token 7.") != std::string::npos, sentence.c_str());
  }

  void blocksInARowShareASentence() {
    std::vector<Event> run;
    for (const BlockId block : {3, 5, 6, 7, 8}) run.push_back(eventOf(BlockFreed{block, 1, 0}));
    for (const Event& event : run) QVERIFY(prose::inOneRun(run.front(), event));
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockFreed{9, 1, 1})));      // still held
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockFreed{9, 2, 0})));      // of another sequence
    QVERIFY(!prose::inOneRun(run.front(), eventOf(BlockAllocated{9, 1, 0})));  // another event
    const Event alone = eventOf(SequenceAged{1, 2, 0});
    QVERIFY(!prose::inOneRun(alone, alone));
    QCOMPARE(prose::describeRun(run, letters()).sentence, "A frees 5 blocks: 3, 5-8.");
    QCOMPARE(prose::describeRun({&alone, 1}, letters()).sentence, describe(alone, letters()).sentence);
  }

  void aBeamStepListsItsCandidates() {
    BeamStep step{1, 4, {}, {2}, 1, -1, -2, BeamEnd::kNoImprovement};
    step.candidates = {{1, 5, " a", -1, -1.5, -0.5, BeamFate::kKept, 2, 0},
                       {1, 6, "", -2, -2.5, -0.75, BeamFate::kFinished, 0, 3}};
    const prose::EventProse said = describe(eventOf(step), letters());
    QCOMPARE(
        said.sentence,
        "A compares 2 continuations at length 4: 1 kept, 1 complete, 0 pruned. The search ends: the best "
        "beam can reach -1.000, the worst hypothesis has -2.000.");
    const std::vector<std::string> lines = {
        "A + “␣a” (token 5): -1.5000, continues as B.",
        "A + “” (token 6): -2.5000, complete: hypothesis 3 with score -0.7500.",
        "Hypothesis 2 is displaced."};
    QCOMPARE(said.more, lines);
  }

  void theLoadedEngineSaysHowDraftsAreAccepted() {
    EngineLoaded loaded;
    QCOMPARE(describe(eventOf(loaded)).more.size(), std::size_t{1});
    loaded.speculation.drafter = DraftMethod::kNgram;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("A drawn draft token is accepted by rejection sampling."));
    loaded.speculation.acceptance = DraftAcceptance::kSameDraw;
    QCOMPARE(describe(eventOf(loaded)).more.back(),
             std::string("A drawn draft token is accepted if the model draws it too with the same random "
                         "number."));
  }

  void aStepIsExplainedByPhases() {
    using Row = prose::WhyRow;
    const auto admit = static_cast<int>(Phase::kAdmit), plan = static_cast<int>(Phase::kPlan),
               allocate = static_cast<int>(Phase::kAllocate), forward = static_cast<int>(Phase::kForward),
               sample = static_cast<int>(Phase::kSample), commit = static_cast<int>(Phase::kCommit);
    const std::vector<Row> expected = {
        {Row::kBefore, 0, "C is cancelled."},
        {admit, 2, "B is admitted with 20 tokens, 20 to compute."},
        {admit, 2,
         "B shares its first 5 tokens with A; then it has token 12 instead of token 7. Only whole blocks are "
         "reused, so 20 of its 20 tokens are computed again."},
        {admit, 4, "D waits: behind a blocked request (head-of-line blocking).", true},
        {plan, 0, "Plan for 2 sequences: 20 prefill + 1 decode = 21 of the budget of 64 tokens."},
        {plan, 2, "B prefills 20 tokens, positions 0 to 19, and then samples its next token."},
        {plan, 1, "A decodes its newest token, to sample the next one."},
        {allocate, 1, "A has filled its blocks and allocates 1 block; 9 free before."},
        {allocate, 2, "B allocates 2 blocks of 16 tokens for its first 20 tokens; 8 free before."},
        {forward, 0, "One forward pass computes 21 tokens of 2 sequences in 2.0 ms."},
        {sample, 1,
         "A samples “a” (token 7) at position 17 with probability 100.0 %. It was drawn from 3 candidates."},
        {commit, 1, "A finishes after 2 tokens: length limit."},
        {commit, 0, "Registers 1 full block in the prefix index, for prompts with the same beginning."},
        {commit, 1, "A frees 1 block and releases 1 that other sequences hold."},
        {Row::kAfter, 0, "“big” is rejected: too long.", true},
    };
    const std::vector<Row> rows = explainStep(stepEvents(), stateAfter(), letters());
    for (std::size_t i = 0; i < std::min(rows.size(), expected.size()); ++i) {
      QCOMPARE(rows[i].text, expected[i].text);
      QVERIFY2(rows[i] == expected[i], rows[i].text.c_str());
    }
    QCOMPARE(rows.size(), expected.size());
  }

  void numbersAreShort() {
    QCOMPARE(prose::duration(850), "1 µs");
    QCOMPARE(prose::duration(123'400'000), "123 ms");
    QCOMPARE(prose::duration(4'200'000'000), "4.20 s");
    QCOMPARE(prose::percent(0.00001), "< 0.1 %");
    QCOMPARE(prose::byteSize(1), "1 byte");
    QCOMPARE(prose::byteSize(std::int64_t{3} << 29), "1.5 GiB");
    QCOMPARE(prose::byteSize(std::int64_t{1} << 60), "1048576.0 TiB");
    QCOMPARE(prose::shortHash(0x0123456789abcdefu), "01234567");
  }

  void hiddenCharactersAreShown() {
    QCOMPARE(prose::visibleText(" a\t\r\n\x1b[0m\x7f"), "␣a⇥␍↵␛[0m␡");
    QCOMPARE(prose::visibleText("\u202eab\u0085\ufeff日é"), "‹202e›ab‹0085›‹feff›日é");
    QCOMPARE(prose::visibleText("\xe2\x80"), "\xe2\x80");  // half a character
  }
};

QTEST_APPLESS_MAIN(TestProse)
#include "tst_prose.moc"
