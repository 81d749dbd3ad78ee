// "Why this step?": the sentences must be true, plain, and hold the numbers.
#include <QTest>

#include "support/word_machine.h"
#include "widgets/explain/why_model.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

QString allText(const WhyModel& model) {
  QStringList lines;
  for (const WhyRow& row : model.rows()) lines << row.text;
  return lines.join(u'\n');
}

// The pool holds both prompts and no third block; a single block fits in memory, the others go to the file.
WordMachine swappingMachine() {
  SchedulerOptions options;
  options.numBlocks = options.blockSize = 4;
  options.prefixCache = false;
  WordMachine machine(options, 1, 8);
  machine.submit("first", 8, 4);
  machine.submit("second", 7, 12, 3);
  machine.step();
  return machine;
}

// Steps until such an event was published, and shows that step; false when none was.
template <typename Body>
bool stepTo(WordMachine& machine, Session& session) {
  while (machine.step()) {
    const std::vector<Event> events = machine.take();
    session.append(events);
    for (const Event& event : events)
      if (isA<Body>(event)) return true;
  }
  return false;
}

}  // namespace

class TestWhy : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale::c()); }
  void firstStepSaysHowManyBlocksThePromptNeeds();
  void waitingSaysWhatItNeedsAndWhatIsFree();
  void behindAndBatchPlacesAreNamed();
  void preemptionNamesBothAndWhatIsLost();
  void swappingSaysWhereTheBlocksGo();
  void aFailedSwapInHasItsReason();
  void beamsAreNotSwapped();
  void deadlinesAndAgeAreNamed();
  void anOpenWindowSaysForWhatItWaits();
  void theStoryHasEverythingInIt();
  void prefixHitSaysWhatIsSpared();
  void chunkedPrefillSaysWhatIsLeft();
  void forkSharesAndCopies();
  void sampledTokenSaysFromHowMany();
  void decodesShareARow();
  void draftsSayWhatTheyBroughtAndWhyTheyEnded();
  void endHasItsReason();
  void whatIsForgottenKeepsItsLetter();
  void arrivalsStandBeforeAndAfter();
  void phasesStandInOrder();
  void insideAStepTheRowsSoFarAreShown();
  void eachPhaseAddsToTheStory();
  void linksHaveTheirRequests();
  void linksStandWhereTheirWordsDo();
  void rowsSpeakOfWhatIsPointedAt();
  void aDecisionHasItsRule();
  void nothingForAnEmptySession();
};

#define HAS(text, part) QVERIFY2((text).contains(QStringLiteral(part)), qPrintable(text))

void TestWhy::firstStepSaysHowManyBlocksThePromptNeeds() {
  WordMachine machine(96, 16);
  machine.submit("one", 23, 4);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  const QString text = allText(model);
  HAS(text, "23 tokens");
  HAS(text, "2 blocks");
  HAS(text, "free before: 96 blocks");
  HAS(model.title(), "Step 1");
}

void TestWhy::waitingSaysWhatItNeedsAndWhatIsFree() {
  WordMachine machine(4, 16);
  machine.submit("one", 30, 8);
  machine.submit("two", 40, 8, 5);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "B waits: needs 3 blocks, free 2 at Admit");
  const auto row =
      std::find_if(model.rows().begin(), model.rows().end(), [](const WhyRow& r) { return r.warning; });
  QVERIFY(row != model.rows().end());
  QCOMPARE(row->letter, QStringLiteral("B"));
  QCOMPARE(row->section, static_cast<int>(Phase::kAdmit));
}

void TestWhy::behindAndBatchPlacesAreNamed() {
  WordMachine machine(40, 16, 64, 1);
  machine.submit("one", 10, 8);
  machine.submit("two", 10, 8);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "B waits: needs 1 slot, free 0 at Admit");
}

void TestWhy::preemptionNamesBothAndWhatIsLost() {
  WordMachine machine(5, 4);
  machine.submit("first", 8, 12);
  machine.submit("second", 4, 12, 3);
  Session session;
  WhyModel model(&session);
  for (bool seen = false; !seen;) {
    QVERIFY(machine.step());
    const auto events = machine.take();
    seen = std::any_of(events.begin(), events.end(),
                       [](const Event& e) { return std::holds_alternative<SequencePreempted>(e.body); });
    session.append(events);
  }
  HAS(allText(model), "B is preempted: A needs 1 block, free 0 at Plan");
  HAS(allText(model), " computed token");
  QVERIFY(!allText(model).contains(QLatin1String("B frees")));  // its row says so already
}

