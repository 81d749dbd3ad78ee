#include "gui/lessons/lesson_guide.h"

#include <QDesktopServices>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "gui/lessons/lesson_menu.h"
#include "gui/lessons/lesson_view.h"
#include "gui/machine/model_loading.h"
#include "gui/machine/usage_notice.h"
#include "gui/runs/run_to.h"
#include "gui/settings/settings.h"
#include "vitrine/error.h"
#include "widgets/support/locale_name.h"

namespace vitrine {

LessonGuide::LessonGuide(LessonView& view, ModelLoading& loading, RunTo& runTo, Settings& settings,
                         QWidget* window)
    : QObject(window),
      m_view(view),
      m_model(*view.model()),
      m_loading(loading),
      m_runTo(runTo),
      m_settings(settings),
      m_menu(new LessonMenu(window)) {
  connect(m_menu, &LessonMenu::lessonChosen, this, &LessonGuide::open);
  connect(m_menu, &LessonMenu::closeRequested, this, &LessonGuide::close);
  connect(&view, &LessonView::listRequested, this,
          [this] { m_menu->popup(m_view.mapToGlobal(QPoint(0, m_view.height() / 2))); });
  connect(&view, &LessonView::addressChosen, this,
          [](const QString& address) { QDesktopServices::openUrl(QUrl(address)); });
  connect(&m_model, &LessonModel::actionRequested, this, &LessonGuide::act);
  connect(&m_model, &LessonModel::pageChanged, this, &LessonGuide::remember);
  connect(&m_model, &LessonModel::pageChanged, this, &LessonGuide::turned);
  connect(&m_model, &LessonModel::ended, this, &LessonGuide::onEnded);
  connect(&loading, &ModelLoading::opened, this, &LessonGuide::onOpened);
  connect(&loading, &ModelLoading::ended, this, &LessonGuide::onLoadingEnded);
}

// Says what a lesson's file has that cannot be used.
template <class Action>
void LessonGuide::guarded(const Action& action) {
  try {
    action();
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  } catch (const UsageError& error) {
    emit noticed(noticeOf(error, LessonGuide::tr("Correct the lesson's file, or choose another.")));
  }
}

void LessonGuide::open(const QString& nameOrFile) {
  guarded([&] {
    Lesson lesson = readLesson(nameOrFile.toStdString(), localeName());
    emit readable();
    const QString name = QString::fromStdString(lesson.name);
    const int left = m_settings.lessonPage(name);
    const bool wasFinished = left + 1 >= static_cast<int>(lesson.pages.size());
    m_model.open(std::move(lesson), wasFinished ? 0 : left);
    m_menu->setOpen(name);
    const auto& all = LessonMenu::shipped();
    const auto next = std::ranges::find(all, nextName().toStdString(), &Lesson::name);
    m_view.setNextLesson(next == all.end() ? QString() : QString::fromStdString(next->title));
    emit opened();
  });
}

void LessonGuide::close() {
  m_model.close();
  m_menu->setOpen({});
  emit turned();
  emit closed();
}

QString LessonGuide::nextName() const {
  const auto& all = LessonMenu::shipped();
  const auto here = std::ranges::find(all, m_model.lesson().name, &Lesson::name);
  return here == all.end() || here + 1 == all.end() ? QString() : QString::fromStdString((here + 1)->name);
}

void LessonGuide::remember() {
  const QString name = QString::fromStdString(m_model.lesson().name);
  m_settings.setLessonPage(name, m_model.page());
  if (m_model.page() + 1 == m_model.pageCount()) m_settings.finishLesson(name);
}

void LessonGuide::onEnded() {
  const QString next = nextName();
  if (next.isEmpty()) return close();
  open(next);
}

void LessonGuide::act(int action) {
  const LessonAction& wanted = m_model.at({m_model.page(), action});
  emit turned();
  switch (wanted.deed) {
    case LessonDeed::kScenario:
      m_then.reset();
      return begin({m_model.page(), action});
    case LessonDeed::kUntil:
      return runTo(action);
    case LessonDeed::kStep: {
      Breakpoint there;
      there.kind = BreakKind::kStep;
      there.step = m_model.wantedStep(action);
      return m_runTo.run(there);
    }
    case LessonDeed::kShow:
      emit showRequested(QString::fromStdString(wanted.target));
      return m_model.setDone(action);
    case LessonDeed::kCompare:
      return guarded([&] {
        LessonAction plain = wanted;
        plain.options.clear();
        emit compareRequested(scenarioOf(m_model.lesson(), plain, localeName()),
                              scenarioOf(m_model.lesson(), wanted, localeName()));
        m_model.setDone(action);
      });
  }
}

void LessonGuide::begin(LessonModel::Place place) {
  guarded([&] {
    Scenario scenario = scenarioOf(m_model.lesson(), m_model.at(place), localeName());
    m_ordered = place;
    m_loading.playScenario(std::move(scenario));
  });
}

// The moment may lie in the past already, or in a scenario that does not play yet.
void LessonGuide::runTo(int action) {
  if (const auto hit = m_model.hitOf(action)) return m_runTo.session().goToStep(hit->step);
  if (!m_model.isFollowed(action)) {
    const auto scenario = m_model.scenarioBefore(action);
    if (!scenario) return;
    m_then = LessonModel::Place{m_model.page(), action};
    return begin(*scenario);
  }
  m_runTo.session().goLive();
  m_runTo.run(m_model.at({m_model.page(), action}).moment, RunSpeed::kFull);
}

void LessonGuide::onOpened() {
  const auto place = std::exchange(m_ordered, std::nullopt);
  if (!place || !m_model.isOpen() || !m_loading.current().scenario) return;
  m_model.beginRun(*place);
  emit opened();
}

// Before that the machine would not run.
void LessonGuide::onLoadingEnded() {
  m_ordered.reset();
  const auto then = std::exchange(m_then, std::nullopt);
  if (then && m_model.isOpen() && then->page == m_model.page() && m_model.isFollowed(then->action))
    runTo(then->action);
}

}  // namespace vitrine

#include "moc_lesson_guide.cpp"
