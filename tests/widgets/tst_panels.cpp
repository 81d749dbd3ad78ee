// Timeline, requests, why, plots, events and the sampler's controls: real mouse and keys.
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "support/word_machine.h"
#include "vitrine/option_schema.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/requests/newest_words_painter.h"
#include "widgets/requests/request_cards.h"
#include "widgets/requests/requests_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using test::WordMachine;

class TestPanels : public QObject {
  Q_OBJECT
 private slots:
  void timelineGoesWhereOneClicks();
  void timelineFollowsADrag();
  void timelineKeys();
  void timelineMarksWhatHappened();
  void timelineHoldsThousands();
  void requestsSelectAndCancel();
  void requestsAreSortedByGroup();
  void siblingsFoldIntoOneCard();
  void manyFinishedRequestsFoldAway();
  void theNewestWordIsAlwaysInSight();
  void theNameOfATokenIsNotCut();
  void requestsHaveATableTwin();
  void requestsSayWhyTheirPromptWasComputedAgain();
  void whySelectsAndCopies();
  void whyKeepsTheNewestPhaseInSight_data();
  void whyKeepsTheNewestPhaseInSight();
  void listsGiveAScreenReaderOneItemARow();
  void eventLogFiltersByButtonAndWord();
  void controlsSayWhatTheyAre();
  void controlsReset();
  void greedyDimsWhatCannotAct();
};

void TestPanels::timelineGoesWhereOneClicks() {
  WordMachine machine = test::storyMachine();
  Session session;
  TimeAxisModel model(&session);
  TimeAxisView view(&model);
  view.resize(700, view.sizeHint().height());
  view.show();
  session.append(machine.take());
  connect(&view, &TimeAxisView::stepRequested, &session, &Session::goToStep);
  connect(&view, &TimeAxisView::liveRequested, &session, &Session::goLive);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(qRound(view.xOf(7)), 30));
  QCOMPARE(session.step(), 7);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(1, 30));
  QCOMPARE(session.step(), 0);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                    QPoint(qRound(view.xOf(session.lastStep())) + 2, 30));
  QVERIFY(session.isLive());
}

void TestPanels::timelineFollowsADrag() {
  WordMachine machine = test::storyMachine();
  Session session;
  TimeAxisModel model(&session);
  TimeAxisView view(&model);
  view.resize(700, view.sizeHint().height());
  view.show();
  session.append(machine.take());
  connect(&view, &TimeAxisView::stepRequested, &session, &Session::goToStep);
  const auto at = [&](int step) { return QPoint(qRound(view.xOf(step)), 30); };
  QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at(9));
  QSignalSpy steps(&view, &TimeAxisView::stepRequested);
  for (int step = 8; step >= 4; --step) {
    QMouseEvent move(QEvent::MouseMove, at(step), view.viewport()->mapToGlobal(at(step)), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(view.viewport(), &move);
  }
  QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, at(4));
  QCOMPARE(steps.size(), 5);
  QCOMPARE(session.step(), 4);
  QMouseEvent hover(QEvent::MouseMove, at(1), view.viewport()->mapToGlobal(at(1)), Qt::NoButton, Qt::NoButton,
                    {});
  QApplication::sendEvent(view.viewport(), &hover);
  QCOMPARE(session.step(), 4);  // no button, no move
}

void TestPanels::timelineKeys() {
  WordMachine machine = test::storyMachine();
  Session session;
  TimeAxisModel model(&session);
  TimeAxisView view(&model);
  view.show();
  session.append(machine.take());
  QSignalSpy back(&view, &TimeAxisView::backRequested), forward(&view, &TimeAxisView::forwardRequested);
  QSignalSpy live(&view, &TimeAxisView::liveRequested), step(&view, &TimeAxisView::stepRequested);
  QTest::keyClick(&view, Qt::Key_PageUp);
  QTest::keyClick(&view, Qt::Key_Left);
  QTest::keyClick(&view, Qt::Key_PageDown);
  QTest::keyClick(&view, Qt::Key_Right);  // LIVE: an arrow does not turn the machine
  QTest::keyClick(&view, Qt::Key_End);
  QTest::keyClick(&view, Qt::Key_Home);
  QCOMPARE(back.size(), 2);
  QCOMPARE(forward.size(), 1);
  QCOMPARE(live.size(), 1);
  QCOMPARE(step.size(), 1);
  QCOMPARE(step.front().front().toInt(), 0);
}

