// The item models: each a pure function of an event prefix, and each a well-behaved Qt model.
#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <functional>
#include <memory>
#include <set>

#include "support/word_machine.h"
#include "vitrine/trace.h"
#include "widgets/batch/batch_model.h"
#include "widgets/beams/beam_tree_model.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/explain/blocked_model.h"
#include "widgets/explain/event_log_model.h"
#include "widgets/explain/why_model.h"
#include "widgets/layers/launches_model.h"
#include "widgets/layers/operations_model.h"
#include "widgets/memory/block_map_model.h"
#include "widgets/memory/block_ranges_model.h"
#include "widgets/memory/block_table_model.h"
#include "widgets/memory/prefix_tree_model.h"
#include "widgets/plots/metrics_model.h"
#include "widgets/requests/lane_model.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/requests/text_model.h"
#include "widgets/sampler/sampler_model.h"
#include "widgets/sampler/uncertainty_model.h"
#include "widgets/speculation/speculation_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/table_export.h"
#include "widgets/time/time_axis_model.h"

using namespace vitrine;
using test::WordMachine;

namespace {

using MakeModel = std::function<std::unique_ptr<SessionModel>(Session*)>;

template <class Model>
MakeModel make() {
  return [](Session* session) { return std::make_unique<Model>(session); };
}

std::unique_ptr<SessionModel> makeRanges(Session* session) {
  auto* blocks = new BlockMapModel(session);
  auto ranges = std::make_unique<BlockRangesModel>(blocks);
  blocks->setParent(ranges.get());
  return ranges;
}

std::unique_ptr<SessionModel> makePrefixTree(Session* session) {
  auto* blocks = new BlockMapModel(session);
  auto tree = std::make_unique<PrefixTreeModel>(blocks);
  blocks->setParent(tree.get());
  return tree;
}

std::unique_ptr<SessionModel> makeLaunches(Session* session) {
  auto* operations = new OperationsModel(session);
  auto launches = std::make_unique<LaunchesModel>(operations);
  operations->setParent(launches.get());
  return launches;
}

// A story in which the first steps of the machine are those of a search too.
WordMachine beamStory() {
  WordMachine machine(12, 8, 32, 4);
  machine.submit("garden", 23, 14);
  RequestSubmitted search{};
  search.request = search.firstSequence = 50;
  search.asked.tokenIds = {1, 2, 3};
  search.asked.sequences = search.asked.beamWidth = 2;
  search.asked.maxTokens = 9;
  machine.say(search, Phase::kAdmit);
  for (int length = 1; length <= 9; ++length) {
    machine.beginStep();
    const bool ends = length == 9;
    using enum BeamFate;
    BeamStep step{
        50, length, {}, {}, ends ? 1 : 0, -1, ends ? -1.0 : 0.0, ends ? BeamEnd::kEnough : BeamEnd::kNone};
    for (int i = 0; i < 4; ++i)
      step.candidates.push_back({.parent = 50 + (length + i) % 2,
                                 .token = i,
                                 .piece = " word",
                                 .logprob = -1.0 - i,
                                 .cumulative = -1.0 * length - i,
                                 .score = -1.0 - i,
                                 .fate = ends ? (i == 0 ? kFinished : kTooLow) : (i < 2 ? kKept : kPruned),
                                 .sequence = ends || i >= 2 ? 0 : 50 + i,
                                 .hypothesis = ends && i == 0 ? 1 : 0});
    machine.say(step, Phase::kSample);
    machine.endStep();
  }
  return machine;
}

// Whether the model shows the machine at the cursor (true), or all that was recorded, and what it is shown.
// Of each of its first steps the operations were measured.
WordMachine measuredStory() {
  WordMachine machine(12, 8, 32, 4);
  machine.submit("garden", 23, 14);
  machine.say(RoofMeasured{{"Big GPU", 0, 100, {{1 << 30, 10}}, 0, 0, RoofPeak::kBf16Products}});
  for (int step = 1; step <= 6; ++step) {
    machine.beginStep();
    machine.say(ForwardMeasured{100 * step,
                                {{Operation::kQkv, 2, 60 * step, 4000, 8000},
                                 {Operation::kHead, 1, 40 * step, 900, 90}}},
                Phase::kForward);
    machine.say(LaunchesMeasured{LaunchWay::kGraph,
                                 1,
                                 1,
                                 2,
                                 {{LaunchWay::kEager, 12, 100 * step, {{Operation::kQkv, 0, 5, 60}}},
                                  {LaunchWay::kGraph, 1, 50 * step, {}}}},
                Phase::kForward);
    machine.endStep();
  }
  return machine;
}

struct ModelKind {
  MakeModel make;
  bool atCursor;
  WordMachine (*story)() = test::storyMachine;
};

void feed(Session& session, const std::vector<Event>& events, std::size_t batch) {
  for (std::size_t i = 0; i < events.size(); i += batch) {
    const auto end = std::min(events.size(), i + batch);
    session.append(
        {events.begin() + static_cast<std::ptrdiff_t>(i), events.begin() + static_cast<std::ptrdiff_t>(end)});
  }
}

std::vector<Event> upTo(const std::vector<Event>& events, int step) {
  std::vector<Event> prefix;
  for (const Event& event : events) {
    prefix.push_back(event);
    if (event.step == step && std::holds_alternative<StepFinished>(event.body)) break;
  }
  return prefix;
}

// A step in which a request alone has a draft of two tokens, as its first sequence has one.
void draftInStep(WordMachine& machine, RequestId request, int accepted) {
  using enum DraftVerdict;
  machine.beginStep();
  const MachineState state = machine.state();
  const SequenceState& sequence = state.sequences.at(state.requests.at(request).sequences.front());
  const auto end = static_cast<int>(sequence.tokens.size());
  const DraftVerdict first = accepted > 0 ? kSame : kDiffers;
  const DraftVerdict second = accepted > 1 ? kSame : accepted > 0 ? kDiffers : kUndecided;
  machine.say(DraftVerified{sequence.id, end, accepted, {{9, first}, {500, second}}}, Phase::kSample);
  machine.say(StepSpeculated{1, 1, 2, accepted, 1 + accepted, 0, 100, 200 + end}, Phase::kCommit);
  machine.endStep();
}

}  // namespace

Q_DECLARE_METATYPE(ModelKind)