void TestWhy::swappingSaysWhereTheBlocksGo() {
  WordMachine machine = swappingMachine();
  Session session;
  WhyModel model(&session);
  QVERIFY(stepTo<SequencePreempted>(machine, session));
  HAS(allText(model), "This swaps out and frees 2 blocks.");
  HAS(allText(model), "the engine moves 1 block on to the file");
  QVERIFY(!allText(model).contains(QLatin1String("must be computed again")));
  QVERIFY(stepTo<BlockSwappedIn>(machine, session));
  HAS(allText(model), "B resumes with 8 tokens (7 of the prompt, 1 generated), 7 to swap in, 1 to compute");
  HAS(allText(model), "Cost of the preemption of B: 2 blocks (");
  HAS(allText(model), "B swaps in 2 blocks, 1 of them from the file");
}

void TestWhy::aFailedSwapInHasItsReason() {
  WordMachine machine = swappingMachine();
  machine.breakSwap();
  Session session;
  WhyModel model(&session);
  QVERIFY(stepTo<SwapFailed>(machine, session));
  HAS(allText(model), "Swapping in B failed: its checksum differs");
  HAS(allText(model), "7 tokens must be computed again");
}

void TestWhy::beamsAreNotSwapped() {
  WordMachine machine = swappingMachine();
  SequencePreempted beam{1, 1, 1, 0, 2, 8};
  beam.cause = PreemptionCause::kBeams;
  machine.say(beam, Phase::kPlan);
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "Beams share blocks and are not swapped");
}

void TestWhy::deadlinesAndAgeAreNamed() {
  SchedulerOptions options;
  options.numBlocks = 20;
  options.blockSize = 8;
  options.policy = Policy::kDeadline;
  options.agingSteps = 2;
  WordMachine machine(options);
  machine.submit("hurried", 12, 6, 0, 1, 2.0);
  machine.submit("patient", 12, 6);
  Session session;
  WhyModel model(&session);
  QVERIFY(stepTo<SequenceAged>(machine, session));
  HAS(allText(model), "B has been in the engine for 2 steps, so it counts as due from now on");
  QVERIFY(stepTo<RequestFinished>(machine, session));
  HAS(allText(model), "It missed its deadline of 2.0 ms by ");
}

void TestWhy::anOpenWindowSaysForWhatItWaits() {
  SchedulerOptions options;
  options.numBlocks = 20;
  options.blockSize = 8;
  options.batching = Batching::kWindow;
  WordMachine machine(options);
  machine.submit("alone", 12, 6);
  Session session;
  WhyModel model(&session);
  QVERIFY(stepTo<SequenceWaiting>(machine, session));
  HAS(allText(model), "A waits: 0 of 50 ms of the batching window have passed");
}

// What the tests of models and views rely on.
void TestWhy::theStoryHasEverythingInIt() {
  const WordMachine machine = test::storyMachine();
  const auto has = [&]<typename Body>(const Body*) {
    return std::any_of(machine.all().begin(), machine.all().end(),
                       [](const Event& event) { return isA<Body>(event); });
  };
  QVERIFY(has(static_cast<BlockHit*>(nullptr)));
  QVERIFY(has(static_cast<SequenceForked*>(nullptr)));
  QVERIFY(has(static_cast<BlockCopied*>(nullptr)));
  QVERIFY(has(static_cast<SequenceWaiting*>(nullptr)));
  QVERIFY(has(static_cast<SequencePreempted*>(nullptr)));
  QVERIFY(has(static_cast<BlockEvicted*>(nullptr)));
  QVERIFY(has(static_cast<RequestCancelled*>(nullptr)));
}

void TestWhy::prefixHitSaysWhatIsSpared() {
  WordMachine machine(20, 8);
  machine.submit("one", 20, 1);
  machine.run();
  machine.submit("two", 20, 3);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "B is admitted with 20 tokens, 16 from the prefix cache, 4 to compute");
}

void TestWhy::chunkedPrefillSaysWhatIsLeft() {
  WordMachine machine(20, 8, 16);
  machine.submit("one", 30, 3);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "14 tokens left for later steps");
}

