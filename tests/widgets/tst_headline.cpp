// The sentence of the step in its strip: chips, links and terms, in the room that it has; and its mark in
// "Why this step?", which opens at the top of a step.
#include <QSignalSpy>
#include <QTest>

#include "support/word_machine.h"
#include "widgets/explain/headline_layout.h"
#include "widgets/explain/headline_view.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"
#include "widgets/support/translations.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Bench {
  Session session;
  HeadlineModel model{&session};
  HeadlineView view{&model};
  WhyModel why{&session};
  WhyView whyView{&why};
  WordMachine machine{6, 4};

  Bench() {
    view.resize(900, view.sizeHint().height());
    whyView.resize(420, 200);
    view.show();
    whyView.show();
    machine.submit("one", 8, 14);
    machine.submit("two", 7, 14, 3);
  }
  void step() {
    machine.step();
    session.append(machine.take());
  }
  // Steps until the headline has this kind.
  bool stepTo(prose::HeadlineKind kind) {
    for (int i = 0; i < 60; ++i) {
      step();
      if (model.rowCount() > 0 && model.at(0).kind == kind) return true;
    }
    return false;
  }
  HeadlineLayout layout(double width, double height = 44) const {
    return {model.at(0), HeadlineLayout::Voice::kHeadline, readable(view.font()), {width, height}};
  }
  // A point of the strip on a link, found as the mouse finds it; null: none.
  QPoint pointOf(int link) const {
    const HeadlineLayout all = layout(view.width(), view.height());
    for (int y = 0; y < view.height(); y += 3)
      for (int x = 0; x < view.width(); x += 3)
        if (all.linkAt(QPointF(x, y)) == link) return {x, y};
    return {};
  }
};

}  // namespace