class TestWidgetModels : public QObject {
  Q_OBJECT
 private slots:
  void pureFunctionOfThePrefix_data();
  void pureFunctionOfThePrefix();
  void newRunStartsOver_data() { pureFunctionOfThePrefix_data(); }
  void newRunStartsOver();
  void hiddenWatchersLetTheModelRest();
  void requestsSayWhyTheyWait();
  void requestsSayHowFarTheyAre();
  void requestsShowTheirNewestWords();
  void longTextsAreCutBetweenCharacters();
  void wordsStandWithoutTheMarkersOfAChat();
  void wordsHaveInk();
  void aTokenWithoutTextKeepsItsName();
  void theEndOfABeamKeepsItsName();
  void aBeamHasNoNamesOfTheOneItReplaced();
  void aTextWithoutNamesIsNotCopied();
  void siblingsShareACard();
  void aForgottenRequestLeavesTheListAndStaysInTheLog();
  void blocksShowOwnersFillAndFreeQueue();
  void blocksShowWhatTheStepDid();
  void lanesShowTheSchedule();
  void lanesShowPreemption();
  void lanesSayWhyASequenceWaits();
  void lanesTellTheFateOfDrafts();
  void lanesReadTheTokensOfAStep();
  void lanesKnowWhoLivesInSight();
  void metricsCountTheStep();
  void metricsSayHowTheRunWent();
  void metricsCountJudgedDrafts();
  void samplerSaysWhichStageRemoved();
  void samplerDoesNotGuessFromCutLists();
  void samplerKnowsABeam();
  void textTellsStepAndSurprise();
  void textTellsTheFateOfDrafts();
  void tipsArePlainText();
  void blockTableReadsTheTokens();
  void eventLogFilters();
  void eventLogSearchesBlocksRequestsAndSteps();
  void eventLogFollowsTheCursor();
  void everyEventHasWords();
  void wordsOfASentenceStayApart();
  void percentSignsInTextAreOnlyText();
};

void TestWidgetModels::pureFunctionOfThePrefix_data() {
  QTest::addColumn<ModelKind>("kind");
  QTest::newRow("requests") << ModelKind{make<RequestListModel>(), true};
  QTest::newRow("blocks") << ModelKind{make<BlockMapModel>(), true};
  QTest::newRow("block ranges") << ModelKind{makeRanges, true};
  QTest::newRow("prefix tree") << ModelKind{makePrefixTree, true};
  QTest::newRow("block table") << ModelKind{make<BlockTableModel>(), true};
  QTest::newRow("sampler") << ModelKind{make<SamplerModel>(), true};
  QTest::newRow("uncertainty") << ModelKind{make<UncertaintyModel>(), true};
  QTest::newRow("text") << ModelKind{make<TextModel>(), true};
  QTest::newRow("speculation") << ModelKind{make<SpeculationModel>(), true};
  QTest::newRow("operations") << ModelKind{make<OperationsModel>(), true, measuredStory};
  QTest::newRow("launches") << ModelKind{makeLaunches, true, measuredStory};
  QTest::newRow("batch") << ModelKind{make<BatchModel>(), true};
  QTest::newRow("beams") << ModelKind{make<BeamTreeModel>(), true, beamStory};
  QTest::newRow("why") << ModelKind{make<WhyModel>(), true};
  QTest::newRow("events") << ModelKind{make<EventLogModel>(), true};
  QTest::newRow("lanes") << ModelKind{make<LaneModel>(), false};
  QTest::newRow("metrics") << ModelKind{make<MetricsModel>(), false};
  QTest::newRow("blocked by") << ModelKind{make<BlockedModel>(), false};
  QTest::newRow("time axis") << ModelKind{make<TimeAxisModel>(), false};
}

void TestWidgetModels::pureFunctionOfThePrefix() {
  QFETCH(ModelKind, kind);
  WordMachine machine = kind.story();
  machine.run();
  machine.forget(1);
  const RequestId drafting = machine.submit("afterwards", 9, 16);
  for (int i = 0; i < 8; ++i) draftInStep(machine, drafting, i % 3);
  const SequenceId drafter = machine.state().requests.at(drafting).sequences.front();
  machine.run();
  Session whole;
  whole.selectSequence(1);
  const auto wholeModel = kind.make(&whole);
  feed(whole, machine.all(), machine.all().size());
  whole.selectSequence(1);
  whole.goToStep(5);
  QVERIFY(wholeModel->rowCount() > 0 || !kind.atCursor);
  whole.goLive();
  for (const std::size_t batch : {std::size_t{1}, std::size_t{3}, std::size_t{17}, std::size_t{200}}) {
    Session session;
    const auto model = kind.make(&session);
    QAbstractItemModelTester tester(model.get(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    session.selectSequence(1);
    feed(session, machine.all(), batch);
    session.selectSequence(1);
    whole.selectSequence(1);
    QCOMPARE(toCsv(*model), toCsv(*wholeModel));
    for (Session* one : {&session, &whole}) one->selectSequence(drafter);
    QCOMPARE(toCsv(*model), toCsv(*wholeModel));
    for (Session* one : {&session, &whole}) one->selectSequence(1);
    if (!kind.atCursor) continue;
    for (int step = session.lastStep(); step >= 1; step -= 4) {
      Session prefix;
      const auto fresh = kind.make(&prefix);
      feed(prefix, upTo(machine.all(), step), 50);
      prefix.selectSequence(1);
      session.goToStep(step);
      QCOMPARE(toCsv(*model), toCsv(*fresh));
    }
    int holds = 0;
    for (int step = session.lastStep(); batch == 17 && step >= 1; step -= 3) {
      for (session.goToStep(step - 1), session.goToNextPhase(); session.isInsideStep();
           session.goToNextPhase()) {
        Session prefix;
        const auto fresh = kind.make(&prefix);
        const auto end = machine.all().begin() + static_cast<std::ptrdiff_t>(session.shownEnd());
        feed(prefix, {machine.all().begin(), end}, 50);
        prefix.selectSequence(1);
        QVERIFY(prefix.isInsideStep());
        QCOMPARE(toCsv(*model), toCsv(*fresh));
        ++holds;
      }
      QCOMPARE(session.step(), step);
    }
    QVERIFY(batch != 17 || holds > 20);
    session.goLive();
    QCOMPARE(toCsv(*model), toCsv(*wholeModel));
  }
}

void TestWidgetModels::newRunStartsOver() {
  QFETCH(ModelKind, kind);
  const WordMachine old = kind.story();
  WordMachine fresh(20, 4);
  fresh.submit("fresh", 9, 4);
  fresh.step();
  fresh.step();
  Session session, clean;
  const auto model = kind.make(&session), expected = kind.make(&clean);
  QAbstractItemModelTester tester(model.get(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  feed(session, old.all(), 31);
  session.goToStep(2);
  feed(session, fresh.all(), 7);
  feed(clean, fresh.all(), 7);
  QCOMPARE(toCsv(*model), toCsv(*expected));
}

void TestWidgetModels::hiddenWatchersLetTheModelRest() {
  WordMachine machine(16, 8);
  machine.submit("one", 9, 9);
  Session session;
  RequestListModel model(&session);
  QObject view, other;
  model.setWatched(&view, false);
  QVERIFY(!model.isActive());
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 0);
  model.setWatched(&view, true);
  QCOMPARE(model.rowCount(), 1);
  {
    QObject passing;
    model.setWatched(&view, false);
    model.setWatched(&passing, true);
    QVERIFY(model.isActive());
  }
  QVERIFY(!model.isActive());
}

void TestWidgetModels::requestsSayWhyTheyWait() {
  WordMachine machine(4, 8);
  machine.submit("fits", 20, 4);
  machine.submit("waits", 20, 4);
  machine.submit("behind", 4, 4);
  Session session;
  RequestListModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.at(0).group, RequestGroup::kWaiting);
  machine.step();
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.at(0).letter, QStringLiteral("A"));
  QCOMPARE(model.at(0).group, RequestGroup::kRunning);
  QCOMPARE(model.at(0).computedTokens, 20);
  QCOMPARE(model.at(0).totalTokens, 21);
  QCOMPARE(model.at(0).blocks, 3);
  QCOMPARE(model.at(1).group, RequestGroup::kWaiting);
  QVERIFY2(model.at(1).status.contains(QLatin1String("needs 3 block")) &&
               model.at(1).status.contains(QLatin1String("free 1 at Admit")),
           qPrintable(model.at(1).status));
  QVERIFY2(model.at(2).status.contains(QLatin1String("head-of-line blocking")),
           qPrintable(model.at(2).status));
  machine.run();
  session.append(machine.take());
  for (int row = 0; row < 3; ++row) QCOMPARE(model.at(row).group, RequestGroup::kFinished);
  QCOMPARE(model.index(2, model.columnCount() - 1).data().toString(),
           QString::fromStdString(session.state().sequences.at(3).text));
}

void TestWidgetModels::requestsSayHowFarTheyAre() {
  WordMachine machine(6, 8, 24);
  machine.submit("runs", 12, 9);
  machine.submit("prefills", 23, 4, 5);
  machine.submit("waits", 20, 4, 7);
  Session session;
  RequestListModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.summary(), QStringLiteral("3 wait(s)"));
  QCOMPARE(model.at(0).progress, QStringLiteral("waits"));
  QCOMPARE(model.at(0).reason, QStringLiteral("for the next step"));
  machine.step();
  session.append(machine.take());
  QCOMPARE(model.summary(), QStringLiteral("2 run(s) · 1 wait(s)"));
  QCOMPARE(model.at(0).progress, QStringLiteral("1 of 9"));
  QCOMPARE(model.at(1).progress, QStringLiteral("prefill 12 of 23"));
  QCOMPARE(model.at(2).progress, QStringLiteral("waits"));
  const WaitState& wait = *session.state().sequences.at(3).wait;
  QCOMPARE(model.at(2).reason, waitReasonText({3, wait.reason, wait.needed, wait.available}));
  QVERIFY(model.at(0).reason.isEmpty() && model.at(1).reason.isEmpty());
  machine.run();
  session.append(machine.take());
  QCOMPARE(model.summary(), QStringLiteral("3 finished"));
  QCOMPARE(model.at(0).progress, QStringLiteral("9 tokens"));
  QCOMPARE(model.at(0).finishedAfter, 2);
  QCOMPARE(model.at(2).finishedAfter, 0);
}

