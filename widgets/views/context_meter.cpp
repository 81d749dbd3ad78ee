#include "widgets/views/context_meter.h"

#include <QPainter>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

ContextMeter::ContextMeter(Session* session, QWidget* parent) : QWidget(parent), m_session(session) {
  setFont(readable(font()));
  setAccessibleName(tr("Context"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(session, &Session::stateChanged, this, &ContextMeter::refresh);
  connect(session, &Session::selectionChanged, this, &ContextMeter::refresh);
}

void ContextMeter::setSequence(SequenceId sequence) {
  m_sequence = sequence;
  refresh();
}

void ContextMeter::refresh() {
  if (!isVisible()) return;
  const MachineState& state = m_session->state();
  const auto found = state.sequences.find(m_sequence != 0 ? m_sequence : m_session->selectedSequence());
  const bool known = found != state.sequences.end();
  m_tokens = known ? static_cast<int>(found->second.tokens.size()) : 0;
  m_blocks = known ? static_cast<int>(found->second.blockTable.size()) : 0;
  m_context = m_session->engine() ? m_session->engine()->model.contextLength : 0;
  const QString words = text();
  setToolTip(tr("How much of the model's context is in use.\n%1").arg(words));
  if (words != accessibleDescription()) setAccessibleDescription(words);
  update();
}

QString ContextMeter::text() const {
  QString words = m_context > 0 ? tr("%1 of %2 tokens").arg(formatCount(m_tokens), formatCount(m_context))
                                : tr("%n token(s)", nullptr, m_tokens);
  return words + QStringLiteral(" · ") + tr("%n block(s)", nullptr, m_blocks);
}

QSize ContextMeter::sizeHint() const {
  const QString widest = tr("%1 of %2 tokens").arg(formatCount(88888), formatCount(88888)) +
                         QStringLiteral(" · ") + tr("%n block(s)", nullptr, 8888);
  return {fontMetrics().horizontalAdvance(widest) + 70, fontMetrics().height() + 4};
}

void ContextMeter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const QString words = text();
  const double wordsWidth = textWidth(font(), words) + 10;
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(rect()).adjusted(2, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter, words);
  const QRectF bar(2, height() / 2.0 - 3, width() - wordsWidth - 4, 6);
  if (bar.width() < 20) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), theme.text(), 0.16));
  painter.drawRoundedRect(bar, 3, 3);
  const double share = m_context > 0 ? std::clamp(m_tokens / static_cast<double>(m_context), 0.0, 1.0) : 0;
  if (share <= 0) return;
  painter.setBrush(share > 0.9 ? theme.warning() : theme.accent());
  painter.drawRoundedRect(QRectF(bar.left(), bar.top(), std::max(6.0, bar.width() * share), bar.height()), 3,
                          3);
}

void ContextMeter::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace vitrine
