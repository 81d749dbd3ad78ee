#include "gui/panels/panel_header.h"

#include <QApplication>
#include <QEvent>
#include <QToolButton>
#include <algorithm>

#include "gui/parts/small_parts.h"
#include "widgets/support/eliding_label.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr int kHeaderSide = 9, kHeaderAbove = 7, kHeaderBelow = 4;

}  // namespace

PanelHeader::PanelHeader(const QString& title, QWidget* panel)
    : QWidget(panel),
      m_panel(panel),
      m_title(new ElidingLabel(title, this)),
      m_summary(new ElidingLabel(this)),
      m_button(new QToolButton(this)) {
  makeBold(m_title);
  makeBold(m_summary);
  m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_summary->setTextFormat(Qt::PlainText);
  m_summary->setAccessibleName(tr("%1, in short").arg(title));
  m_button->setText(QStringLiteral("⋯"));
  m_button->setAutoRaise(true);
  m_button->setFocusPolicy(Qt::NoFocus);  // the View menu does the same from the keyboard
  m_button->setAccessibleName(tr("Float or close %1").arg(title));
  m_button->setToolTip(tr("Float or close this panel"));
  QSizePolicy kept = m_button->sizePolicy();
  kept.setRetainSizeWhenHidden(true);  // the summary does not jump when the button appears
  m_button->setSizePolicy(kept);
  m_button->hide();
  connect(m_button, &QToolButton::clicked, this,
          [this] { emit menuRequested(m_button->mapToGlobal(m_button->rect().bottomLeft())); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kHeaderSide, kHeaderAbove, kHeaderSide, kHeaderBelow);
  row->setSpacing(6);
  addParts(row, {m_title, m_button, {m_summary, 1}});
  panel->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, &PanelHeader::showButton);
  applyColours();
}

void PanelHeader::setSummary(const QString& summary) { m_summary->setText(summary); }

void PanelHeader::setFolded(bool folded) {
  if (m_folded == folded) return;
  m_folded = folded;
  for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_summary)})
    part->setVisible(!folded);
  showButton();
  updateGeometry();
}

void PanelHeader::setLeftGround(int pixels) {
  layout()->setContentsMargins(kHeaderSide + pixels, kHeaderAbove, std::max(0, kHeaderSide - pixels),
                               kHeaderBelow);
}

QSize PanelHeader::sizeHint() const {
  return {120, m_folded ? 2 : QFontMetrics(m_title->font()).height() + kHeaderAbove + kHeaderBelow};
}
QSize PanelHeader::minimumSizeHint() const { return {60, sizeHint().height()}; }

bool PanelHeader::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
    m_hovered = event->type() == QEvent::Enter;
    showButton();
  }
  return QWidget::eventFilter(watched, event);
}

void PanelHeader::showButton() {
  const QWidget* focus = QApplication::focusWidget();
  const bool focused = focus && m_panel->isAncestorOf(focus);
  m_button->setVisible(!m_folded && (m_hovered || focused));
}

void PanelHeader::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyColours();  // only the summary's own is changed there
  if (event->type() == QEvent::FontChange) updateGeometry();
}

void PanelHeader::applyColours() {
  QPalette dim = palette();
  const Theme theme(dim);
  dim.setColor(QPalette::WindowText, theme.dimText());
  m_summary->setPalette(dim);
}

}  // namespace vitrine

#include "moc_panel_header.cpp"
