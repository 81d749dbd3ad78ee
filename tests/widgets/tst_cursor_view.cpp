// The cursor of a painted view: where keys and the mouse lead it, what it tells, and what becomes of it when
// items go.
#include <QMouseEvent>
#include <QScrollBar>
#include <QTest>

#include "widgets/painting/cursor_view.h"
#include "widgets/painting/named_values_model.h"

using namespace vitrine;
using Way = CursorHabits::Way;

namespace {

constexpr int kCell = 40, kAcross = 3;

// A square for each item, three in a line; in a grid each line is a row.
class Squares : public CursorView {
 public:
  Squares(NamedValuesModel* model, const CursorHabits& habits)
      : CursorView(model, habits, nullptr), m_model(model), m_isGrid(habits.way == Way::kGrid) {
    resize(200, 100);
    show();
  }

  using CursorView::currentItem;
  using CursorView::hoveredItem;
  using CursorView::setCurrentItem;
  using CursorView::tipAt;

  QPoint middle(const ViewItem& item) const { return itemRect(item).center() - toContent({}); }

  std::vector<ViewItem> activated;
  int changes = 0, hovers = 0;

 protected:
  QSize contentSize() const override { return {kAcross * kCell, 10 * kCell}; }
  void paintContent(QPainter&, const QRect&, const Theme&) const override {}
  int itemCount() const override { return m_model->rowCount(); }
  std::pair<int, int> columnsOf(int) const override { return {0, m_isGrid ? kAcross - 1 : 0}; }
  int itemsInLine() const override { return kAcross; }
  ViewItem itemAt(const QPoint& content) const override {
    const int line = content.y() / kCell, column = content.x() / kCell;
    const ViewItem item = m_isGrid ? ViewItem{line, column} : ViewItem{line * kAcross + column};
    return column < kAcross && item.row < itemCount() ? item : ViewItem();
  }
  QRect itemRect(const ViewItem& item) const override {
    const int line = m_isGrid ? item.row : item.row / kAcross,
              column = m_isGrid ? item.column : item.row % kAcross;
    return {column * kCell, line * kCell, kCell, kCell};
  }
  QString describeItem(const ViewItem& item) const override {
    return QStringLiteral("%1:%2").arg(item.row).arg(item.column);
  }
  prose::Target targetOf(const ViewItem& item) const override { return {.step = item.row + 1}; }
  void currentChanged() override { ++changes; }
  void hoverChanged() override { ++hovers; }
  void activate(const ViewItem& item) override { activated.push_back(item); }

 private:
  NamedValuesModel* m_model;
  const bool m_isGrid;
};

struct Bench {
  explicit Bench(const CursorHabits& habits, int rows = 8) : view(&model, habits) { setRows(rows); }

  void setRows(int rows) { model.setValues(std::vector<NamedValue>(static_cast<std::size_t>(rows))); }
  void press(std::initializer_list<Qt::Key> keys) {
    for (const Qt::Key key : keys) QTest::keyClick(&view, key);
  }
  void move(const QPoint& to) {
    QMouseEvent event(QEvent::MouseMove, to, to, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view.viewport(), &event);
  }

  Session session;
  NamedValuesModel model{&session, {}, {}};
  Squares view;
};

}  // namespace

class TestCursorView : public QObject {
  Q_OBJECT

 private slots:
  void keysLead_data();
  void keysLead();
  void otherKeysGoToTheParent();
  void anItemIsAnnouncedAndComesIntoSight();
  void theMouseChooses();
  void enterAndSpaceActivate();
  void hovering();
  void itemsThatGoTakeTheCursorAlong();
};

void TestCursorView::keysLead_data() {
  using Keys = QList<Qt::Key>;
  QTest::addColumn<int>("way");
  QTest::addColumn<Keys>("keys");
  QTest::addColumn<bool>("fromEnd");
  QTest::addColumn<QPoint>("place");  // column, row
  const auto row = [](const char* name, Way way, const Keys& keys, QPoint place, bool fromEnd = false) {
    QTest::newRow(name) << static_cast<int>(way) << keys << fromEnd << place;
  };
  const auto up = Qt::Key_Up, down = Qt::Key_Down, left = Qt::Key_Left, right = Qt::Key_Right,
             home = Qt::Key_Home, end = Qt::Key_End;
  row("the first key", Way::kDown, {down}, {0, 0});
  row("backwards first", Way::kDown, {up}, {0, 0});
  row("backwards from the end", Way::kDown, {up}, {0, 7}, true);
  row("down and up", Way::kDown, {down, down, down, up}, {0, 1});
  row("not across", Way::kDown, {down, right}, {0, 0});
  row("the ends", Way::kDown, {end, down}, {0, 7});
  row("home", Way::kDown, {end, home, up}, {0, 0});
  row("across", Way::kAcross, {right, right, right, left}, {0, 1});
  row("across from the end", Way::kAcross, {left}, {0, 7}, true);
  row("a line down", Way::kAcross, {right, right, down}, {0, 4});
  row("no line below", Way::kAcross, {end, down}, {0, 7});
  row("a line up", Way::kAcross, {end, up}, {0, 4});
  row("no line above", Way::kAcross, {right, right, up}, {0, 1});
  row("lines without a current item", Way::kAcross, {down}, {0, 0});
  row("grid", Way::kGrid, {down, down, right}, {1, 1});
  row("grid keeps the column", Way::kGrid, {down, right, down, down, up}, {1, 1});
  row("grid's edges", Way::kGrid, {down, end, right, up}, {2, 0});
  row("home in a grid", Way::kGrid, {down, down, end, home}, {0, 1});
}

