#include "gui/lessons/lesson_menu.h"

#include <QFileDialog>
#include <map>
#include <string>

#include "gui/settings/settings.h"
#include "vitrine/error.h"
#include "widgets/support/locale_name.h"

namespace vitrine {

LessonMenu::LessonMenu(QWidget* parent) : QMenu(tr("&Lessons"), parent) {
  setToolTipsVisible(true);
  for (const Lesson& lesson : shipped()) {
    const QString name = QString::fromStdString(lesson.name);
    QAction* const action = addAction(QString(), this, [this, name] { emit lessonChosen(name); });
    action->setCheckable(true);
    action->setToolTip(QString::fromStdString(lesson.about));
    m_lessons.push_back(action);
  }
  addSeparator();
  addAction(tr("&Open a lesson file…"), this, &LessonMenu::chooseFile);
  m_close = addAction(tr("&Close the lesson"), this, &LessonMenu::closeRequested);
  connect(this, &QMenu::aboutToShow, this, &LessonMenu::tell);
  tell();
}

void LessonMenu::setOpen(const QString& name) {
  m_open = name;
  tell();
}

// A lesson that cannot be read is left out here; the tests read each of them.
const std::vector<Lesson>& LessonMenu::shipped() {
  static std::map<std::string, std::vector<Lesson>> read;  // by language
  const std::string language = localeName();
  const auto [found, isNew] = read.try_emplace(language);
  if (!isNew) return found->second;
  for (const std::string& name : shippedLessonNames()) {
    try {
      found->second.push_back(readLesson(name, language));
    } catch (const std::exception&) {
    }
  }
  return found->second;
}

void LessonMenu::tell() {
  const QStringList finished = Settings().finishedLessons();
  for (std::size_t i = 0; i < m_lessons.size(); ++i) {
    const Lesson& lesson = shipped()[i];
    const QString name = QString::fromStdString(lesson.name);
    QString title = tr("%1 · %2").arg(i + 1).arg(QString::fromStdString(lesson.title));
    if (finished.contains(name)) title += QStringLiteral(" ✓");
    m_lessons[i]->setText(title);
    m_lessons[i]->setChecked(name == m_open);
  }
  m_close->setEnabled(!m_open.isEmpty());
}

void LessonMenu::chooseFile() {
  const QString file =
      QFileDialog::getOpenFileName(parentWidget(), tr("Open a lesson"), {}, tr("Lessons (*.md)"));
  if (!file.isEmpty()) emit lessonChosen(file);
}

}  // namespace vitrine

#include "moc_lesson_menu.cpp"