void TestPanels::timelineMarksWhatHappened() {
  WordMachine machine(5, 4);
  machine.submit("first", 8, 12);
  machine.submit("second", 4, 12, 3);
  machine.run();
  Session session;
  TimeAxisModel model(&session);
  TimeAxisView view(&model);
  view.show();
  session.append(machine.take());
  QCOMPARE(view.markOf(0), StepMark::kArrived);
  QCOMPARE(view.markOf(2), StepMark::kPlain);
  int preempted = 0;
  for (int step = 0; step <= session.lastStep(); ++step)
    preempted += view.markOf(step) == StepMark::kPreempted ? 1 : 0;
  QVERIFY(preempted >= 1);
  QCOMPARE(view.markOf(session.lastStep()), StepMark::kFinished);
  QCOMPARE(view.markOf(-1), StepMark::kNone);
  QCOMPARE(view.markOf(9999), StepMark::kNone);
}

void TestPanels::timelineHoldsThousands() {
  WordMachine machine(200, 16);
  machine.submit("long", 4, 2000);
  machine.run();
  Session session;
  TimeAxisModel model(&session);
  TimeAxisView view(&model);
  view.resize(500, view.sizeHint().height());
  view.show();
  session.append(machine.take());
  QVERIFY(view.xOf(session.lastStep()) <= view.width());
  QCOMPARE(view.stepAt(view.xOf(1000)), 1000);
  QVERIFY(!view.grab().isNull());
}