void TestWidgetModels::requestsShowTheirNewestWords() {
  WordMachine machine(64, 8);
  machine.submit("one", 12, 200);
  machine.step();
  machine.step();
  Session session;
  RequestListModel model(&session);
  session.append(machine.take());
  const auto prompt = QString::fromStdString(session.state().requests.at(1).prompt);
  const auto answer = [&] {
    return QString::fromStdString(session.state().sequences.at(1).text).replace(u'\n', QChar(0x21b5));
  };
  NewestWords words = model.at(0).words;
  QCOMPARE(words.text, prompt + answer());
  QCOMPARE(words.answer, static_cast<int>(prompt.size()));
  const TokenSampled* newest = nullptr;
  for (const Event& event : session.stepEvents())
    if (const auto* sampled = bodyOf<TokenSampled>(event)) newest = sampled;
  QVERIFY(newest);
  QCOMPARE(words.text.size() - words.fresh, qsizetype(newest->text.size()));
  QVERIFY(!words.cutFront && !words.cutBack);
  machine.run();
  session.append(machine.take());
  words = model.at(0).words;
  QVERIFY(words.cutFront && words.text.size() <= 512 && words.text.size() >= 256);
  QVERIFY(answer().endsWith(words.text));
  QCOMPARE(words.answer, 0);
  session.goToStep(0);
  QCOMPARE(model.at(0).words.text, prompt);
  QCOMPARE(model.at(0).words.fresh, static_cast<int>(prompt.size()));
}

// A cut may fall into a character of several bytes, and the rest of a text begins where it did before.
void TestWidgetModels::longTextsAreCutBetweenCharacters() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "é漢";
  const NewestWords words = newestWords(text, "prompt", {});
  QVERIFY(words.cutFront && !words.text.contains(QChar::ReplacementCharacter));
  QVERIFY(QString::fromStdString(text).endsWith(words.text));
  text += "x";
  QCOMPARE(newestWords(text, "prompt", "x").text, words.text + u'x');
  const NewestWords prompt = newestWords({}, text, {});
  QVERIFY(prompt.cutBack && !prompt.text.contains(QChar::ReplacementCharacter));
  QVERIFY(QString::fromStdString(text).startsWith(prompt.text));
}

