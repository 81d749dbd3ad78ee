#include "widgets/sampler/sampler_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/sampler/draw_bar_painter.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

SamplerView::SamplerView(SamplerModel* model, QWidget* parent)
    : CursorView(model, {.enter = true}, parent), m_candidates(model) {
  setAccessibleName(tr("Sampler, stage by stage"));
}

QString SamplerView::emptyText() const {
  if (m_candidates->rowCount() > 0) return {};
  if (m_candidates->isOfBeam())
    return tr("A beam search samples no tokens: it keeps the best continuations of all beams.");
  return tr(
      "The candidates of the latest token appear here, and what each stage of the sampler did to them.");
}

// In a low panel the candidates come first: rows stand closer, and a stage's number of tokens is in its tip.
bool SamplerView::isLow() const { return viewport()->height() < kRoomyLines * fontMetrics().height(); }

int SamplerView::tokenWidth() const {
  const QFont bold = boldened(font());  // as the chosen token is
  const int mark = fontMetrics().height();
  const int position = static_cast<int>(std::ceil(textWidth(bold, positionText())));
  double widest = position - mark;
  for (int row = 0; row < m_candidates->rowCount(); ++row)
    widest = std::max(widest, textWidth(bold, m_candidates->at(row).text));
  const int most = fontMetrics().averageCharWidth() * 18;
  const int wanted = std::min(static_cast<int>(std::ceil(widest)), most) + kSide + mark + 8;
  // A long token is cut before a stage leaves the view.
  const int room = viewport()->width() - kSide - static_cast<int>(shownStages().size()) * leastStageWidth();
  return std::min(wanted, std::max(room, position + kSide + 6));
}

int SamplerView::leastStageWidth() const {
  return 9 + static_cast<int>(std::ceil(textWidth(font(), formatPercent(1))));
}

int SamplerView::stageWidth() const {
  const int stages = std::max(1, static_cast<int>(shownStages().size()));
  return std::max(leastStageWidth(), (viewport()->width() - tokenWidth() - kSide) / stages);
}

std::vector<int> SamplerView::shownStages() const {
  std::vector<int> shown;
  for (int stage = 0; stage < m_candidates->stages(); ++stage)
    if (m_unfolded || m_candidates->stageChanges(stage)) shown.push_back(stage);
  return shown;
}

QStringList SamplerView::idleStages() const {
  QStringList idle;
  for (int stage = 0; stage < m_candidates->stages(); ++stage)
    if (!m_candidates->stageChanges(stage)) idle << m_candidates->stageTitle(stage);
  return idle;
}

QSize SamplerView::contentSize() const {
  const int fold = idleStages().isEmpty() ? 0 : rowHeight();
  return {tokenWidth() + static_cast<int>(shownStages().size()) * stageWidth() + kSide,
          rowsTop() + m_candidates->rowCount() * rowHeight() + fold + kSide};
}

QRect SamplerView::rowArea(int row) const {
  return {0, rowsTop() + row * rowHeight(), contentSize().width(), rowHeight()};
}

QRect SamplerView::foldArea() const {
  return idleStages().isEmpty() ? QRect() : rowArea(m_candidates->rowCount());
}

ViewItem SamplerView::itemAt(const QPoint& content) const {
  if (content.y() < rowsTop()) return {};
  const int row = (content.y() - rowsTop()) / rowHeight();
  return {row < m_candidates->rowCount() ? row : -1};
}

bool SamplerView::isBranch(int row) const {
  return row >= 0 && row < m_candidates->rowCount() && !m_candidates->at(row).chosen;
}

void SamplerView::setUnfolded(bool unfolded) {
  if (m_unfolded == unfolded) return;
  m_unfolded = unfolded;
  layoutContent();
  viewport()->update();
}

QString SamplerView::tipOfDraws() const {
  QStringList lines;
  if (const DrawBar* drawn = m_candidates->drawn()) lines << drawn->sentence();
  if (const DrawBar* preview = m_candidates->previewed()) lines << tr("Preview: %1").arg(preview->sentence());
  return lines.join(u'\n');
}

QString SamplerView::describeItem(const ViewItem& item) const {
  const SamplerRow& candidate = m_candidates->at(item.row);
  QStringList lines{tr("“%1”, token %2").arg(candidate.text, QString::number(candidate.token))};
  for (int stage = 0; stage < m_candidates->stages(); ++stage) {
    const double probability = candidate.probabilities[static_cast<std::size_t>(stage)];
    if (probability >= 0)
      lines << tr("%1: %2").arg(m_candidates->stageTitle(stage), formatPercent(probability));
    else if (candidate.removedAt == stage)
      lines << tr("%1: removed").arg(m_candidates->stageTitle(stage));
  }
  if (candidate.chosen) lines << tr("This token was sampled.");
  if (candidate.previewed) lines << tr("The preview chooses this token.");
  if (isBranch(item.row)) lines << tr("Click or Enter: a new request goes on with this token instead.");
  return lines.join(u'\n');
}