void TestPanels::requestsSelectAndCancel() {
  WordMachine machine(64, 8);
  machine.submit("one", 5, 20);
  machine.submit("two", 5, 20);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.resize(300, 400);
  view.show();
  session.append(machine.take());
  connect(&view, &RequestsView::sequenceSelected, &session, &Session::selectSequence);
  QSignalSpy cancelled(&view, &RequestsView::cancelRequested);
  const QRect first = view.visualRect(view.model()->index(0, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, first.center());
  QCOMPARE(session.selectedSequence(), 1);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(session.selectedSequence(), 2);
  QTest::keyClick(&view, Qt::Key_Delete);
  QCOMPARE(cancelled.size(), 1);
  QCOMPARE(cancelled.front().front().toInt(), 2);
  machine.run();
  session.append(machine.take());
  QCOMPARE(session.selectedSequence(), 2);
  QTest::keyClick(&view, Qt::Key_Delete);
  QCOMPARE(cancelled.size(), 1);  // what is done cannot be stopped
  QVERIFY(!view.grab().isNull());
}

void TestPanels::requestsAreSortedByGroup() {
  WordMachine machine(4, 8);
  machine.submit("done", 8, 1);
  machine.step();
  machine.submit("runs", 16, 9);
  machine.submit("waits", 16, 9);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.show();
  session.append(machine.take());
  QStringList order;
  for (int row = 0; row < view.model()->rowCount(); ++row)
    order << view.model()->index(row, 0).data().toString();
  QCOMPARE(order, QStringList({QStringLiteral("B"), QStringLiteral("C"), QStringLiteral("A")}));
}

void TestPanels::siblingsFoldIntoOneCard() {
  WordMachine machine(64, 8);
  machine.submit("three", 5, 20, 0, 3);
  machine.submit("one", 5, 20);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.resize(260, 500);
  view.show();
  session.append(machine.take());
  connect(&view, &RequestsView::sequenceSelected, &session, &Session::selectSequence);
  const auto letters = [&] {
    QStringList shown;
    for (int row = 0; row < view.model()->rowCount(); ++row)
      shown << view.model()->index(row, 0).data().toString();
    return shown.join(u' ');
  };
  session.selectSequence(4);
  QCOMPARE(letters(), QStringLiteral("A1 B"));
  session.selectSequence(3);  // from another view
  QCOMPARE(letters(), QStringLiteral("A3 B"));
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(letters(), QStringLiteral("A1 A2 A3 B"));
  QCOMPARE(view.currentIndex().data().toString(), QStringLiteral("A3"));
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(session.selectedSequence(), 2);
  QVERIFY(!view.grab().isNull());
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(letters(), QStringLiteral("A2 B"));
  QCOMPARE(session.selectedSequence(), 2);
  const QRect card = view.visualRect(view.model()->index(0, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                    QPoint(card.center().x(), card.bottom() - 20));  // the line with the answers
  QCOMPARE(letters(), QStringLiteral("A1 A2 A3 B"));
}

void TestPanels::manyFinishedRequestsFoldAway() {
  WordMachine machine(64, 8);
  for (int i = 0; i < 9; ++i) machine.submit("request", 5, 1, i);
  machine.run();
  machine.submit("runs", 5, 9);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.resize(260, 600);
  view.show();
  QSignalSpy summaries(&view, &RequestsView::summaryChanged);
  session.append(machine.take());
  QCOMPARE(view.summary(), QStringLiteral("1 run(s)"));
  QCOMPARE(summaries.back().front().toString(), view.summary());
  QCOMPARE(view.model()->rowCount(), 4);
  session.selectSequence(2);  // a request that is selected is shown
  QCOMPARE(view.model()->rowCount(), 5);
  QCOMPARE(view.currentIndex().row(), 4);
  session.selectSequence(10);
  const QRect first = view.visualRect(view.model()->index(1, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, first.topLeft() + QPoint(60, 8));  // the title
  QVERIFY(view.showsAllFinished());
  QCOMPARE(view.model()->rowCount(), 10);
  QCOMPARE(session.selectedSequence(), 10);
  view.setShowsAllFinished(false);
  const auto* order = qobject_cast<const RequestOrder*>(view.model());
  QCOMPARE(order->groupTitle(RequestGroup::kFinished), QStringLiteral("9 finished, the last 3 shown"));
  view.setShowsAllFinished(true);
  QCOMPARE(order->groupTitle(RequestGroup::kFinished), QStringLiteral("Finished · 9"));
  view.setShowsAllFinished(false);
  machine.forget(9);  // the newest of them, a card in sight
  session.append(machine.take());
  QCOMPARE(view.model()->rowCount(), 4);
  QCOMPARE(order->groupTitle(RequestGroup::kFinished), QStringLiteral("9 finished, the last 3 shown"));
  view.setShowsAllFinished(true);
  QCOMPARE(order->groupTitle(RequestGroup::kFinished), QStringLiteral("9 finished, the last 8 shown"));
  session.goToStep(session.recording().lastFinishedStep());  // before it was forgotten
  QCOMPARE(order->groupTitle(RequestGroup::kFinished), QStringLiteral("Finished · 9"));
  session.goLive();
  view.setShowsAllFinished(false);
  QCOMPARE(session.selectedSequence(), 10);
}

void TestPanels::theNewestWordIsAlwaysInSight() {
  NewestWords words;
  const QFont font = QApplication::font();
  for (int i = 0; i < 60; ++i) {
    words.text += QStringLiteral("word%1 ").arg(i);
    words.fresh = static_cast<int>(words.text.size());
    words.text += QStringLiteral("newest%1").arg(i);
    words.answer = 4;
    for (const int lines : {1, 2, 3}) {
      const NewestWords shown = fittingWords(words, lines, 180, font);
      QCOMPARE(shown.text.mid(shown.fresh), QStringLiteral("newest%1").arg(i));
      QCOMPARE(shown.text.startsWith(u'…'), shown.text != words.text);
      QVERIFY(shown.text == words.text || shown.text.size() < lines * 40);
    }
    words.text += u' ';
  }
  words.answer = words.fresh =
      static_cast<int>(words.text.size());  // a prompt that waits shows its beginning
  const NewestWords prompt = fittingWords(words, 2, 180, font);
  QVERIFY(prompt.text.startsWith(QLatin1String("word0 ")) && prompt.text.endsWith(u'…'));
}

// A line may break behind the stroke of "</s>"; one line alone would show "s>".
void TestPanels::theNameOfATokenIsNotCut() {
  NewestWords words;
  words.text = QStringLiteral("Hi! I can count to ten. What would you like?</s>");
  words.answer = 0;
  words.fresh = static_cast<int>(words.text.size()) - 4;
  const QFont font = QApplication::font();
  const int least = QFontMetrics(font).horizontalAdvance(QStringLiteral("…like?</s>")) + 4;
  for (int width = least; width < 3 * least; ++width) {
    const NewestWords shown = fittingWords(words, 1, width, font);
    QVERIFY2(shown.text.endsWith(QLatin1String("like?</s>")), qPrintable(shown.text));
    QCOMPARE(shown.text.mid(shown.fresh), QStringLiteral("</s>"));
  }
}

void TestPanels::requestsHaveATableTwin() {
  WordMachine machine(64, 8);
  machine.submit("one", 5, 20, 0, 2);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.show();
  session.append(machine.take());
  view.showTable();
  const auto* table = view.findChild<DataTableView*>();
  QVERIFY(table && table->isVisible());
  QCOMPARE(table->model()->rowCount(), 2);
  QCOMPARE(table->geometry(), view.rect());
}

void TestPanels::requestsSayWhyTheirPromptWasComputedAgain() {
  WordMachine machine(64, 8);
  machine.submit("first", 20, 12);  // its third block holds words of the answer
  machine.run();
  machine.submit("longer", 30, 9);
  machine.submit("other", 30, 9, 4);
  machine.step();
  Session session;
  RequestListModel model(&session);
  RequestsView view(&model);
  view.resize(420, 400);
  view.show();
  session.append(machine.take());
  QVERIFY(model.at(0).miss.isEmpty() && model.at(2).miss.isEmpty());
  const QString miss = model.at(1).miss;
  QVERIFY2(miss.startsWith(QStringLiteral("After 20 equal tokens B has ")), qPrintable(miss));
  QVERIFY(miss.endsWith(QStringLiteral("so it computes 14 of its 30 tokens.")));
  const QModelIndex index = model.index(1, 0);
  QVERIFY(index.data(Qt::ToolTipRole).toString().contains(miss));
  QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(miss));
  const int line = QFontMetrics(view.font()).height();
  const auto height = [&](int row) { return view.sizeHintForIndex(view.model()->index(row, 0)).height(); };
  QCOMPARE(view.model()->index(0, 0).data().toString(), QStringLiteral("B"));
  QCOMPARE(height(0) - (line + 12), height(1) + line);  // a title above, the sentence below
  WhyModel why(&session);
  QStringList sentences;
  for (int row = 0; row < why.rowCount(); ++row) sentences << why.at(row).text;
  QVERIFY(sentences.contains(miss));
}

void TestPanels::whySelectsAndCopies() {
  WordMachine machine(64, 8);
  machine.submit("one", 5, 20);
  machine.step();
  Session session;
  WhyModel model(&session);
  WhyView view(&model);
  view.resize(420, 300);
  view.show();
  session.append(machine.take());
  QSignalSpy selected(&view, &WhyView::sequenceSelected);
  view.list()->setFocus();
  QTest::keyClick(view.list(), Qt::Key_Down);
  QVERIFY(selected.size() >= 1);
  QTest::keyClick(view.list(), Qt::Key_C, Qt::ControlModifier);
  view.copyText();
  QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("Step 1")));
  QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("– A is admitted with")));
  QVERIFY(!view.grab().isNull());
}

