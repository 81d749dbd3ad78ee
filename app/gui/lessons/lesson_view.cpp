#include "gui/lessons/lesson_view.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/lessons/lesson_choices.h"
#include "gui/lessons/lesson_reading.h"
#include "gui/parts/small_parts.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kLessonSide = 12, kLessonGap = 8;
constexpr double kTitleShare = 1.2;  // of the letters of the text

}  // namespace

LessonView::LessonView(LessonModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_title(namedLabel(tr("The page's title"), this)),
      m_reading(new LessonReading(this)),
      m_choices(new LessonChoices(this)),
      m_scroll(new QScrollArea(this)),
      m_back(commandButton(QStringLiteral("◀"), tr("The page before"), this)),
      m_forward(commandButton(QStringLiteral("▶"), tr("The next page, whatever this one has left"), this)),
      m_go(plainButton({}, {}, this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Lesson"));
  m_back->setAccessibleName(tr("The page before"));
  m_forward->setAccessibleName(tr("The next page"));
  applyAccent();
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(kLessonSide, kLessonGap, kLessonSide, kLessonGap);
  column->setSpacing(kLessonGap);
  addParts(column, {m_title, m_reading, m_choices})->addStretch(1);
  m_scroll->setWidget(page);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_scroll->viewport()->setAutoFillBackground(false);  // the card's colour
  page->setAutoFillBackground(false);
  auto* pages = addParts(new QHBoxLayout, {m_back, m_forward, {new QWidget(this), 1}});
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(kLessonSide, kLessonGap / 2, kLessonSide, kLessonGap);
  addParts(foot, {m_go, pages});
  addParts(withoutMargins(new QVBoxLayout(this)), {{m_scroll, 1}, foot})->setSpacing(0);

  connect(model, &LessonModel::changed, this, &LessonView::tell);
  connect(model, &LessonModel::pageChanged, this, &LessonView::turn);
  connect(m_reading, &LessonReading::actionChosen, model, &LessonModel::actionRequested);
  connect(m_reading, &LessonReading::addressChosen, this, &LessonView::addressChosen);
  connect(m_choices, &LessonChoices::chosen, model, &LessonModel::choose);
  connect(m_back, &QToolButton::clicked, model, &LessonModel::goBack);
  connect(m_forward, &QToolButton::clicked, model, [model] {
    if (model->isOpen()) model->goTo(model->page() + 1);
  });
  connect(m_go, &QPushButton::clicked, this, &LessonView::go);
  tell();
}

QString LessonView::summary() const {
  if (!m_model->isOpen()) return {};
  return tr("%1 of %2").arg(m_model->page() + 1).arg(m_model->pageCount());
}

void LessonView::setNextLesson(const QString& title) {
  m_nextLesson = title;
  tell();
}

void LessonView::go() {
  if (m_model->isOpen())
    m_model->goOn();
  else
    emit listRequested();
}

QString LessonView::goWords() const {
  if (!m_model->isOpen()) return tr("Choose a lesson");
  using enum LessonModel::Next;
  switch (m_model->next()) {
    case kAct:
      return QString::fromStdString(
          m_model->shown().actions[static_cast<std::size_t>(m_model->nextAction())].words);
    case kReveal:
      return tr("Show the answer");
    case kPage:
      return tr("Next page");
    case kEnd:
      return m_nextLesson.isEmpty() ? tr("End the lesson") : tr("Next lesson: %1").arg(m_nextLesson);
  }
  return {};
}

void LessonView::tell() {
  const bool isOpen = m_model->isOpen();
  const QString summary = this->summary();
  m_title->setText(
      !isOpen ? tr("A lesson leads through the machine in ten minutes: it starts a scenario, runs to "
                   "the moment that matters, and points at what to see.")
              : QString::fromStdString(m_model->shown().title));
  QFont bold = font();
  bold.setBold(isOpen);
  if (isOpen) bold.setPointSizeF(bold.pointSizeF() * kTitleShare);
  m_title->setFont(bold);
  m_reading->setVisible(isOpen);
  m_choices->setVisible(isOpen && !m_model->shown().choices.empty());
  if (isOpen) {
    m_reading->show(*m_model);
    m_choices->show(*m_model);
  }
  for (QWidget* part : std::initializer_list<QWidget*>{m_back, m_forward}) part->setVisible(isOpen);
  m_go->setText(goWords().replace(u'&', QStringLiteral("&&")));
  m_go->setToolTip(m_go->text());
  if (summary != m_summary) emit summaryChanged(m_summary = summary);
}

// The one button that leads on, as Step does on the toolbar.
void LessonView::applyAccent() {
  QPalette lit = palette();
  const QColor accent = Theme::of(this).accent();
  lit.setColor(QPalette::Button, accent);
  lit.setColor(QPalette::ButtonText, Theme::inkOn(accent));
  m_go->setPalette(lit);
}

void LessonView::turn() { m_scroll->verticalScrollBar()->setValue(0); }

void LessonView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) m_reading->applyTheme();
  if (event->type() == QEvent::PaletteChange) applyAccent();
  if (event->type() == QEvent::FontChange) tell();
}

}  // namespace vitrine

#include "moc_lesson_view.cpp"