class TestHeadline : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale::c()); }

  void beforeTheFirstStepItHasWordsOfItsOwn() {
    Bench bench;
    QVERIFY(bench.view.text().contains("one iteration"));
    bench.view.setOpening("Two requests share a prompt.");
    QCOMPARE(bench.view.text(), QString("Two requests share a prompt."));
    QSignalSpy chosen(&bench.view, &HeadlineView::openingChosen);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, {20, 20});
    QCOMPARE(chosen.count(), 1);
    bench.step();
    QVERIFY2(bench.view.text().contains("start"), qPrintable(bench.view.text()));
    QVERIFY(bench.view.accessibleName().contains(bench.view.text()));
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, {890, 20});
    QCOMPARE(chosen.count(), 1);
  }

  void itSaysWhatTheStepShownDecided() {
    Bench bench;
    QVERIFY(bench.stepTo(prose::HeadlineKind::kPreemption));
    const QString preemption = bench.view.text();
    QVERIFY2(preemption.startsWith("B loses"), qPrintable(preemption));
    const int step = bench.session.step();
    bench.step();
    QVERIFY(bench.view.text() != preemption);
    bench.session.goToStep(step);
    QCOMPARE(bench.view.text(), preemption);
    bench.session.goToStep(0);
    QVERIFY(bench.view.text().contains("one iteration"));
  }

  void aLinkIsFollowedByMouseAndKeyboard() {
    Bench bench;
    QVERIFY(bench.stepTo(prose::HeadlineKind::kPreemption));
    const auto& links = bench.model.at(0).links;
    QVERIFY(links.size() >= 2);
    QSignalSpy followed(&bench.view, &HeadlineView::followed);
    const QPoint point = bench.pointOf(1);
    QVERIFY(!point.isNull());
    QTest::mouseMove(&bench.view, point);
    QTRY_VERIFY(bench.session.spotlight()->target() == links[1].target);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, point);
    QCOMPARE(followed.count(), 1);
    QVERIFY(followed.last().at(0).value<prose::Target>() == links[1].target);
    bench.view.setFocus();
    QTest::keyClick(&bench.view, Qt::Key_Left);
    QVERIFY(bench.session.spotlight()->target() == links[0].target);
    QTest::keyClick(&bench.view, Qt::Key_Return);
    QCOMPARE(followed.count(), 2);
    QVERIFY(followed.last().at(0).value<prose::Target>() == links[0].target);
    bench.step();  // another sentence: nothing of it is lit
    QVERIFY(bench.session.spotlight()->target().isEmpty());
  }

  void itKeepsToItsRoom() {
    Bench bench;
    QVERIFY(bench.stepTo(prose::HeadlineKind::kPreemption));
    QVERIFY(bench.layout(2000).isWhole());
    QVERIFY(!bench.layout(90).isWhole());
    // Nothing lies outside, whatever the width, and what is whole in a width is whole in a larger one.
    bool wasWhole = false;
    for (int width = 90; width <= 1000; width += 7) {
      const HeadlineLayout layout = bench.layout(width);
      QVERIFY2(!wasWhole || layout.isWhole(), qPrintable(QString::number(width)));
      wasWhole = layout.isWhole();
      for (double y = -60; y < 100; y += 3) {
        QVERIFY(layout.letterAt({width + 2.0, y}) < 0);
        if (y < -1 || y > 45) QVERIFY(layout.letterAt({20, y}) < 0);
      }
    }
    QVERIFY(wasWhole);
  }

  void whyOpensAtTheTopAndMarksTheHeadline() {
    Bench bench;
    WhyList* const list = bench.whyView.list();
    const auto isInSight = [&](int row) {
      const QRect area = list->visualRect(list->indexOf(row));
      return area.top() >= 0 && area.top() < list->viewport()->height();
    };
    bool wasBelow = false;
    for (int i = 0; i < 40 && bench.machine.step(); ++i) {
      bench.session.append(bench.machine.take());
      const int row = bench.why.headlineRow();
      QVERIFY2(row >= 0, qPrintable(bench.view.text()));
      QVERIFY(isInSight(row));
      const QRect first = list->visualRect(list->indexOf(0));
      wasBelow = wasBelow || first.top() < 0;
      // At the top, or so far down that the headline's phase is there.
      if (first.top() < 0) QVERIFY(bench.why.at(row).section > bench.why.at(0).section);
    }
    QVERIFY(wasBelow);
  }

  // In a list that is too low for a phase, its name stays above the marked sentence.
  void thePhaseOfTheMarkedSentenceIsInSight() {
    Bench bench;
    WhyList* const list = bench.whyView.list();
    bench.whyView.resize(420, 110);
    bool wasPinned = false;
    for (int i = 0; i < 40 && bench.machine.step(); ++i) {
      bench.session.append(bench.machine.take());
      const int row = bench.why.headlineRow(), first = bench.why.firstOfSection(row);
      const QRect heading = list->headingRect(row), sentence = list->sentenceRect(row);
      QVERIFY2(list->viewport()->rect().contains(heading), qPrintable(bench.why.at(row).text));
      QVERIFY(heading.height() > 0 && sentence.top() > heading.bottom() - 1);
      QVERIFY(sentence.top() < list->viewport()->height());
      const bool pinned = list->visualRect(list->indexOf(first)).top() < 0;
      wasPinned = wasPinned || pinned;
      if (!pinned) continue;
      const QImage above = list->viewport()->grab(heading).toImage();
      const QColor ground = list->palette().color(QPalette::Base);
      bool inked = false;
      for (int x = 0; x < above.width() && !inked; ++x)
        for (int y = 0; y < above.height() && !inked; ++y) inked = above.pixelColor(x, y) != ground;
      QVERIFY(inked);
    }
    QVERIFY(wasPinned);
  }

  void theMarkedSentenceIsOfTheHeadlinesSequence() {
    Bench bench;
    QVERIFY(bench.stepTo(prose::HeadlineKind::kPreemption));
    const WhyRow& marked = bench.why.at(bench.why.headlineRow());
    QVERIFY2(marked.text.contains("is preempted"), qPrintable(marked.text));
    QCOMPARE(marked.sequence, bench.model.at(0).links.front().target.sequence);
  }
};

QTEST_MAIN(TestHeadline)
#include "tst_headline.moc"
