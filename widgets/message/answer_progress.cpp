#include "widgets/message/answer_progress.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kLetters = 18, kThickness = 8;  // width in the average letter of the font; height in pixels
}  // namespace

AnswerProgress::AnswerProgress(QWidget* parent) : QProgressBar(parent) {
  setTextVisible(false);
  setAccessibleName(tr("Tokens of the prompt that are read"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setVisible(false);
}

void AnswerProgress::display(const ChatEntry& entry) {
  const AnswerFigures& figures = entry.figures;
  const bool reads = entry.status == AnswerStatus::kReading && figures.promptTokens > 0;
  setVisible(reads);
  if (!reads) return;
  if (maximum() != figures.promptTokens) setRange(0, figures.promptTokens);
  setValue(figures.computedTokens);  // does nothing where it is the same
  if (m_cached == figures.cachedTokens) return;
  m_cached = figures.cachedTokens;
  update();
}

QSize AnswerProgress::sizeHint() const { return {kLetters * fontMetrics().averageCharWidth(), kThickness}; }

void AnswerProgress::paintEvent(QPaintEvent*) {
  if (maximum() <= 0) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const QRectF bar = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  QPainterPath shape;
  shape.addRoundedRect(bar, bar.height() / 2, bar.height() / 2);
  painter.fillPath(shape, mix(theme.base(), theme.text(), 0.16));
  painter.setClipPath(shape);
  const auto end = [&](int tokens) {
    return bar.width() * std::clamp(tokens / static_cast<double>(maximum()), 0.0, 1.0);
  };
  painter.fillRect(QRectF(bar.left(), bar.top(), end(value()), bar.height()), theme.accentText());
  const QRectF cached(bar.left(), bar.top(), end(std::min(m_cached, value())), bar.height());
  painter.fillRect(cached, QBrush(theme.base(), Qt::BDiagPattern));
  painter.setClipping(false);
  painter.strokePath(shape, QPen(theme.line(), 1));
}

}  // namespace vitrine

#include "moc_answer_progress.cpp"
