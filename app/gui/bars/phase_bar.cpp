#include "gui/bars/phase_bar.h"

#include <QHBoxLayout>
#include <QPainter>

#include "gui/bars/phase_strip.h"
#include "gui/parts/card.h"
#include "gui/scenario/scenario_line.h"

namespace vitrine {

PhaseBar::PhaseBar(const Session& session, QWidget* parent)
    : QToolBar(tr("Phases"), parent),
      m_phases(new PhaseStrip(this)),
      m_scenario(new ScenarioLine(session, this)) {
  setObjectName(QStringLiteral("phaseBar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  auto* style = new CardStyle;
  style->setParent(this);
  setStyle(style);
  auto* content = new QWidget(this);
  auto* row = new QHBoxLayout(content);
  row->setContentsMargins(8, 3, 0, 4 + kCardGap);
  row->setSpacing(4);
  row->addWidget(m_phases);
  row->addWidget(m_scenario, 1);
  row->addStretch();
  content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addWidget(content);
}

void PhaseBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  const int band = height() - kCardGap;
  painter.fillRect(QRect(0, 0, width(), band), theme.base());
  painter.fillRect(QRect(0, band - 1, width(), 1), theme.line());
}

}  // namespace vitrine

#include "moc_phase_bar.cpp"