void TestPanels::whyKeepsTheNewestPhaseInSight_data() {
  QTest::addColumn<int>("height");
  QTest::newRow("low") << 130;
  QTest::newRow("usual") << 420;
  QTest::newRow("tall") << 1400;
}

void TestPanels::whyKeepsTheNewestPhaseInSight() {
  QFETCH(int, height);
  WordMachine machine(64, 8, 24);
  for (int i = 0; i < 5; ++i) machine.submit("staged", 9, 4, i);
  for (int i = 0; i < 3; ++i) machine.step();
  Session session;
  WhyModel model(&session);
  WhyView view(&model);
  view.resize(420, height);
  view.show();
  QVERIFY(QTest::qWaitForWindowExposed(&view));
  const auto rectOf = [&](int row) { return view.list()->visualRect(view.list()->indexOf(row)); };
  std::vector<Event> batch;
  for (const Event& event : machine.take()) {
    batch.push_back(event);
    const bool phase = isA<PhaseStarted>(event);
    if (!phase && !isA<StepFinished>(event)) continue;
    session.append(std::exchange(batch, {}));
    const int rows = model.rowCount(), port = view.list()->viewport()->height();
    if (rows == 0) continue;  // the step has only begun
    if (!phase) {             // it is whole: its top, or the sentence of the headline
      const int headline = model.headlineRow();
      QVERIFY(headline >= 0 && rectOf(headline).top() >= 0 && rectOf(headline).top() < port);
      continue;
    }
    const int newest = model.at(rows - 1).section;
    int first = rows - 1, begins = 0;
    while (first > 0 && model.at(first - 1).section == newest) --first;
    while (begins < rows - 1 && model.at(begins).section == WhyRow::kBefore) ++begins;
    QVERIFY(rectOf(first).top() < port && rectOf(rows - 1).bottom() >= 0);
    const int whole = rectOf(rows - 1).bottom() - rectOf(first).top();
    if (whole < port) QVERIFY(rectOf(first).top() >= 0 && rectOf(rows - 1).bottom() < port);
    const int step = rectOf(rows - 1).bottom() - rectOf(begins).top();
    const bool scrolls = view.list()->verticalScrollBar()->maximum() > 0;
    if (scrolls && newest != WhyRow::kBefore && step < port) QVERIFY(rectOf(begins).top() >= 0);
  }
  // Reading on is the user's: the same phase does not scroll again.
  view.list()->verticalScrollBar()->setValue(0);
  session.selectSequence(3);
  emit session.stateChanged();
  QCOMPARE(view.list()->verticalScrollBar()->value(), 0);
}

