// A lesson in the window: how it is opened, what its keys and links do, what it remembers, and what it says
// of a file that is none.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "gui/lessons/lesson_choices.h"
#include "gui/lessons/lesson_guide.h"
#include "gui/lessons/lesson_menu.h"
#include "gui/lessons/lesson_reading.h"
#include "gui/lessons/lesson_view.h"
#include "gui/panels/panel_dock.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/outline_light.h"
#include "gui/window/file_kind.h"
#include "support/window_bench.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

const char* const kLesson = R"(---
title: A small lesson
about: For a test.
order: 1
minutes: 1
---

The first page.

## Run

[Play six blocks](scenario:six-blocks), [take a step](step:1),
[run until a sequence is preempted](until:preemption), and [look at the memory](show:blocks).

## A question

Which?

- [ ] This one
  It is not.
- [x] That one
  It is.

## Summary

- It ends.

## Further reading

- [arXiv 2309.06180](https://arxiv.org/abs/2309.06180)
)";

}  // namespace

class TestLessonWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString written(const QString& name, const QByteArray& text) const {
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return file.fileName();
  }
  static PanelDock* dockOf(MainWindow& window) { return window.findChild<PanelDock*>("lesson"); }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void aFileIsALessonByWhatItHolds() {
    QCOMPARE(fileKind(written("lesson.md", kLesson)), FileKind::kLesson);
    QCOMPARE(fileKind(written("notes.md", "# Notes\n")), FileKind::kOther);
    QCOMPARE(fileKind(m_folder.filePath("none.md")), FileKind::kOther);
  }

  void itIsThereWhenItIsOpened() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(dockOf(w.window)->isHidden());
    w.window.open(written("small.md", kLesson));
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    QCOMPARE(dockOf(w.window)->summary(), QString("1 of 5"));
    w.window.lessons().close();
    QVERIFY(dockOf(w.window)->isHidden());
    QVERIFY(!w.window.panels().lessonModel->isOpen());
    w.window.restoreDefaultLayout();
    QVERIFY(dockOf(w.window)->isHidden());
  }

  void anotherPerspectiveKeepsIt() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    w.window.showPerspective(Perspective::kChat);
    QTRY_VERIFY(!dockOf(w.window)->isVisible());
    w.window.showPerspective(Perspective::kPresent);
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    w.window.showPerspective(Perspective::kStep);
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    const auto areBarsUsed = [&w] {
      const auto bars = w.window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly);
      return std::ranges::none_of(bars,
                                  [](const QTabBar* bar) { return bar->isVisible() && bar->count() < 2; });
    };
    QTRY_VERIFY(areBarsUsed());
    w.window.restoreDefaultLayout();
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    QTRY_VERIFY(areBarsUsed());
  }

  // A presenter's clicker has two keys.
  void aClickerLeadsThroughIt() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    LessonModel& model = *w.window.panels().lessonModel;
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    const auto press = [&](Qt::Key key) { QTest::keyClick(&w.window, key); };
    press(Qt::Key_PageDown);
    QCOMPARE(model.page(), 1);
    press(Qt::Key_PageUp);
    QCOMPARE(model.page(), 0);
    press(Qt::Key_PageDown);
    press(Qt::Key_PageDown);
    QVERIFY(waitUntil([&] { return model.isDone(0) && w.isPaused(); }));
    press(Qt::Key_PageDown);
    QVERIFY(waitUntil([&] { return model.isDone(1) && w.isPaused(); }));
    QCOMPARE(w.window.session().finishedStep(), 1);
    press(Qt::Key_PageDown);
    QVERIFY(waitUntil([&] { return model.isDone(2) && w.isPaused(); }));
    press(Qt::Key_PageDown);
    QVERIFY(model.isDone(3));
    QCOMPARE(w.window.pointer().around(), w.window.findChild<PanelDock*>("blocks"));
    QVERIFY(w.window.pointer().isVisible());
    press(Qt::Key_PageDown);
    QCOMPARE(model.page(), 2);
    QVERIFY(w.window.pointer().around() == nullptr);
    press(Qt::Key_PageDown);
    QVERIFY(model.isRevealed());
    press(Qt::Key_PageDown);
    press(Qt::Key_PageDown);
    QCOMPARE(model.page(), 4);
    QCOMPARE(w.window.panels().lesson->goButton()->text(), QString("End the lesson"));
    press(Qt::Key_PageDown);
    QVERIFY(dockOf(w.window)->isHidden());
  }

  // It counts what the machine does, by whatever button.
  void aMomentIsDoneHoweverItCame() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    LessonModel& model = *w.window.panels().lessonModel;
    model.goTo(1);
    emit model.actionRequested(0);
    QVERIFY(waitUntil([&] { return model.isDone(0) && w.isPaused(); }));
    QVERIFY(!model.isDone(2));
    w.window.bar().setStepsPerSecond(0);
    w.window.run();
    QVERIFY(waitUntil([&] { return w.isIdle() && w.isPaused(); }));
    QVERIFY(model.isDone(1) && model.isDone(2));
    const auto hit = model.hitOf(2);
    QVERIFY(hit && hit->step < w.window.session().lastStep());
    emit model.actionRequested(2);
    QTRY_COMPARE(w.window.session().step(), hit->step);
    emit model.actionRequested(0);  // from the beginning: nothing has happened yet
    QVERIFY(waitUntil([&] { return w.live().step == 0 && w.isPaused() && model.isDone(0); }));
    QVERIFY(!model.isDone(2));
  }

  // Opened again on a page in the middle, no scenario plays: the link begins it.
  void aMomentBeginsItsScenario() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    LessonModel& model = *w.window.panels().lessonModel;
    model.goTo(1);
    w.window.lessons().close();
    w.window.open(written("small.md", kLesson));
    QCOMPARE(model.page(), 1);
    emit model.actionRequested(2);
    QVERIFY(waitUntil([&] { return model.isDone(2) && w.isPaused(); }));
    QCOMPARE(w.window.session().step(), model.hitOf(2)->step);
    QVERIFY(model.isDone(0));
  }

  void anAnswerSaysWhy() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    LessonModel& model = *w.window.panels().lessonModel;
    model.goTo(2);
    const LessonView& view = *w.window.panels().lesson;
    QTRY_COMPARE(view.choices()->buttons().size(), std::size_t{2});
    QCOMPARE(view.goButton()->text(), QString("Show the answer"));
    QTest::mouseClick(view.choices()->buttons()[0], Qt::LeftButton);
    QCOMPARE(model.chosen(), std::optional(0));
    const auto shown = [&view] {
      QStringList texts;
      for (const QLabel* label : view.choices()->findChildren<QLabel*>())
        if (label->isVisible()) texts << label->text();
      return texts;
    };
    QTRY_COMPARE(shown(), QStringList({"✗ This one", "It is not.", "✓ That one", "It is."}));
    QTest::mouseClick(view.choices()->buttons()[1], Qt::LeftButton);  // too late
    QCOMPARE(model.chosen(), std::optional(0));
    QCOMPARE(view.goButton()->text(), QString("Next page"));
  }

  void aLinkInTheTextActs() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.open(written("small.md", kLesson));
    LessonModel& model = *w.window.panels().lessonModel;
    model.goTo(1);
    const QString text = w.window.panels().lesson->reading()->toPlainText();
    QVERIFY2(text.contains("Play six blocks, take a step,"), qPrintable(text));
    emit w.window.panels().lesson->reading()->linkChosen("https://action.invalid/3");
    QVERIFY(model.isDone(3));
    QTRY_VERIFY(w.window.panels().lesson->reading()->toPlainText().contains("✓ look at the memory"));
  }

  void whatCannotBeReadIsSaid() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QByteArray faulty = kLesson;
    faulty.replace("show:blocks", "show:nothing");
    w.window.open(written("faulty.md", faulty));
    QTRY_VERIFY(w.window.messages().isVisible());
    const QString said = w.window.messages().textOf(MessageCause::kOpening);
    QVERIFY2(said.contains("faulty.md") && said.contains("line 13") && said.contains("nothing"),
             qPrintable(said));
    QVERIFY(!w.window.panels().lessonModel->isOpen());
    w.window.open(written("small.md", kLesson));
    QTRY_VERIFY(!w.window.messages().isVisible());
    QVERIFY(w.window.panels().lessonModel->isOpen());
  }

  void theMenuHasTheCourse() {
    ShownWindow w;
    QVERIFY(w.openModel());
    LessonMenu& menu = *w.window.lessons().menu();
    QVERIFY(w.window.menuBar()->actions().contains(menu.menuAction()));
    const auto names = shippedLessonNames();
    QCOMPARE(LessonMenu::shipped().size(), names.size());
    if (names.empty()) QSKIP("no lesson ships");
    menu.actions().front()->trigger();
    QTRY_VERIFY(dockOf(w.window)->isInSight());
    QCOMPARE(w.window.panels().lessonModel->lesson().name, names.front());
    QVERIFY(menu.actions().front()->isChecked());
  }
};

QTEST_MAIN(TestLessonWindow)
#include "tst_lesson_window.moc"