// A card shows the words, not the markers of a chat template, and a blank where the answer's text leaves it
// out.
void TestWidgetModels::wordsStandWithoutTheMarkersOfAChat() {
  const std::string chat = "<s><|user|>\nWho are you?</s>\n<|assistant|>\n";
  QCOMPARE(newestWords({}, chat, {}).text, QStringLiteral("Who are you?"));
  QCOMPARE(newestWords({}, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", {}).text,
           QStringLiteral("Hi"));
  QCOMPARE(newestWords({}, "a < b and </b>", {}).text, QStringLiteral("a < b and </b>"));
  QCOMPARE(newestWords({}, "</s>", {}).text, QStringLiteral("</s>"));  // there is nothing else
  const NewestWords words = newestWords("I am", chat, "am");
  QCOMPARE(words.text, QStringLiteral("Who are you? I am"));
  QCOMPARE(words.answer, 13);
  QCOMPARE(words.fresh, 15);
  QCOMPARE(newestWords(", and", "Once", {}).text, QStringLiteral("Once, and"));
  QCOMPARE(newestWords(" was", "It", {}).text, QStringLiteral("It was"));
}

void TestWidgetModels::wordsHaveInk() {
  NewestWords words = newestWords("</s>", "Once", "</s>");
  QCOMPARE(words.text, QStringLiteral("Once</s>"));
  QCOMPARE(words.answer, 4);
  QCOMPARE(words.fresh, 4);
  QCOMPARE(newestWords("a ", "Once ", " ").text, QStringLiteral("Once a␣"));
  words = newestWords("a\tb\n</s>", "Once ", "\n</s>");
  QCOMPARE(words.text, QStringLiteral("Once a⇥b↵</s>"));
  QCOMPARE(words.fresh, 8);
}

// The end of an answer and other tokens without text stay where they were sampled, also while a step is under
// way, in the past, and when the answer goes on or has finished.
void TestWidgetModels::aTokenWithoutTextKeepsItsName() {
  WordMachine machine(32, 8);
  machine.submit("one", 9, 4);
  Session session;
  LaneModel lanes(&session);
  RequestListModel requests(&session);
  TextModel text(&session);
  std::vector<std::string> words;
  const auto hear = [&] {
    std::vector<Event> events = machine.take();
    for (Event& event : events) {
      auto* sampled = std::get_if<TokenSampled>(&event.body);
      if (!sampled || sampled->sequence != 1) continue;
      if (words.size() % 2 == 1) sampled->text.clear(), sampled->piece = "</s>";  // the second and the fourth
      words.push_back(sampled->text + sampled->piece);
    }
    session.append(events);
  };
  const auto answer = [&] { return requests.at(0).words.text.mid(requests.at(0).words.answer).trimmed(); };
  const auto fresh = [&] { return requests.at(0).words.text.mid(requests.at(0).words.fresh).trimmed(); };
  const auto upTo = [&](std::size_t tokens) {
    std::string joined;
    for (std::size_t i = 0; i < tokens; ++i) joined += words[i];
    return QString::fromStdString(joined).trimmed();
  };
  machine.step();
  hear();
  session.selectSequence(1);
  machine.beginStep();
  hear();
  QCOMPARE(lanes.textAt(0, 2), QString());
  QCOMPARE(answer(), upTo(1));
  machine.endStep();
  for (std::size_t tokens = 2; tokens <= 4; ++tokens) {
    hear();
    QCOMPARE(words.size(), tokens);
    QCOMPARE(answer(), upTo(tokens));
    QCOMPARE(fresh(), QString::fromStdString(words.back()).trimmed());
    machine.step();
  }
  machine.submit("two", 5, 3, 5);
  machine.step();
  hear();
  QCOMPARE(requests.at(0).group, RequestGroup::kFinished);
  QCOMPARE(answer(), upTo(4));
  QCOMPARE(fresh(), QString());
  for (const int step : {4, 3, 2, 1}) {
    session.goToStep(step);
    QCOMPARE(answer(), upTo(static_cast<std::size_t>(step)));
    for (const int named : {2, 4}) QCOMPARE(lanes.textAt(0, named), QStringLiteral("</s>"));
  }
  session.goLive();
  for (const int row : {10, 12})
    QCOMPARE(text.index(row, TextModel::kText).data().toString(), QStringLiteral("</s>"));
}

// What a beam had sampled before is none of the answer that the search chose.
void TestWidgetModels::theEndOfABeamKeepsItsName() {
  WordMachine machine(32, 8);
  machine.submit("one", 9, 4);
  machine.step();
  machine.step();
  Session session;
  RequestListModel requests(&session);
  const auto hear = [&] {
    std::vector<Event> events = machine.take();
    for (Event& event : events)
      if (auto* sampled = std::get_if<TokenSampled>(&event.body))
        sampled->text.clear(), sampled->piece = "<x>";
    session.append(events);
  };
  const auto answer = [&] { return requests.at(0).words.text.mid(requests.at(0).words.answer).trimmed(); };
  hear();
  QCOMPARE(answer(), QStringLiteral("<x><x>"));
  machine.beginStep();
  machine.endStep();
  machine.say(BeamChosen{1, 1, {5, 6}, "Hi there", -1, "</s>"}, Phase::kSample);
  machine.say(SequenceFinished{1, FinishReason::kStop, 2}, Phase::kSample);
  hear();
  QCOMPARE(requests.at(0).group, RequestGroup::kFinished);
  QCOMPARE(answer(), QStringLiteral("Hi there</s>"));
  session.goToStep(2);
  QCOMPARE(answer(), QStringLiteral("<x><x>"));
}

void TestWidgetModels::aBeamHasNoNamesOfTheOneItReplaced() {
  WordMachine machine(32, 8);
  machine.submit("one", 9, 6, 0, 2);
  machine.step();
  machine.step();
  Session session;
  RequestListModel requests(&session);
  std::vector<Event> events = machine.take();
  for (Event& event : events)
    if (auto* sampled = std::get_if<TokenSampled>(&event.body); sampled && sampled->sequence == 2)
      sampled->text.clear(), sampled->piece = "<x>";
  session.append(events);
  QVERIFY(requests.at(1).words.text.endsWith(QStringLiteral("<x><x>")));
  machine.say(SequenceReplaced{2, 1, 0}, Phase::kSample);
  session.append(machine.take());
  QCOMPARE(requests.at(1).words.text, requests.at(0).words.text);
}

// Thirty times a second for each request: the text of an answer is copied only where a name is put in.
void TestWidgetModels::aTextWithoutNamesIsNotCopied() {
  WordMachine machine(32, 8);
  machine.submit("one", 9, 4);
  machine.step();
  Session session;
  session.append(machine.take());
  const SequenceState& sequence = session.state().sequences.at(1);
  std::string named;
  QVERIFY(!sequence.text.empty());
  QVERIFY(static_cast<const void*>(session.writtenText(sequence, named).data()) == sequence.text.data());
}

void TestWidgetModels::siblingsShareACard() {
  WordMachine machine(32, 8);
  machine.submit("three", 12, 9, 0, 3);
  machine.submit("alone", 12, 3, 5);
  machine.step();
  Session session;
  RequestListModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 4);
  QVERIFY(model.at(0).siblings.contains(QStringLiteral("A1, A2, A3")));
  QVERIFY(model.at(3).siblings.isEmpty());
  QCOMPARE(model.summary(), QStringLiteral("2 run(s)"));
  QCOMPARE(model.at(2).index, 2);
}

// The list is what the machine holds; the log is what happened.
void TestWidgetModels::aForgottenRequestLeavesTheListAndStaysInTheLog() {
  WordMachine machine(16, 8);
  machine.submit("one", 5, 3, 0, 2);
  machine.run();
  machine.submit("two", 5, 3);
  machine.forget(1);
  machine.step();
  Session session;
  RequestListModel requests(&session);
  EventLogModel events(&session);
  LaneModel lanes(&session);
  session.append(machine.take());
  QCOMPARE(requests.rowCount(), 1);
  QCOMPARE(requests.at(0).name, QStringLiteral("two"));
  QCOMPARE(lanes.rowCount(), 3);
  events.setSearch(QStringLiteral("request:A2"));
  QVERIFY(events.rowCount() > 0);
  for (int row = 0; row < events.rowCount(); ++row) {
    const QString line = events.index(row, EventLogModel::kText).data().toString();
    QVERIFY2(line.contains(QStringLiteral("A2")) && !line.contains(u'?'), qPrintable(line));
  }
  session.goBack();
  QCOMPARE(requests.rowCount(), 2);
}