// The present item is the one that is read, by its number among the list's.
void TestPanels::listsGiveAScreenReaderOneItemARow() {
  WordMachine machine(64, 8, 24);
  for (int i = 0; i < 3; ++i) machine.submit("staged", 9, 4, i);
  machine.step();
  Session session;
  RequestListModel requests(&session);
  RequestsView cards(&requests);
  WhyModel reasons(&session);
  WhyView why(&reasons);
  for (QWidget* view : {static_cast<QWidget*>(&cards), static_cast<QWidget*>(&why)}) {
    view->resize(420, 300);
    view->show();
  }
  session.append(machine.take());
  QCOMPARE(cards.model()->rowCount(), 3);
  QVERIFY(reasons.rowCount() > 3);
  for (const SpokenList* list : {static_cast<SpokenList*>(&cards), static_cast<SpokenList*>(why.list())}) {
    QAccessibleInterface* const read = QAccessible::queryAccessibleInterface(const_cast<SpokenList*>(list));
    QVERIFY(read != nullptr);
    QCOMPARE(read->childCount(), list->model()->rowCount());
    for (int row = 0; row < read->childCount(); ++row)
      QCOMPARE(read->child(row)->text(QAccessible::Name),
               list->indexOf(row).data(Qt::AccessibleTextRole).toString());
  }
  QVERIFY(why.list()->indexOf(1).data(Qt::AccessibleTextRole) ==
          reasons.index(1, WhyModel::kSentence).data(Qt::AccessibleTextRole));
}

