// Every lesson that ships, gone through from its first page to its last in the real window with the button
// that does what comes next: each action does what it says, and what it points at is there and in sight.
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "gui/compare/compare_opening.h"
#include "gui/compare/compare_window.h"
#include "gui/lessons/lesson_choices.h"
#include "gui/lessons/lesson_guide.h"
#include "gui/lessons/lesson_reading.h"
#include "gui/lessons/lesson_view.h"
#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/outline_light.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

class TestLessonCourse : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

  static QString placeOf(const LessonModel& model, const LessonAction& action) {
    return QString("%1, line %2: %3")
        .arg(QString::fromStdString(model.lesson().name))
        .arg(action.line)
        .arg(QString::fromStdString(action.words));
  }

  // What an action points at has the light around it, and nothing lies before it.
  static bool isPointedAt(MainWindow& window, const std::string& panel) {
    const QWidget* const part = window.pointer().around();
    if (part == nullptr || !part->isVisible() || part->size().isEmpty()) return false;
    const QRect place(part->mapTo(&window, QPoint()), part->size());
    if (!window.rect().contains(place.center())) return false;
    if (!window.pointer().isVisible() || window.pointer().size().isEmpty()) return false;
    if (const auto* dock = qobject_cast<const PanelDock*>(part)) return dock->isInSight();
    if (const auto* stage = qobject_cast<const Stage*>(part))
      return stage->shown() == QString::fromStdString(panel);
    return true;
  }

  static void follow(ShownWindow& w, const LessonAction& action, int place) {
    const LessonModel& model = *w.window.panels().lessonModel;
    const QByteArray where = placeOf(model, action).toUtf8();
    QTest::mouseClick(w.window.panels().lesson->goButton(), Qt::LeftButton);
    QVERIFY2(waitUntil([&] { return model.isDone(place); }), where);
    QVERIFY2(waitUntil([&] { return w.isPaused(); }), where);
    QVERIFY2(!w.window.messages().isVisible(), where);
    QVERIFY2(w.window.panels().lesson->isVisible(), where);
    switch (action.deed) {
      case LessonDeed::kScenario:
        QCOMPARE(w.live().step, 0);
        break;
      case LessonDeed::kUntil:
        QTRY_VERIFY2(model.hitOf(place), where);
        QTRY_COMPARE(w.window.session().step(), model.hitOf(place)->step);
        break;
      case LessonDeed::kStep:
        QVERIFY2(w.window.session().finishedStep() >= model.wantedStep(place), where);
        break;
      case LessonDeed::kShow:
        QTRY_VERIFY2(isPointedAt(w.window, action.target), where);
        break;
      case LessonDeed::kCompare: {
        auto* const compare = w.window.findChild<CompareWindow*>();
        QVERIFY2(compare && compare->isVisible() && compare->pair().isOpen(), where);
        QVERIFY2(waitUntil([&] { return compare->pair().canStep(); }), where);
        QTest::mouseClick(compare->stepButton(), Qt::LeftButton);
        QVERIFY2(waitUntil([&] { return compare->pair().step() == 1; }), where);
        compare->close();
        break;
      }
    }
  }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }

  void isGoneThrough_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : shippedLessonNames())
      QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
  void isGoneThrough() {
    QFETCH(const QString, name);
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.lessons().open(name);
    const LessonView& view = *w.window.panels().lesson;
    LessonModel& model = *w.window.panels().lessonModel;
    QTRY_VERIFY(view.isVisible());
    QCOMPARE(model.page(), 0);
    for (int page = 0; page < model.pageCount(); ++page) {
      QCOMPARE(model.page(), page);
      const LessonPage& shown = model.shown();
      QVERIFY(!view.reading()->toPlainText().isEmpty());
      for (int i = 0; i < static_cast<int>(shown.actions.size()); ++i) {
        QCOMPARE(model.nextAction(), i);
        QCOMPARE(view.goButton()->text(),
                 QString::fromStdString(shown.actions[std::size_t(i)].words).replace("&", "&&"));
        follow(w, shown.actions[std::size_t(i)], i);
        if (QTest::currentTestFailed()) return;
      }
      if (!shown.choices.empty()) {
        QCOMPARE(view.choices()->buttons().size(), shown.choices.size());
        QTest::mouseClick(view.goButton(), Qt::LeftButton);
        QVERIFY(model.isRevealed());
      }
      if (page + 1 < model.pageCount()) QTest::mouseClick(view.goButton(), Qt::LeftButton);
    }
    QCOMPARE(model.next(), LessonModel::Next::kEnd);
    QVERIFY(Settings().finishedLessons().contains(name));
  }
};

QTEST_MAIN(TestLessonCourse)
#include "tst_lesson_course.moc"