void TestWidgetModels::blocksShowOwnersFillAndFreeQueue() {
  WordMachine machine(8, 8);
  machine.submit("one", 12, 4);
  machine.step();
  Session session;
  BlockMapModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 8);
  QCOMPARE(model.counts().used, 2);
  QCOMPARE(model.at(0).letters, QStringLiteral("A"));
  QCOMPARE(model.at(0).filled, 8);
  QVERIFY(model.at(0).cached);
  QCOMPARE(model.at(1).filled, 4);
  QVERIFY(!model.at(1).cached);
  QCOMPARE(model.freePlace(0), -1);
  QCOMPARE(model.freePlace(2), 0);
  QCOMPARE(model.freePlace(7), 5);
  QVERIFY(model.describe(0).contains(u'A'));
  QCOMPARE(model.describe(-1), QString());
  QCOMPARE(model.describe(8), QString());
}

void TestWidgetModels::blocksShowWhatTheStepDid() {
  WordMachine machine(8, 8);
  machine.submit("one", 12, 1);
  machine.run();
  machine.submit("same beginning", 12, 4);
  machine.step();
  Session session;
  BlockMapModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.at(0).change, BlockChange::kHit);
  QCOMPARE(model.at(0).letters, QStringLiteral("B"));
  session.goToStep(1);
  QCOMPARE(model.at(0).change, BlockChange::kFreed);
  QCOMPARE(model.at(0).refCount, 0);
  QVERIFY(model.at(0).cached);
  QCOMPARE(model.counts().cachedFree, 1);
  QCOMPARE(model.at(5).change, BlockChange::kNone);
}

void TestWidgetModels::lanesShowTheSchedule() {
  WordMachine machine(16, 8, 16);
  machine.submit("long", 30, 3);
  machine.submit("short", 5, 2);
  machine.run();
  Session session;
  LaneModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.firstStep(), 1);
  QCOMPARE(model.cell(0, 1).kind, LaneKind::kPrefill);
  QCOMPARE(model.cell(0, 1).tokens, 16);
  QVERIFY(!model.cell(0, 1).sampled);
  QCOMPARE(model.cell(0, 2).tokens, 14);
  QVERIFY(model.cell(0, 2).sampled);
  QCOMPARE(model.cell(0, 3).kind, LaneKind::kDecode);
  QVERIFY(model.cell(0, 4).finished);
  QCOMPARE(model.cell(0, 5).kind, LaneKind::kNone);
  QCOMPARE(model.cell(7, 1).kind, LaneKind::kNone);
  QVERIFY(model.describe(0, 1).contains(QLatin1String("16")));
}

void TestWidgetModels::lanesShowPreemption() {
  WordMachine machine(5, 4);
  machine.submit("first", 8, 12);
  machine.submit("second", 4, 12, 3);
  machine.run();
  Session session;
  LaneModel model(&session);
  RequestListModel requests(&session);
  session.append(machine.take());
  int preempted = 0, waited = 0;
  for (int step = 1; step <= session.lastStep(); ++step) {
    preempted += model.cell(1, step).kind == LaneKind::kPreempted ? 1 : 0;
    waited += model.cell(1, step).kind == LaneKind::kWaiting ? 1 : 0;
  }
  QVERIFY(preempted >= 1);
  QVERIFY(waited >= 1);
  QCOMPARE(requests.at(1).preemptions, preempted);
}

void TestWidgetModels::lanesSayWhyASequenceWaits() {
  WordMachine machine(4, 8);
  machine.submit("fits", 20, 6);
  machine.submit("waits", 20, 4, 5);
  machine.run();
  Session session;
  LaneModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.waitAt(0, 1), nullptr);
  const LaneWait* wait = model.waitAt(1, 1);
  QVERIFY(wait);
  QCOMPARE(wait->reason, WaitReason::kBlocks);
  QCOMPARE(wait->needed, 3);
  QCOMPARE(wait->available, 1);
  QCOMPARE(model.waitAt(1, 3)->needed, 3);  // told once, and true since then
  const QString words = waitReasonText({2, WaitReason::kBlocks, 3, 1});
  QVERIFY2(model.describe(1, 3).contains(words), qPrintable(model.describe(1, 3)));
  QVERIFY(model.data(model.index(1, 0)).toString().contains(words));
  int last = 1;
  while (model.cell(1, last).kind == LaneKind::kWaiting) ++last;
  QCOMPARE(model.waitAt(1, last), nullptr);
}

void TestWidgetModels::lanesTellTheFateOfDrafts() {
  WordMachine machine(20, 8);
  machine.submit("one", 12, 6);
  machine.step();
  machine.step();
  const int end = static_cast<int>(machine.state().sequences.at(1).tokens.size());
  using enum DraftVerdict;
  machine.say(
      DraftVerified{1, end, 1, {{5, kSame, 0, 0, 0}, {6, kDiffers, 0, 0, 0}, {7, kUndecided, 0, 0, 0}}});
  Session session;
  LaneModel model(&session);
  session.append(machine.take());
  QCOMPARE(int(model.cell(0, 2).drafted), 3);
  QCOMPARE(int(model.cell(0, 2).accepted), 1);
  QCOMPARE(int(model.cell(0, 1).drafted), 0);
  QVERIFY2(model.describe(0, 2).contains(QLatin1String("1 of 3 draft")), qPrintable(model.describe(0, 2)));
}

void TestWidgetModels::lanesReadTheTokensOfAStep() {
  WordMachine machine(32, 8, 16);
  machine.submit("long", 30, 3);
  machine.run();
  Session session;
  LaneModel model(&session);
  session.append(machine.take());
  QVERIFY2(model.textAt(0, 1).startsWith(QStringLiteral("␣the")), qPrintable(model.textAt(0, 1)));  // a chunk
  for (int step = 2; step <= 4; ++step)
    for (const Event& event : session.recording().eventsOf(step))
      if (const auto* sampled = bodyOf<TokenSampled>(event))
        QCOMPARE(model.textAt(0, step), visibleToken(sampled->text));
  QCOMPARE(model.textAt(0, 5), QString());
  QCOMPARE(model.textAt(3, 2), QString());
  WordMachine half(32, 8);
  half.submit("one", 9, 3);
  half.beginStep();
  session.append(half.take());
  QVERIFY(model.textAt(0, 1).startsWith(QStringLiteral("␣the")));
  half.endStep();
  session.append(half.take());
  QVERIFY(!model.textAt(0, 1).isEmpty());
  QVERIFY2(!model.textAt(0, 1).contains(QStringLiteral("the␣")), qPrintable(model.textAt(0, 1)));
}