void TestWhy::forkSharesAndCopies() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6, 0, 2);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "A2 forks from A1 and shares its 2 blocks");
  machine.step();  // both write into the half filled block
  session.append(machine.take());
  HAS(allText(model), "so it is copied to block");
}

void TestWhy::sampledTokenSaysFromHowMany() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "A samples “␣");
  HAS(allText(model), "drawn from 3 candidates");
  HAS(allText(model), "46.0 %");
}

void TestWhy::decodesShareARow() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.submit("two", 5, 6, 3);
  machine.step();
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "A, B decode one token each");
}

void TestWhy::draftsSayWhatTheyBroughtAndWhyTheyEnded() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.step();
  machine.step();
  const int end = static_cast<int>(machine.state().sequences.at(1).tokens.size());
  using enum DraftVerdict;
  machine.say(
      DraftVerified{1, end, 1, {{5, kSame, 0, 0, 0}, {6, kDiffers, 0, 0, 0}, {7, kUndecided, 0, 0, 0}}});
  machine.say(DraftVerified{1, end, 0, {{5, kBeyond, 0.125, 0.5, 0.75}}});
  machine.say(DraftVerified{1, end, 0, {{5, kDiffers, 0.25, 0.5, 0.625, 8}}});
  machine.say(DraftVerified{1, end, 2, {{5, kSame, 0, 0, 0}, {6, kSame, 0, 0, 0}}});
  machine.say(StepSpeculated{1, 1, 3, 1, 2, 0, 1'000'000, 3'000'000});
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  const QString text = allText(model);
  HAS(text, "A accepts 1 of 3 draft tokens. The model chooses another token than 6");
  HAS(text, "0.75");
  HAS(text, "With 0.625 drawn the model has token 8, the draft token 5 (25.0 % by the model, 50.0 % by");
  HAS(text, "A accepts 2 of 2 draft tokens.");
  HAS(text, "1 of 3 draft tokens accepted, 2 tokens for 1 sequence in all");
}

void TestWhy::endHasItsReason() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 2);
  machine.run();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "A finishes after 2 tokens, the most that it may generate");
  HAS(allText(model), "A has ended: it frees 2 blocks.");
}

void TestWhy::arrivalsStandBeforeAndAfter() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.step();
  machine.submit("two", 7, 2);
  machine.reject("three");
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rows().front().section, WhyRow::kBefore);
  HAS(model.rows().front().text, "A (one) arrives: 12 prompt tokens");
  QCOMPARE(model.rows().back().section, WhyRow::kAfter);
  HAS(model.rows().back().text, "“three” is rejected");
  session.goToStep(1);
  QVERIFY(model.rows().back().section != WhyRow::kAfter);
}

void TestWhy::phasesStandInOrder() {
  const WordMachine machine = test::storyMachine();
  Session session;
  WhyModel model(&session);
  session.append(machine.all());
  for (int step = 0; step <= session.lastStep(); ++step) {
    session.goToStep(step);
    QVERIFY(model.rowCount() > 0);
    for (int row = 0; row < model.rowCount(); ++row) {
      if (row > 0) QVERIFY(model.at(row - 1).section <= model.at(row).section);
      const QString& text = model.at(row).text;
      QVERIFY2(text.endsWith(u'.') || text.contains(u':'), qPrintable(text));
      QVERIFY2(!text.contains(QLatin1String("%1")) && !text.contains(QLatin1String("%n")), qPrintable(text));
      QVERIFY2(!text.contains(QLatin1String("(s)")), qPrintable(text));
      QVERIFY2(!text.contains(u'?'), qPrintable(text));  // an unknown sequence's letter
    }
  }
}

void TestWhy::insideAStepTheRowsSoFarAreShown() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.beginStep();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(model.title(), "Step 1 in progress, up to ");
  HAS(allText(model), "free before: 20 blocks");
  QVERIFY(!allText(model).contains(QLatin1String("samples “")));
}