QString SamplerView::tipOfHead(int x) const {
  const std::vector<int> shown = shownStages();
  const int column = x < tokenWidth() ? -1 : (x - tokenWidth()) / stageWidth();
  if (column < 0) return tr("The candidates for position %1").arg(m_candidates->position());
  if (column >= static_cast<int>(shown.size())) return {};
  const int stage = shown[static_cast<std::size_t>(column)];
  return tr("%1: %2 left").arg(m_candidates->stageTitle(stage), formatCount(m_candidates->keptAt(stage)));
}

QString SamplerView::tipAt(const QPoint& content) const {
  if (m_candidates->rowCount() == 0) return {};
  if (content.y() < drawsHeight()) return tipOfDraws();
  if (content.y() < rowsTop()) return tipOfHead(content.x());
  return CursorView::tipAt(content);
}

QString SamplerView::summary() const {
  const Session* session = m_candidates->session();
  if (m_candidates->position() < 0) return {};
  const QString token = tr("%1 at %2")
                            .arg(session->names().letter(m_candidates->sequence(), session->state()))
                            .arg(m_candidates->position());
  return m_candidates->previewed() ? tr("%1 · preview").arg(token) : token;
}

QRect SamplerView::itemRect(const ViewItem& item) const {
  const QRect area = rowArea(item.row);
  return {0, area.top(), 1, area.height()};
}

void SamplerView::branch(int row) {
  if (!isBranch(row)) return;
  const SamplerRow& candidate = m_candidates->at(row);
  emit branchRequested(m_candidates->sequence(), m_candidates->position(), candidate.token, candidate.text);
}

void SamplerView::addActions(QMenu& menu) {
  if (isBranch(currentRow()))
    menu.addAction(tr("&Branch with “%1”")
                       .arg(QString(m_candidates->at(currentRow()).text)
                                .replace(QLatin1String("&"), QLatin1String("&&"))),
                   this, [this, row = currentRow()] { branch(row); });
  if (idleStages().isEmpty()) return;
  QAction* all = menu.addAction(tr("Show stages that changed &nothing"), this, &SamplerView::setUnfolded);
  all->setCheckable(true);
  all->setChecked(m_unfolded);
}

void SamplerView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Right) return setUnfolded(true);
  if (event->key() == Qt::Key_Left) return setUnfolded(false);
  CursorView::keyPressEvent(event);
}

void SamplerView::mousePressEvent(QMouseEvent* event) {
  if (foldArea().contains(toContent(event->pos()))) return setUnfolded(!m_unfolded);
  CursorView::mousePressEvent(event);
}

void SamplerView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint content = toContent(event->pos());
  const bool acts = isBranch(itemAt(content).row) || foldArea().contains(content);
  viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

// How SamplerView paints.

void SamplerView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  paintDraws(painter, theme);
  paintHead(painter, theme);
  for (int row = 0; row < m_candidates->rowCount(); ++row)
    if (rowArea(row).intersects(exposed)) paintRow(painter, row, theme);
  paintFold(painter, theme);
}

void SamplerView::paintDraws(QPainter& painter, const Theme& theme) const {
  const DrawBar* const bars[] = {m_candidates->drawn(), m_candidates->previewed()};
  DrawBarColumns columns;
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    columns.label = std::max(columns.label, textWidth(font(), drawBarLabel(*bars[i], i == 1)));
    columns.token = std::max(columns.token, textWidth(font(), bars[i]->chosenText) + 2);
  }
  const int width = viewport()->width() - 2 * kSide;
  columns.token = std::min(columns.token, width * 0.3);
  QRectF row(kSide, kTop, width, rowHeight());
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    paintDrawBar(painter, row, *bars[i], i == 1, theme, columns);
    row.translate(0, rowHeight());
  }
}