void TestWidgetModels::lanesKnowWhoLivesInSight() {
  WordMachine machine(64, 8, 64, 4);
  for (int i = 0; i < 60; ++i) {
    machine.submit("request", 5, 3 + i % 40, i % 20, i % 7 == 0 ? 2 : 1);
    for (int k = 0; k < 5; ++k) machine.step();
    if (i % 9 == 8) machine.cancel(i);
  }
  machine.run();
  Session session;
  LaneModel model(&session);
  feed(session, machine.all(), 97);
  const int last = session.lastStep();
  QVERIFY(last > 300);
  for (int first = 1; first <= last; first += 13) {
    for (const int width : {0, 5, 150}) {
      std::vector<int> expected;
      for (int lane = 0; lane < model.rowCount(); ++lane) {
        const Lane& row = model.lanes()[static_cast<std::size_t>(lane)];
        const int end = row.firstStep + static_cast<int>(row.cells.size()) - 1;
        if (row.firstStep <= first + width && end >= first) expected.push_back(lane);
      }
      QCOMPARE(model.lanesIn(first, first + width), expected);
    }
  }
}

void TestWidgetModels::metricsCountTheStep() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 3);
  machine.submit("two", 6, 3, 4);
  machine.run();
  Session session;
  MetricsModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 3);
  const MetricsRow& first = model.rows().front();
  QCOMPARE(first.step, 1);
  QCOMPARE(first.sequences, 2);
  QCOMPARE(first.prefillTokens, 18);
  QCOMPARE(first.sampled, 2);
  QCOMPARE(first.usedBlocks, 3);
  const double ns = static_cast<double>(first.durationNs);
  QCOMPARE(first.tokensPerSecond, static_cast<float>(2e9 / ns));
  QCOMPARE(first.stepRate(), 2e9 / ns);
  QCOMPARE(first.tokenBudget, 64);
  QCOMPARE(first.budgetUsed(), 18.0 / 64);
  QCOMPARE(model.rows()[1].decodeTokens, 2);
}

// Against the events themselves, looked through once for each step.
void TestWidgetModels::metricsSayHowTheRunWent() {
  WordMachine machine = test::storyMachine();
  machine.submit("with a known beginning", 24, 9);
  machine.submit("its sibling", 24, 9);
  machine.run();
  machine.submit("the same again", 24, 30);
  machine.run();
  const std::vector<Event> events = machine.all();
  Session session;
  MetricsModel model(&session);
  session.append(machine.take());
  std::int64_t prompt = 0, cached = 0, sampled = 0;
  std::vector<StepFinished> finished;
  for (const Event& event : events) {
    if (const auto* admitted = bodyOf<SequenceAdmitted>(event); admitted && !admitted->resumed) {
      prompt += admitted->totalTokens;
      cached += admitted->cachedTokens;
    }
    sampled += isA<TokenSampled>(event) ? 1 : 0;
    const auto* step = bodyOf<StepFinished>(event);
    if (!step) continue;
    finished.push_back(*step);
    const MetricsRow* row = model.rowOf(event.step);
    QVERIFY(row);
    QVERIFY(std::abs(row->prefixHits.value() - static_cast<double>(cached) / static_cast<double>(prompt)) <
            1e-4);
    QVERIFY(std::isnan(row->draftsAccepted.value()));
    QVERIFY((row->itl50 != 0) == (sampled > 1) || sampled < 3);
    QVERIFY(row->ttft50 <= row->ttft95 && row->itl50 <= row->itl95);
    std::int64_t ns = 0, tokens = 0;
    for (std::size_t i = finished.size() - std::min(finished.size(), StepRate::kSteps); i < finished.size();
         ++i) {
      ns += phasesNs(finished[i]);
      tokens += finished[i].sampled;
    }
    QCOMPARE(row->tokensPerSecond,
             static_cast<float>(static_cast<double>(tokens) * 1e9 / static_cast<double>(ns)));
  }
  QVERIFY(cached > 0);
  QCOMPARE(model.rowOf(session.lastStep() + 1), nullptr);
  QCOMPARE(model.rowOf(-3), nullptr);
}

void TestWidgetModels::metricsCountJudgedDrafts() {
  using enum DraftVerdict;
  WordMachine machine(16, 8);
  machine.submit("one", 12, 3);
  machine.beginStep();
  machine.say(
      DraftVerified{1, 12, 1, {{1, kSame, 0, 0, 0}, {2, kDiffers, 0, 0, 0}, {3, kUndecided, 0, 0, 0}}},
      Phase::kSample);
  machine.endStep();
  Session session;
  MetricsModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rows().front().draftsAccepted.value(), 0.5);
}

void TestWidgetModels::samplerSaysWhichStageRemoved() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 3);
  machine.step();
  Session session;
  SamplerModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.stages(), 4);
  QCOMPARE(model.rowCount(), 6);
  QCOMPARE(model.position(), 12);
  QVERIFY(model.at(0).chosen);
  QCOMPARE(model.at(0).removedAt, -1);
  QCOMPARE(model.at(5).removedAt, 2);
  QCOMPARE(model.at(3).removedAt, 3);
  QCOMPARE(model.keptAt(3), 3);
  QVERIFY(model.at(0).text.startsWith(QChar(0x2423)));
  double sum = 0;
  for (int row = 0; row < 6; ++row) sum += std::max(0.0, model.at(row).probabilities[3]);
  QVERIFY(std::abs(sum - 1) < 1e-6);
}

void TestWidgetModels::samplerDoesNotGuessFromCutLists() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 3);
  machine.step();
  // The second stage keeps 100 but lists one: the other may well be among the 99.
  machine.say(
      TokenCandidates{
          1, 13, 4, {{"logits", 100, {{4, 0.5f}, {5, 0.4f}}}, {"top_k", 100, {{4, 0.6f}}}}, {"a"}},
      Phase::kSample);
  Session session;
  SamplerModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.at(1).removedAt, -1);
  QCOMPARE(model.at(1).text, QStringLiteral("#5"));
}

void TestWidgetModels::samplerKnowsABeam() {
  WordMachine machine(16, 8);
  machine.submit("drawn", 12, 3);
  RequestSubmitted searched{};
  searched.request = 2;
  searched.asked.tokenIds = {1, 2, 3};
  searched.asked.maxTokens = 4;
  searched.asked.sequences = 2;
  searched.firstSequence = 2;
  searched.asked.beamWidth = 2;
  machine.say(searched, Phase::kAdmit);
  Session session;
  SamplerModel model(&session);
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  session.append(machine.take());
  session.selectSequence(1);
  QVERIFY(!model.isOfBeam());
  const auto before = resets.count();
  session.selectSequence(2);
  QVERIFY(model.isOfBeam());
  QCOMPARE(resets.count(), before + 1);  // so that a view shows the change
  session.selectSequence(1);
  QVERIFY(!model.isOfBeam());
}