// Held before each phase in turn, title and sentences say more each time.
void TestWhy::eachPhaseAddsToTheStory() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.step();
  Session session;
  WhyModel model(&session);
  std::vector<Event> upToPhase;
  int newest = WhyRow::kBefore;
  QStringList titles;
  for (const Event& event : machine.take()) {
    upToPhase.push_back(event);
    const auto* begun = bodyOf<PhaseStarted>(event);
    if (!begun && !isA<StepFinished>(event)) continue;
    session.append(std::exchange(upToPhase, {}));
    const int section = model.rows().back().section;
    QVERIFY(section >= newest);
    newest = section;
    if (begun) titles << model.title();
  }
  QCOMPARE(newest, static_cast<int>(Phase::kCommit));
  QCOMPARE(titles.size(), kPhaseCount);
  QCOMPARE(titles.removeDuplicates(), 0);
}

void TestWhy::whatIsForgottenKeepsItsLetter() {
  WordMachine machine(16, 8);
  machine.submit("one", 5, 2);
  machine.run();
  machine.forget(1);
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  HAS(allText(model), "A finishes after");
  HAS(allText(model), "The engine frees all that it kept of A, which has finished");
  QVERIFY(!allText(model).contains(u'?'));
}

void TestWhy::linksHaveTheirRequests() {
  const WordMachine machine = test::storyMachine();
  Session session;
  WhyModel model(&session);
  session.append(machine.all());
  int links = 0;
  for (int step = 0; step <= session.lastStep(); ++step) {
    session.goToStep(step);
    for (const WhyRow& row : model.rows())
      for (const SentenceLink& link : row.links) {
        QVERIFY(!link.target.isEmpty());
        QVERIFY2(link.target.sequence == 0 || link.target.request != 0, qPrintable(row.text));
        QVERIFY(link.begin >= 0 && link.length > 0 && link.begin + link.length <= row.text.size());
        ++links;
      }
  }
  QVERIFY(links > 100);
}

// Behind letters of two bytes, too.
void TestWhy::linksStandWhereTheirWordsDo() {
  WordMachine machine(20, 8);
  machine.submit("Übergrößenträger", 12, 2);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  QStringList words;
  for (const WhyRow& row : model.rows())
    for (const SentenceLink& link : row.links)
      if (row.text.contains(QStringLiteral("samples “"))) words << row.text.mid(link.begin, link.length);
  QCOMPARE(words, QStringList({"A", "12"}));  // behind "␣", which has three bytes
}

void TestWhy::rowsSpeakOfWhatIsPointedAt() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.submit("two", 5, 6, 3);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  const auto speaking = [&](const prose::Target& target) {
    int rows = 0;
    for (int row = 0; row < model.rowCount(); ++row) rows += model.speaksOf(row, target) ? 1 : 0;
    return rows;
  };
  const std::vector<BlockId> blocks = session.state().sequences.at(1).blockTable;
  QCOMPARE(speaking({.blocks = {blocks.at(0)}}), 2);  // allocated, and registered when it is full
  QCOMPARE(speaking({.blocks = {blocks.at(1)}}), 1);
  QCOMPARE(speaking({.blocks = {19}}), 0);
  QCOMPARE(speaking({.sequence = 1, .position = 12}), 1);  // sampled there
  QCOMPARE(speaking({.request = 9}), 0);
  QVERIFY(speaking({.request = 1}) >= 5);
  QCOMPARE(speaking({.request = 1}), speaking({.request = 1, .sequence = 1, .step = 1}));
  QCOMPARE(speaking({.request = 1, .sequence = 1, .step = 2}), 0);
  for (int row = 0; row < model.rowCount(); ++row)
    if (!model.about(row).isEmpty())
      QVERIFY2(model.speaksOf(row, model.about(row)), qPrintable(model.at(row).text));
}

void TestWhy::aDecisionHasItsRule() {
  WordMachine machine(4, 16);
  machine.submit("one", 30, 8);
  machine.submit("two", 40, 8, 5);
  machine.step();
  Session session;
  WhyModel model(&session);
  session.append(machine.take());
  QStringList rules;
  for (int row = 0; row < model.rowCount(); ++row)
    rules << model.index(row, WhyModel::kRule).data().toString();
  QVERIFY2(rules.contains(QStringLiteral("need 3 blocks <= free - promised = 2 -> false: wait")),
           qPrintable(rules.join(u'\n')));
  QVERIFY(rules.filter(QStringLiteral("slots 1 <= ")).size() == 1);
}

void TestWhy::nothingForAnEmptySession() {
  Session session;
  WhyModel model(&session);
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(!model.title().isEmpty());
}

QTEST_GUILESS_MAIN(TestWhy)
#include "tst_why.moc"