void TestCursorView::keysLead() {
  QFETCH(int, way);
  QFETCH(QList<Qt::Key>, keys);
  QFETCH(bool, fromEnd);
  QFETCH(QPoint, place);
  Bench bench({.way = static_cast<Way>(way), .ends = true, .fromEnd = fromEnd});
  QCOMPARE(bench.view.currentRow(), -1);
  for (const Qt::Key key : keys) bench.press({key});
  QCOMPARE(QPoint(bench.view.currentColumn(), bench.view.currentRow()), place);
}

void TestCursorView::otherKeysGoToTheParent() {
  const auto isTaken = [](Bench& bench, Qt::Key key) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QCoreApplication::sendEvent(&bench.view, &event);
    return event.isAccepted();
  };
  Bench plain({});
  QVERIFY(isTaken(plain, Qt::Key_Down));
  for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Left, Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Space})
    QVERIFY(!isTaken(plain, key));
  Bench empty({.ends = true, .enter = true}, 0);
  QVERIFY(!isTaken(empty, Qt::Key_Down));
  QVERIFY(!isTaken(empty, Qt::Key_Return));
}

void TestCursorView::anItemIsAnnouncedAndComesIntoSight() {
  Bench bench({.way = Way::kGrid, .points = true});
  bench.view.setCurrentItem({6, 2});
  QCOMPARE(bench.view.accessibleDescription(), "6:2");
  QCOMPARE(bench.session.spotlight()->target().step, 7);
  QVERIFY(bench.view.verticalScrollBar()->value() > 0);
  QVERIFY(bench.view.viewport()->rect().contains(bench.view.middle({6, 2})));
  QCOMPARE(bench.view.changes, 1);
  bench.view.setCurrentItem({100, 100});
  QCOMPARE(bench.view.currentItem(), (ViewItem{7, 2}));
}

void TestCursorView::theMouseChooses() {
  Bench any({});
  QTest::mouseClick(any.view.viewport(), Qt::RightButton, {}, any.view.middle({4}));
  QCOMPARE(any.view.currentRow(), 4);
  QVERIFY(any.view.activated.empty());
  QTest::mouseClick(any.view.viewport(), Qt::LeftButton, {}, any.view.middle({1}));
  QCOMPARE(any.view.activated, std::vector<ViewItem>{{1}});
  QTest::mouseClick(any.view.viewport(), Qt::LeftButton, {}, {kAcross * kCell + 5, 5});  // beside the items
  QCOMPARE(any.view.currentRow(), 1);
  QCOMPARE(any.view.changes, 2);
  Bench left({.leftOnly = true});
  QTest::mouseClick(left.view.viewport(), Qt::RightButton, {}, left.view.middle({4}));
  QCOMPARE(left.view.currentRow(), -1);
}

void TestCursorView::enterAndSpaceActivate() {
  Bench bench({.enter = true, .space = true});
  bench.press({Qt::Key_Return});
  QVERIFY(bench.view.activated.empty());  // nothing is current
  bench.press({Qt::Key_Down, Qt::Key_Return, Qt::Key_Down, Qt::Key_Space});
  QCOMPARE(bench.view.activated, (std::vector<ViewItem>{{0}, {1}}));
}

void TestCursorView::hovering() {
  Bench bench({});
  bench.move(bench.view.middle({4}));
  bench.move(bench.view.middle({4}) + QPoint(1, 1));
  QCOMPARE(bench.view.hoveredItem(), ViewItem{4});
  QCOMPARE(bench.view.hovers, 1);
  QCOMPARE(bench.session.spotlight()->target().step, 5);
  QCOMPARE(bench.view.tipAt({kCell + 5, kCell + 5}), "4:0");
  QVERIFY(bench.view.tipAt({kAcross * kCell + 5, 5}).isEmpty());
  QCOMPARE(bench.view.currentRow(), -1);
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(&bench.view, &leave);
  QVERIFY(!bench.view.hoveredItem().exists());
  QCOMPARE(bench.view.hovers, 2);
}

void TestCursorView::itemsThatGoTakeTheCursorAlong() {
  Bench bench({}), always({.always = true});
  QCOMPARE(always.view.currentRow(), 0);
  for (Bench* one : {&bench, &always}) {
    one->view.setCurrentItem({6});
    one->move(one->view.middle({6}));
    one->setRows(3);
    QCOMPARE(one->view.currentRow(), 2);
    QVERIFY(!one->view.hoveredItem().exists());
    one->setRows(0);
    one->setRows(5);
  }
  QCOMPARE(bench.view.currentRow(), -1);
  QCOMPARE(always.view.currentRow(), 0);
}

QTEST_MAIN(TestCursorView)
#include "tst_cursor_view.moc"