void TestWidgetModels::textTellsStepAndSurprise() {
  WordMachine machine(16, 8, 8);
  machine.submit("one", 12, 4);
  machine.submit("two", 5, 3, 4);
  machine.run();
  Session session;
  TextModel model(&session);
  session.append(machine.take());
  session.selectSequence(1);
  QCOMPARE(model.rowCount(), 16);
  QCOMPARE(model.promptTokens(), 12);
  QCOMPARE(model.at(0).text, QStringLiteral(" the"));
  QCOMPARE(model.at(11).fate, TokenFate::kPrompt);
  QVERIFY(model.at(11).step == 0 && model.at(11).surprise < 0);
  QCOMPARE(model.at(12).fate, TokenFate::kSampled);
  QCOMPARE(model.at(12).step, 2);  // the budget cuts its prompt into two chunks
  QVERIFY(std::abs(model.at(12).surprise + std::log2(0.46f)) < 2e-3f);
  QCOMPARE(model.plainText(), QString::fromStdString(session.state().requests.at(1).prompt +
                                                     session.state().sequences.at(1).text));
  session.goToStep(1);
  QCOMPARE(model.rowCount(), 12);
  QVERIFY(model.at(0).computed && model.at(7).computed && !model.at(8).computed);
  session.goToStep(3);
  QCOMPARE(model.rowCount(), 14);
  QVERIFY(model.at(13).now && !model.at(12).now && !model.at(5).computed);
  QVERIFY2(model.describe(13).contains(QLatin1String("step 3")), qPrintable(model.describe(13)));
  QVERIFY(model.summary().startsWith(u'A') && model.summary().endsWith(QLatin1String("2 of 4")));
  session.selectSequence(2);
  QCOMPARE(model.promptTokens(), 5);
  session.selectSequence(99);
  QCOMPARE(model.rowCount(), 0);
  QVERIFY(model.summary().isEmpty());
}

void TestWidgetModels::textTellsTheFateOfDrafts() {
  using enum DraftVerdict;
  WordMachine machine(16, 8);
  machine.submit("one", 12, 6);
  machine.step();
  const auto speculate = [&](int accepted, std::vector<DraftJudgement> judgements) {
    machine.beginStep();
    machine.say(DraftVerified{1, static_cast<int>(machine.state().sequences.at(1).tokens.size()), accepted,
                              std::move(judgements)},
                Phase::kSample);
    machine.endStep();
  };
  speculate(1, {{9, kSame, 0, 0, 0}, {6, kDiffers, 0, 0, 0}});                                   // step 2
  speculate(0, {{4, kDiffers, 0, 0, 0}, {9, kUndecided, 0, 0, 0}, {500, kUndecided, 0, 0, 0}});  // step 3
  machine.step();
  Session session;
  TextModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 16);  // what a past step rejected is gone
  QCOMPARE(model.at(12).fate, TokenFate::kSampled);
  QCOMPARE(model.at(13).fate, TokenFate::kAccepted);
  QCOMPARE(model.at(14).fate, TokenFate::kModel);
  QCOMPARE(model.at(15).fate, TokenFate::kSampled);
  session.goToStep(3);
  QCOMPARE(model.rowCount(), 18);
  QCOMPARE(model.at(14).fate, TokenFate::kRejected);
  QCOMPARE(model.at(14).position, 14);
  QCOMPARE(model.at(15).fate, TokenFate::kUnjudged);
  QCOMPARE(model.at(15).text, QStringLiteral("#9"));  // no event of a drafter says its text
  QCOMPARE(model.at(16).text, QStringLiteral("#500"));
  QCOMPARE(model.at(17).fate, TokenFate::kModel);
  QVERIFY(model.at(17).now && model.at(14).now && !model.at(13).now);
  QVERIFY(!model.plainText().contains(QLatin1String("#500")));
  session.goToStep(2);
  QCOMPARE(model.rowCount(), 15);
  QCOMPARE(model.at(13).fate, TokenFate::kAccepted);
  QCOMPARE(model.at(14).fate, TokenFate::kRejected);
  QCOMPARE(model.at(14).token, 6);
}

// A name that looks like markup is shown as it is, and the lines of a tip stay apart.
void TestWidgetModels::tipsArePlainText() {
  WordMachine machine(16, 8);
  machine.submit("<b>bold</b>", 5, 6);
  machine.step();
  Session session;
  RequestListModel requests(&session);
  session.append(machine.take());
  const QString said = requests.index(0, 0).data(Qt::ToolTipRole).toString();
  QVERIFY2(!said.contains(QLatin1String("<b>")) && said.contains(QLatin1String("<br>")), qPrintable(said));
}

void TestWidgetModels::blockTableReadsTheTokens() {
  WordMachine machine(16, 8);
  machine.submit("one", 12, 3);
  machine.step();
  Session session;
  BlockTableModel model(&session);
  session.append(machine.take());
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.at(0).tokens, 8);
  QCOMPARE(model.at(1).tokens, 4);
  QCOMPARE(model.at(1).firstPosition, 8);
  QVERIFY(model.at(0).text.startsWith(QStringLiteral("␣the")));
  session.selectSequence(99);
  QCOMPARE(model.rowCount(), 0);
}

void TestWidgetModels::eventLogFilters() {
  const WordMachine machine = test::storyMachine();
  Session session;
  EventLogModel model(&session);
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  feed(session, machine.all(), 40);
  QCOMPARE(model.rowCount(), static_cast<int>(machine.all().size()));
  model.setKinds(1u << static_cast<unsigned>(EventKind::kRequest));
  const int requests = model.rowCount();
  QVERIFY(requests >= 10 && requests < 20);
  model.setSearch(QStringLiteral("CANCEL"));
  QCOMPARE(model.rowCount(), 1);
  model.setSearch({});
  model.setKinds(0);
  QCOMPARE(model.rowCount(), 0);
  model.setKinds(~0u);
}

