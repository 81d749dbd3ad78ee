// The glossary in the window: its dialog with search, papers and scenarios, by F1; and terms of "Why this
// step?" under the mouse.
#include "gui/help/glossary_dialog.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolTip>

#include "gui/panels/stage.h"
#include "support/window_bench.h"
#include "widgets/batch/batch_view.h"
#include "widgets/explain/why_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/glossary_tips.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using namespace vitrine::test;

class TestGlossaryDialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }

  void wordsFindTerms() {
    GlossaryDialog shown;
    GlossaryDialog* const dialog = &shown;
    dialog->show();
    QVERIFY(!dialog->explanation().isEmpty());
    QTest::keyClicks(dialog->filter(), QStringLiteral("copied only"));
    QCOMPARE(dialog->list()->currentItem()->text(), QStringLiteral("copy-on-write"));
    QVERIFY(dialog->explanation().contains(QLatin1String("shared block")));
    QVERIFY(dialog->scenario()->isVisible());
    QSignalSpy requested(dialog, &GlossaryDialog::scenarioRequested);
    dialog->scenario()->click();
    QCOMPARE(requested.front().front().toString(), QStringLiteral("parallel-samples"));
    dialog->filter()->clear();
    QTest::keyClicks(dialog->filter(), QStringLiteral("no such words"));
    QCOMPARE(dialog->explanation(), QStringLiteral("No term has these words."));
    QVERIFY(!dialog->scenario()->isVisible());
    dialog->filter()->clear();
    QTest::keyClicks(dialog->filter(), QStringLiteral("entropy"));
    QVERIFY(!dialog->scenario()->isVisible());
    dialog->close();
  }

  void theWindowOpensItAndTheScenario() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_F1);
    auto* dialog = w.window.findChild<GlossaryDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QTest::keyClick(&w.window, Qt::Key_F1);
    QCOMPARE(w.window.findChildren<GlossaryDialog*>().size(), 1);
    QTest::keyClicks(dialog->filter(), QStringLiteral("block table"));
    dialog->scenario()->click();
    QVERIFY(waitUntil([&] { return w.isPaused() && w.live().requests.size() == 1; }));
    QCOMPARE(w.live().requests.begin()->second.name, std::string("R1"));
  }

  void aTermOfWhyExplainsItself() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    auto* const list = w.window.panels().why->findChild<QListView*>();
    QVERIFY(list != nullptr && list->isVisible());
    QString tip;
    for (int y = 0; y < list->viewport()->height() && tip.isEmpty(); y += 6)
      for (int x = 0; x < list->viewport()->width() && tip.isEmpty(); x += 6) {
        QHelpEvent help(QEvent::ToolTip, {x, y}, list->viewport()->mapToGlobal(QPoint(x, y)));
        QCoreApplication::sendEvent(list->viewport(), &help);
        tip = QToolTip::text();
      }
    const auto begins = [&](const prose::Term& term) {
      return tip.startsWith(QString::fromStdString(term.name + ": " + term.meaning));
    };
    QVERIFY2(std::ranges::any_of(windowGlossary(), begins), qPrintable(tip));
    QToolTip::hideText();
  }

  void tipsAreOfTheLetterUnderTheMouse() {
    const QString text = QStringLiteral("“é”: a block of the pool");
    QVERIFY(termTip(text, text.indexOf(QLatin1String("block"))).text.startsWith(QLatin1String("block: ")));
    QVERIFY(
        termTip(text, text.indexOf(QLatin1String("block")) + 4).text.startsWith(QLatin1String("block: ")));
    QVERIFY(termTip(text, text.indexOf(QLatin1String("block")) + 5).text.isEmpty());
    QVERIFY(termTip(text, 0).text.isEmpty() && termTip(text, -1).text.isEmpty() &&
            termTip(text, 999).text.isEmpty());
  }

  // Every label, button, tab and heading in sight that has a term says what it means.
  void labelsExplainTheirTerms() {
    ShownWindow w(Perspective::kStep, {1600, 1000});
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(2));
    w.window.findChild<QDockWidget*>("metrics")->show();
    int explained = 0;
    const auto require = [&](QWidget* widget, const QPoint& at, const QString& text) {
      QString plain = text;
      const auto places = prose::termsIn(plain.remove(u'&').toStdString(), windowGlossary());
      if (places.empty()) return;
      const std::string& meaning = windowGlossary()[places.front().term].meaning;
      QVERIFY2(tipOf(widget, at).contains(QString::fromStdString(meaning)), qPrintable(plain));
      ++explained;
    };
    for (QLabel* label : w.window.findChildren<QLabel*>())
      if (label->isVisible() && label->textFormat() != Qt::RichText)
        require(label, label->rect().center(), label->text());
    for (QAbstractButton* button : w.window.findChildren<QAbstractButton*>())
      if (button->isVisible()) require(button, button->rect().center(), button->text());
    for (QTabBar* tabs : w.window.findChildren<QTabBar*>())
      for (int i = 0; i < tabs->count() && tabs->isVisible(); ++i)
        require(tabs, tabs->tabRect(i).center(), tabs->tabText(i));
    auto* heading = w.window.panels().metrics->horizontalHeader();
    for (int i = 0; i < heading->count(); ++i)
      require(heading->viewport(), QPoint(heading->sectionViewportPosition(i) + 4, 4),
              heading->model()->headerData(i, Qt::Horizontal).toString());
    QVERIFY2(explained > 15, qPrintable(QString::number(explained)));
  }

  // A word that a view paints, and F1 over it.
  void paintedWordsExplainThemselves() {
    ShownWindow w(Perspective::kStep, {1600, 1000});
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(2));
    QVERIFY(w.window.findChild<Stage*>()->show(QStringLiteral("batch")));
    const std::pair<QAbstractScrollArea*, const char*> views[] = {{w.window.panels().timeline, "block"},
                                                                  {w.window.panels().batch, "slot"}};
    for (const auto& [view, name] : views) {
      QString found;
      for (int y = 2; y < view->viewport()->height() && found.isEmpty(); y += 5)
        for (int x = 2; x < view->viewport()->width() && found.isEmpty(); x += 9) {
          tipOf(view->viewport(), {x, y});
          if (termInSight() != nullptr && termInSight()->name == name) found = QToolTip::text();
        }
      QVERIFY2(found.contains(QString(name) + ": "), qPrintable(view->accessibleName()));
      QTest::keyClick(&w.window, Qt::Key_F1);
      auto* dialog = w.window.findChild<GlossaryDialog*>();
      QVERIFY(dialog != nullptr && dialog->isVisible());
      QCOMPARE(dialog->list()->currentItem()->text(), QLatin1String(name));
      dialog->close();
      QToolTip::hideText();
    }
    QTRY_VERIFY(termInSight() == nullptr);
  }

 private:
  static QString tipOf(QWidget* widget, const QPoint& at) {
    QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QCoreApplication::sendEvent(widget, &help);
    return QToolTip::text();
  }

  WindowSurroundings m_surroundings;
};

QTEST_MAIN(TestGlossaryDialog)
#include "tst_glossary_dialog.moc"
