#include "gui/bars/headline_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

#include "gui/bars/phase_strip.h"
#include "gui/parts/card.h"
#include "gui/scenario/scenario_line.h"
#include "widgets/explain/headline_view.h"

namespace vitrine {

namespace {

constexpr int kSide = 8, kSpacing = 14;  // pixels

}  // namespace

HeadlineBar::HeadlineBar(Session& session, QWidget* parent)
    : QToolBar(tr("The step in a sentence"), parent),
      m_phases(new PhaseStrip(this)),
      m_headline(new HeadlineView(new HeadlineModel(&session, this), this)),
      m_scenario(new ScenarioLine(session, this)) {
  setObjectName(QStringLiteral("headlineBar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  setStyle(new CardStyle(this));
  auto* content = new QWidget(this);
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(kSide, 1, kSide, 2 + kCardGap);
  row->setSpacing(kSpacing);
  row->addWidget(m_phases);
  row->addWidget(m_headline, 1);
  row->addWidget(m_scenario);
  content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addWidget(content);
  parent->installEventFilter(this);
  connect(m_scenario, &ScenarioLine::described, m_headline, &HeadlineView::setOpening);
  connect(m_headline, &HeadlineView::openingChosen, m_scenario, &ScenarioLine::openSheet);
}

// A low window has no room for a second line, and a narrow one none for all phases beside the sentence. The
// sentence is cut last: the button of the next event is shortened before it.
bool HeadlineBar::eventFilter(QObject* watched, QEvent* event) {
  constexpr int kRoomyFrom = 18;  // lines of text
  constexpr int kSentence = 60;   // letters of a line: a preemption has a hundred
  constexpr int kOthers = 70;     // letters: the sentence, and the next event
  const bool changes = event->type() == QEvent::Resize || event->type() == QEvent::FontChange;
  if (watched == parentWidget() && changes) {
    const int line = fontMetrics().height(), letter = fontMetrics().averageCharWidth();
    m_headline->setLines(parentWidget()->height() < kRoomyFrom * line ? 1 : 2);
    m_phases->setAlone(parentWidget()->width() < m_phases->wholeWidth() + kOthers * letter);
    m_scenario->setRoom(parentWidget()->width() - m_phases->sizeHint().width() - kSentence * letter -
                        2 * (kSide + kSpacing));
  }
  return QToolBar::eventFilter(watched, event);
}

void HeadlineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  const int band = height() - kCardGap;
  painter.fillRect(QRect(0, 0, width(), band), theme.base());
  painter.fillRect(QRect(0, band - 1, width(), 1), theme.line());
}

}  // namespace vitrine

#include "moc_headline_bar.cpp"