// Against the events' fields as a trace has them.
void TestWidgetModels::eventLogSearchesBlocksRequestsAndSteps() {
  const WordMachine machine = test::storyMachine();
  Session session;
  EventLogModel model(&session);
  feed(session, machine.all(), 40);
  const auto found = [&model](const QString& text) {
    model.setSearch(text);
    QList<qint64> numbers;
    for (int row = 0; row < model.rowCount(); ++row) numbers << model.at(row).number;
    return numbers;
  };
  const auto naive = [&machine](const auto& fits) {
    QList<qint64> numbers;
    for (const Event& event : machine.all())
      if (fits(event, QJsonDocument::fromJson(QByteArray::fromStdString(eventToJson(event)))["data"]))
        numbers << event.number;
    return numbers;
  };
  int copies = 0;
  for (int block = 0; block < static_cast<int>(session.state().blocks.size()); ++block)
    QCOMPARE(
        found(QStringLiteral("block:%1").arg(block)), naive([&](const Event& event, const QJsonValue& data) {
          copies += isA<BlockCopied>(event) ? 1 : 0;
          return data["block"].toInt(-1) == block ||
                 (isA<BlockCopied>(event) && (data["from"].toInt() == block || data["to"].toInt() == block));
        }));
  QVERIFY(copies > 0);
  QSet<int> own;  // the third request's: two answers
  for (const Event& event : machine.all()) {
    const auto* submitted = bodyOf<RequestSubmitted>(event);
    const auto* forked = bodyOf<SequenceForked>(event);
    if (submitted && submitted->request == 3) own += submitted->firstSequence;
    if (forked && forked->request == 3) own += forked->child;
  }
  QCOMPARE(own.size(), 2);
  QCOMPARE(found("request:c"), naive([&](const Event&, const QJsonValue& data) {
             const int owner = data["request"].toInt();
             return owner != 0 ? owner == 3 : own.contains(data["sequence"].toInt());
           }));
  QCOMPARE(found("step:3 allocated"), naive([](const Event& event, const QJsonValue&) {
             return event.step == 3 && isA<BlockAllocated>(event);
           }));
  QVERIFY(found("block:x").isEmpty());  // these are words, and no line has them
  QCOMPARE(found("  ").size(), static_cast<qsizetype>(machine.all().size()));
}

void TestWidgetModels::eventLogFollowsTheCursor() {
  const WordMachine machine = test::storyMachine();
  Session session;
  EventLogModel model(&session);
  feed(session, machine.all(), 500);
  session.goToStep(3);
  QVERIFY(model.rowCount() > 0);
  QCOMPARE(model.at(model.rowCount() - 1).step, 3);
  session.goToStep(5);
  QCOMPARE(model.at(model.rowCount() - 1).step, 5);
}

void TestWidgetModels::everyEventHasWords() {
  WordMachine machine = test::storyMachine();
  machine.reject("big");
  machine.say(EngineFailed{"io", "the disk is full", "free some space"});
  machine.say(EventsDropped{12});
  machine.say(LayerTap{1, 3, 2, 1.5f});
  machine.say(ForwardMeasured{1000, {{Operation::kHead, 1, 900, 64, 128}}});
  machine.changeSampling(1);
  std::vector<Event> events(machine.all().begin(), machine.all().end());
  for (EventBody body : std::initializer_list<EventBody>{
           // this machine does without most of it
           SequenceAged{1, 64, -1},
           KvForgotten{1, 3},
           ContextEvicted{1, 1, 0, 16, 16, 0, 0},
           DraftProposed{1, DraftMethod::kNgram, 4, {5, 6}},
           DraftVerified{1, 4, 1, {{5, DraftVerdict::kSame, 0, 0, 0}, {6, DraftVerdict::kDiffers, 0, 0, 0}}},
           DraftRolledBack{1, 4, 1, 0},
           StepSpeculated{1, 1, 2, 1, 2, 0, 1000, 2000},
           BlockSwappedOut{1, 1, 0, SwapTier::kHost, 0, 4096},
           BlockDemoted{1, 0, 0, 1, 4096},
           BlockSwappedIn{1, 1, 0, SwapTier::kDisk, 1, 4096},
           SwapFailed{1, SwapMove::kIn, SwapTier::kDisk, 0, 3, "file_unreadable", "the file is gone",
                      "make room"},
           StepSwapped{1, 0, 1, 4096, 0, 4096, 1000, 1, 0},
           SequenceReplaced{1, 1, 1},
           BeamStep{1, 4, {}, {}, 0, -1.5, -2.5, BeamEnd::kNone},
           BeamChosen{1, 1, {5}, "five", -1.5},
           AnswersRanked{1, {{1, -1.5, true}}},
           RequestForgotten{1},
           PrefixMissed{1, MissCause::kEvicted, 1},
           OptionsChanged{},
           BatchPadded{5, 8},
           LaunchesMeasured{LaunchWay::kGraph, 5, 8, 2, {{LaunchWay::kGraph, 1, 9000, {}}}},
           RoofMeasured{{"AVX-512", 2, 90, {{1 << 30, 10}}}},
           ForwardAhead{3, 1},
           DraftSkipped{1, NoDraftReason::kNoMatch},
           GrammarMasked{1, 5, 3, true, {"root", "number"}, "0-9"}}) {
    events.emplace_back().body = std::move(body);
  }
  std::set<std::size_t> kinds;
  const MachineState state = machine.state();
  for (const Event& event : events) {
    kinds.insert(event.body.index());
    QVERIFY(!eventTitle(event).isEmpty());
    QVERIFY(!eventText(event, state).isEmpty());
    QVERIFY(!eventKindName(eventKind(event)).isEmpty());
    QVERIFY2(!eventText(event, state).contains(u'%') || eventKind(event) == EventKind::kToken,
             qPrintable(eventTitle(event) + eventText(event, state)));
  }
  QCOMPARE(kinds.size(), std::variant_size_v<EventVariant> - 1);  // all but the snapshot
}

void TestWidgetModels::wordsOfASentenceStayApart() {
  WordMachine machine(16, 8);
  machine.submit("one", 5, 6);
  machine.step();
  Event event;
  event.body = ContextEvicted{3, 1, 3, 48, 16, 0, 0};
  const QString text = eventText(event, machine.state());
  QVERIFY2(text.contains(QLatin1String("block 3 with positions 48 to 63")), qPrintable(text));
}

// "%3" in a name or a token is text, not a place for the next number.
void TestWidgetModels::percentSignsInTextAreOnlyText() {
  WordMachine machine(16, 8);
  machine.submit("%3 and %4", 5, 6);
  machine.step();
  Event event;
  event.body = TokenSampled{1, 7, 5, -1, -1.0, "%3%4"};
  QVERIFY2(eventText(event, machine.state()).contains(QLatin1String("%3%4")),
           qPrintable(eventText(event, machine.state())));
  Session session;
  RequestListModel requests(&session);
  LaneModel lanes(&session);
  session.append(machine.take());
  QVERIFY(requests.index(0, 0).data(Qt::ToolTipRole).toString().contains(QLatin1String("%3 and %4")));
  QVERIFY(lanes.describe(0, 1).contains(QLatin1String("%3 and %4")));
}

QTEST_MAIN(TestWidgetModels)
#include "tst_widget_models.moc"
