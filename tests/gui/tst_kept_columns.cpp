// The table of models keeps the widths and the sorting that a person gives it: by the mouse on its headings,
// until another start of the program, and until the columns are reset.
#include "gui/settings/kept_columns.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>

#include "gui/models_home.h"
#include "gui/settings/settings.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Column = ModelsTableModel::Column;

QHeaderView* headerOf(Shown& shown) { return shown.table()->horizontalHeader(); }

int widthOf(Shown& shown, Column column) { return headerOf(shown)->sectionSize(column); }

// What is kept comes with the first rows.
bool isSettled(Shown& shown) {
  const auto* kept = shown.table()->findChild<KeptColumns*>();
  return shown.search() && waitUntil([&] { return kept->isFitted(); });
}

// By the mouse, at the right edge of the column's heading.
void drag(Shown& shown, Column column, int by) {
  QHeaderView* const header = headerOf(shown);
  const QPoint edge(header->sectionViewportPosition(column) + header->sectionSize(column) - 2,
                    header->height() / 2);
  QTest::mouseMove(header->viewport(), edge);
  QTest::mousePress(header->viewport(), Qt::LeftButton, {}, edge);
  QTest::mouseMove(header->viewport(), edge + QPoint(by / 2, 0));
  QTest::mouseMove(header->viewport(), edge + QPoint(by, 0));
  QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, edge + QPoint(by, 0));
}

void clickHeading(Shown& shown, Column column) {
  QHeaderView* const header = headerOf(shown);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                    {header->sectionViewportPosition(column) + 20, header->height() / 2});
}

QStringList namesOf(Shown& shown) {
  QStringList names;
  for (int row = 0; row < shown.rows().rowCount(); ++row) names << shown.rows().at(row).model.name;
  return names;
}

// By its letter in the menu that a press of the right button opens on the headings, or the menu key in the
// table.
void choose(QWidget* target, QContextMenuEvent::Reason reason) {
  bool isChosen = false;
  QTimer::singleShot(0, target, [&] {
    auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    QTest::keyClick(menu, Qt::Key_R);
    isChosen = !menu->isVisible();
    menu->close();
  });
  const QPoint place(20, 10);
  QContextMenuEvent event(reason, place, target->mapToGlobal(place));
  QApplication::sendEvent(target, &event);
  QVERIFY(waitUntil([] { return QApplication::activePopupWidget() == nullptr; }));
  QVERIFY(isChosen);
}

}  // namespace

class TestKeptColumns : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void aWidthIsKept() {
    const Home home;
    int usual = 0, drawn = 0;
    {
      Shown shown(home.places());
      QVERIFY(isSettled(shown));
      usual = widthOf(shown, Column::kFamily);
      QVERIFY(Settings().modelColumns().isEmpty());  // each width is the usual one
      drag(shown, Column::kFamily, 60);
      drawn = widthOf(shown, Column::kFamily);
      QVERIFY2(drawn > usual + 40, qPrintable(QString("%1 of %2").arg(drawn).arg(usual)));
      // Neither more rows nor a smaller window change it.
      QVERIFY(isSettled(shown));
      shown.window.resize(700, 500);
      shown.window.resize(1366, 768);
      QTRY_COMPARE_WITH_TIMEOUT(widthOf(shown, Column::kFamily), drawn, kPatience);
    }
    Shown again(home.places());
    QVERIFY(isSettled(again));
    QCOMPARE(widthOf(again, Column::kFamily), drawn);
  }

  void theSortingIsKept() {
    const Home home;
    QStringList names;
    {
      Shown shown(home.places());
      QVERIFY(isSettled(shown));
      names = namesOf(shown);
      clickHeading(shown, Column::kName);
      clickHeading(shown, Column::kName);
      QVERIFY(namesOf(shown) != names);
      names = namesOf(shown);
    }
    Shown again(home.places());
    QCOMPARE(headerOf(again)->sortIndicatorSection(), int(Column::kName));
    QCOMPARE(headerOf(again)->sortIndicatorOrder(), Qt::DescendingOrder);
    QVERIFY(isSettled(again));
    QCOMPARE(namesOf(again), names);
  }

  void theColumnsAreReset_data() {
    QTest::addColumn<bool>("byKeys");
    QTest::newRow("on the headings") << false;
    QTest::newRow("in the table") << true;
  }
  void theColumnsAreReset() {
    QFETCH(bool, byKeys);
    const Home home;
    Shown shown(home.places());
    QVERIFY(isSettled(shown));
    const QStringList names = namesOf(shown);
    const int usual = widthOf(shown, Column::kType);
    drag(shown, Column::kType, 50);
    clickHeading(shown, Column::kName);
    clickHeading(shown, Column::kName);
    QVERIFY(widthOf(shown, Column::kType) != usual);
    if (byKeys)
      choose(shown.table(), QContextMenuEvent::Keyboard);
    else
      choose(headerOf(shown)->viewport(), QContextMenuEvent::Mouse);
    QCOMPARE(widthOf(shown, Column::kType), usual);
    QCOMPARE(namesOf(shown), names);
    QVERIFY(Settings().modelColumns().isEmpty());
    Shown again(home.places());
    QVERIFY(isSettled(again));
    QCOMPARE(widthOf(again, Column::kType), usual);
    QCOMPARE(headerOf(again)->sortIndicatorSection(), int(Column::kFit));
  }

  // Of another version of the program, or edited by hand.
  void valuesThatFitNoColumnArePassedOver_data() {
    QTest::addColumn<QVariantMap>("kept");
    QTest::newRow("no map") << QVariantMap{{"widths", "wide"}, {"sortedBy", 7}};
    QTest::newRow("no column") << QVariantMap{{"widths", QVariantMap{{"colour", 90}}},
                                              {"sortedBy", "colour"}};
    QTest::newRow("no width") << QVariantMap{{"widths", QVariantMap{{"type", -5}, {"family", "x"}}}};
  }
  void valuesThatFitNoColumnArePassedOver() {
    QFETCH(QVariantMap, kept);
    const Home home;
    int usual = 0;
    {
      Shown shown(home.places());
      QVERIFY(isSettled(shown));
      usual = widthOf(shown, Column::kType);
    }
    Settings().modelColumns.set(kept);
    Shown shown(home.places());
    QVERIFY(isSettled(shown));
    QCOMPARE(widthOf(shown, Column::kType), usual);
    QCOMPARE(headerOf(shown)->sortIndicatorSection(), int(Column::kFit));
  }

  void anEndlessWidthIsBounded() {
    const Home home;
    Settings().modelColumns.set({{"widths", QVariantMap{{"type", 2'000'000'000}}}});
    Shown shown(home.places());
    QVERIFY(isSettled(shown));
    QCOMPARE(widthOf(shown, Column::kType), 4000);
  }
};

QTEST_MAIN(TestKeptColumns)
#include "tst_kept_columns.moc"