void SamplerView::paintHead(QPainter& painter, const Theme& theme) const {
  const double line = fontMetrics().height(), top = drawsHeight() + 2;
  const QFont bold = boldened(font());
  const auto head = [&](double left, double width, const QString& title, const QString& below) {
    painter.setFont(bold);
    paintText(painter, QRectF(left, top, width, line), kAtLeft, elidedText(bold, title, width), theme.text());
    painter.setFont(font());
    painter.setPen(theme.dimText());
    if (!isLow()) paintText(painter, QRectF(left, top + line, width, line), kAtLeft, below);
  };
  head(kSide, tokenWidth() - kSide - 4, positionText(),
       m_candidates->previewed() ? tr("preview") : QString());
  double left = tokenWidth();
  for (const int stage : shownStages()) {
    head(left, stageWidth() - 4, m_candidates->stageTitle(stage),
         tr("%1 left").arg(formatCount(m_candidates->keptAt(stage))));
    left += stageWidth();
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(kSide, rowsTop() - 4, contentSize().width() - kSide, rowsTop() - 4);
}

void SamplerView::paintRow(QPainter& painter, int row, const Theme& theme) const {
  const SamplerRow& candidate = m_candidates->at(row);
  const QRectF area = rowArea(row);
  if (candidate.chosen) {
    drawBox(painter, area.adjusted(4, 1, -4, -1), 5, Qt::NoPen, mix(theme.base(), theme.accent(), 0.2));
  }
  if (row == currentRow() && hasFocus()) {
    drawBox(painter, area.adjusted(5, 2, -5, -2), 5, QPen(theme.accent(), 2));
  }
  QFont face = boldened(font(), candidate.chosen || candidate.previewed);
  face.setStrikeOut(candidate.removedAt >= 0);
  painter.setFont(face);
  painter.setPen(candidate.removedAt >= 0 ? theme.dimText() : theme.text());
  const double markWidth = fontMetrics().height();
  const QRectF text(kSide + markWidth, area.top(), tokenWidth() - kSide - markWidth - 4, area.height());
  paintText(painter, text, kAtLeft, elidedText(face, candidate.text, text.width()));
  painter.setFont(font());
  paintMark(painter, area, candidate, theme);
  double left = tokenWidth();
  for (const int stage : shownStages()) {
    paintBar(painter, QRectF(left, area.top(), stageWidth(), area.height()), candidate, stage, theme);
    left += stageWidth();
  }
}

// A filled arrow head: the engine's choice; a hollow one: the preview's. So both are visible without colour.
void SamplerView::paintMark(QPainter& painter, const QRectF& area, const SamplerRow& row,
                            const Theme& theme) const {
  if (!row.chosen && !row.previewed) return;
  painter.setPen(QPen(theme.text(), 1.5));
  painter.setBrush(row.chosen ? QBrush(theme.text()) : QBrush(Qt::NoBrush));
  const QPointF tip(kSide + fontMetrics().height() - 6, area.center().y());
  painter.drawPolygon(QPolygonF({tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)}));
}

void SamplerView::paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row, int stage,
                           const Theme& theme) const {
  const double probability = row.probabilities[static_cast<std::size_t>(stage)];
  const QRectF inner = cell.adjusted(0, isLow() ? 1 : 3, -4, isLow() ? -1 : -3);
  if (probability < 0) {
    if (row.removedAt != stage) return;
    paintText(painter, inner, kAtLeft | Qt::TextDontClip, tr("removed"), theme.warning());
    return;
  }
  drawBox(painter, inner, 3, Qt::NoPen, theme.panel());
  const bool preview = m_candidates->previewed() != nullptr;
  const bool chosen = preview ? row.previewed : row.chosen;
  const QColor colour = mix(theme.base(), theme.accent(), chosen ? 0.75 : 0.42);
  const QRectF filled(inner.left(), inner.top(), std::max(2.0, inner.width() * std::min(1.0, probability)),
                      inner.height());
  if (preview) {
    fillHatched(painter, filled, colour, Hatch::kRising);
  } else {
    painter.setBrush(colour);
    painter.drawRoundedRect(filled, 3, 3);
  }
  paintText(painter, inner.adjusted(2, 0, -3, 0), kAtRight, formatPercent(probability), theme.text());
}

void SamplerView::paintFold(QPainter& painter, const Theme& theme) const {
  const QStringList idle = idleStages();
  if (idle.isEmpty()) return;
  const QRectF area = QRectF(foldArea()).adjusted(kSide, 0, -kSide, 0);
  const QPointF centre(area.left() + 5, area.center().y());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.dimText());
  painter.drawPolygon(
      m_unfolded ? QPolygonF({centre + QPointF(-5, -3), centre + QPointF(5, -3), centre + QPointF(0, 4)})
                 : QPolygonF({centre + QPointF(-3, -5), centre + QPointF(-3, 5), centre + QPointF(4, 0)}));
  painter.setPen(theme.dimText());
  const QRectF text = area.adjusted(fontMetrics().height(), 0, 0, 0);
  const QString names = tr("changed nothing: %1").arg(idle.join(QStringLiteral(", ")));
  paintText(painter, text, kAtLeft, elidedText(font(), names, text.width()));
}

}  // namespace vitrine

#include "moc_sampler_view.cpp"