void TestPanels::eventLogFiltersByButtonAndWord() {
  WordMachine machine = test::storyMachine();
  Session session;
  EventLogModel model(&session);
  EventLogView view(&model);
  view.resize(900, 300);
  view.show();
  session.append(machine.take());
  const int all = model.rowCount();
  auto* blocks = [&]() -> QToolButton* {
    for (QToolButton* button : view.findChildren<QToolButton*>()) {
      if (button->text() == QLatin1String("Blocks")) return button;
    }
    return nullptr;
  }();
  QTest::mouseClick(blocks, Qt::LeftButton);
  QVERIFY(model.rowCount() < all);
  view.search({});
  QTest::keyClicks(view.findChild<QLineEdit*>(), QStringLiteral("preempted"));
  QVERIFY(model.rowCount() > 0 && model.rowCount() < 20);
  QSignalSpy steps(&view, &EventLogView::stepRequested);
  view.table()->setCurrentIndex(model.index(0, 0));
  QTest::keyClick(view.table(), Qt::Key_Return);
  QCOMPARE(steps.size(), 1);
  QCOMPARE(steps.front().front().toInt(), model.at(0).step);
}

void TestPanels::controlsSayWhatTheyAre() {
  SamplerControls controls;
  controls.show();
  int fields = 0;
  for (QWidget* field : controls.findChildren<QWidget*>()) {
    const bool edits = qobject_cast<QAbstractSpinBox*>(field) ||
                       (qobject_cast<QLineEdit*>(field) && !qobject_cast<QAbstractSpinBox*>(field->parent()));
    if (!edits) continue;
    QVERIFY2(!field->toolTip().isEmpty() && !field->accessibleDescription().isEmpty(),
             field->metaObject()->className());
    ++fields;
  }
  int options = 0;
  forEachOption<SamplingOptions>([&](const auto&, auto) { ++options; });
  QCOMPARE(fields, options + 3);  // the answer's length, how many answers and beams
  QSignalSpy changed(&controls, &SamplerControls::samplingChanged);
  SamplingOptions wanted;
  wanted.temperature = 0.7;
  wanted.topK = 40;
  wanted.topP = 0.9;
  wanted.minP = 0.05;
  wanted.typicalP = 0.95;
  wanted.repetitionPenalty = 1.1;
  wanted.presencePenalty = 0.5;
  wanted.frequencyPenalty = -0.5;
  wanted.seed = 18446744073709551615u;
  controls.setSampling(wanted);
  QCOMPARE(changed.size(), 0);
  const SamplingOptions got = controls.sampling();
  QCOMPARE(got.temperature, wanted.temperature);
  QCOMPARE(got.topK, wanted.topK);
  QCOMPARE(got.topP, wanted.topP);
  QCOMPARE(got.minP, wanted.minP);
  QCOMPARE(got.typicalP, wanted.typicalP);
  QCOMPARE(got.repetitionPenalty, wanted.repetitionPenalty);
  QCOMPARE(got.presencePenalty, wanted.presencePenalty);
  QCOMPARE(got.frequencyPenalty, wanted.frequencyPenalty);
  QCOMPARE(got.seed, wanted.seed);
  auto* temperature = controls.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
  temperature->setFocus();
  QTest::keyClick(temperature, Qt::Key_Up);
  QCOMPARE(changed.size(), 1);
  QCOMPARE(controls.sampling().temperature, 0.8);
}

void TestPanels::controlsReset() {
  SamplerControls controls;
  controls.show();
  SamplingOptions defaults;
  defaults.temperature = 0.6;
  controls.setDefaults(defaults, 99);
  SamplingOptions other;
  other.temperature = 2;
  controls.setSampling(other);
  controls.setMaxTokens(7);
  QSignalSpy changed(&controls, &SamplerControls::samplingChanged),
      length(&controls, &SamplerControls::maxTokensChanged);
  QTest::mouseClick(controls.findChild<QPushButton*>(), Qt::LeftButton);
  QCOMPARE(controls.sampling().temperature, 0.6);
  QCOMPARE(controls.maxTokens(), 99);
  QCOMPARE(changed.size(), 1);
  QCOMPARE(length.size(), 1);
}

void TestPanels::greedyDimsWhatCannotAct() {
  SamplerControls controls;
  controls.show();
  SamplingOptions sampling;
  controls.setSampling(sampling);
  auto* topK = controls.findChild<QSpinBox*>(QStringLiteral("top_k"));
  QVERIFY(!topK->isEnabled());
  sampling.temperature = 1;
  controls.setSampling(sampling);
  QVERIFY(topK->isEnabled());
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
