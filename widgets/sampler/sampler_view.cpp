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
namespace {

constexpr int kTryGap = 10;  // around "try it", in pixels

}  // namespace

SamplerView::SamplerView(SamplerModel* model, QWidget* parent)
    : CursorView(model, {}, parent), m_candidates(model) {
  setAccessibleName(tr("Sampler, stage by stage"));
}

QString SamplerView::emptyText() const {
  if (m_candidates->rowCount() > 0) return {};
  if (m_candidates->isOfBeam())
    return tr("A beam search samples no tokens: it keeps the best continuations of all beams.");
  return tr(
      "The candidates of the latest token appear here, and what each stage of the sampler did to them.");
}

// In a panel too low for some roomy rows the candidates come first: rows stand closer, the draws are in the
// line below, and a column's number of tokens is in its tip.
bool SamplerView::isLow() const {
  const int line = fontMetrics().height(), row = line + kRoomy;
  return viewport()->height() < kTop + row + 2 * line + kRoomy + kRoomyRows * row;
}
int SamplerView::drawsHeight() const {
  return isLow() ? 0 : kTop + (m_candidates->previewed() ? 2 : 1) * rowHeight();
}

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
  return std::min(wanted, std::max(tokenRoom(), position + kSide + 6));
}

int SamplerView::tokenRoom() const {
  return viewport()->width() - kSide - static_cast<int>(shown().size()) * leastStageWidth();
}

// Behind the columns, where tokens leave it the room; else "try it" lies on the last column of its row.
int SamplerView::tryRoom() const {
  const int left = tokenRoom() - tokenWidth();
  return left >= tryWidth() ? tryWidth() : 0;
}

int SamplerView::tryWidth() const {
  return static_cast<int>(std::ceil(textWidth(font(), tryText()))) + kTryGap;
}

int SamplerView::leastStageWidth() const {
  return 6 + static_cast<int>(std::ceil(textWidth(font(), formatPercent(1))));
}

int SamplerView::stageWidth() const {
  const int columns = std::max(1, static_cast<int>(shown().size()));
  return std::max(leastStageWidth(), (viewport()->width() - tokenWidth() - tryRoom() - kSide) / columns);
}

QSize SamplerView::contentSize() const {
  return {tokenWidth() + static_cast<int>(shown().size()) * stageWidth() + tryRoom() + kSide,
          rowsTop() + m_candidates->rowCount() * rowHeight() + kTop};
}

QRect SamplerView::placeOf(int row) const {
  return {0, rowsTop() + row * rowHeight(), contentSize().width(), rowHeight()};
}

int SamplerView::pinnedRow() const {
  for (int row = 0; row < m_candidates->rowCount(); ++row) {
    if (!m_candidates->at(row).chosen) continue;
    const int top = toContent({0, rowsTop()}).y(), bottom = toContent({0, viewport()->height()}).y();
    const QRect place = placeOf(row);
    return place.top() < top || place.bottom() >= bottom ? row : -1;
  }
  return -1;
}

QRect SamplerView::rowArea(int row) const {
  QRect place = placeOf(row);
  if (row >= 0 && row == pinnedRow()) place.moveBottom(toContent({0, viewport()->height() - 1}).y());
  return place;
}

QRect SamplerView::headArea() const {
  return {toContent({0, 0}) + QPoint(0, drawsHeight()), QSize(contentSize().width(), headHeight())};
}

ViewItem SamplerView::itemAt(const QPoint& content) const {
  if (content.y() < toContent({0, rowsTop()}).y()) return {};
  if (const int pinned = pinnedRow(); pinned >= 0 && content.y() >= rowArea(pinned).top()) return {pinned};
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
  if (lines.size() == 1) lines << tr("Less likely than all that are listed.");
  if (candidate.chosen) lines << tr("This token was sampled.");
  if (candidate.previewed) lines << tr("The preview chooses this token.");
  if (!isBranch(item.row)) return lines.join(u'\n');
  lines << tr("“try it” or Enter: a new request goes on with this token instead.");
  const Session& session = *m_candidates->session();
  if (!session.isLive())
    lines << tr("It leaves the past: the view goes from step %1 to the newest one.").arg(session.step());
  return lines.join(u'\n');
}

QString SamplerView::tipOfHead(int x) const {
  const std::vector<StageColumn> columns = shown();
  const int at = x < tokenWidth() ? -1 : (x - tokenWidth()) / stageWidth();
  if (at < 0) return tr("The candidates for position %1").arg(m_candidates->position());
  if (at >= static_cast<int>(columns.size())) return {};
  const StageColumn& column = columns[static_cast<std::size_t>(at)];
  QStringList lines;
  for (int stage = column.first; stage <= column.last; ++stage)
    lines << tr("%1: %2 left").arg(m_candidates->stageTitle(stage), formatCount(m_candidates->keptAt(stage)));
  if (lines.isEmpty()) lines << tr("Top-k and top-p keep all tokens.");
  lines << (m_unfolded ? tr("Click: stages share columns again") : tr("Click: a column for each stage"));
  return lines.join(u'\n');
}

QString SamplerView::tipAt(const QPoint& content) const {
  if (m_candidates->rowCount() == 0) return {};
  if (headArea().contains(content)) return tipOfHead(content.x());
  if (content.y() < headArea().top()) return tipOfDraws();
  return CursorView::tipAt(content);
}

// With the head above it and a pinned row below it, neither of which scrolls.
QRect SamplerView::itemRect(const ViewItem& item) const {
  const QRect area = placeOf(item.row);
  if (m_candidates->at(item.row).chosen) return {};                           // it is in sight
  const bool fits = pinnedRow() < 0 && area.bottom() < viewport()->height();  // nothing need scroll for it
  return {0, area.top() - rowsTop(), 1, rowsTop() + (fits ? 1 : 2) * area.height()};
}

QRect SamplerView::tryArea(int row) const {
  if (row < 0 || row != currentRow() || !isBranch(row)) return {};
  const QRect area = rowArea(row);
  return {area.right() - kSide - tryWidth() + 1, area.top(), tryWidth(), area.height()};
}

void SamplerView::currentChanged() {
  if (currentRow() < 0) return;
  const SamplerRow& candidate = m_candidates->at(currentRow());
  m_selected = candidate.token;
  emit candidateSelected(candidate.token, candidate.text);
}

// What was selected among the candidates of one token is nothing among those of another.
void SamplerView::contentChanged() {
  const bool same = m_sequence == m_candidates->sequence() && m_position == m_candidates->position();
  m_sequence = m_candidates->sequence();
  m_position = m_candidates->position();
  if (!same) return placeCursor({});
  for (int row = 0; currentRow() >= 0 && row < m_candidates->rowCount(); ++row)
    if (m_candidates->at(row).token == m_selected) placeCursor({row});  // a preview may order them anew
  CursorView::contentChanged();
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
  QAction* all = menu.addAction(tr("A column for &each stage"), this, &SamplerView::setUnfolded);
  all->setCheckable(true);
  all->setChecked(m_unfolded);
}

void SamplerView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Right) return setUnfolded(true);
  if (event->key() == Qt::Key_Left) return setUnfolded(false);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return branch(currentRow());
  CursorView::keyPressEvent(event);
}

void SamplerView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && headArea().contains(toContent(event->pos())))
    return setUnfolded(!m_unfolded);
  if (event->button() == Qt::LeftButton && tryArea(currentRow()).contains(toContent(event->pos())))
    return branch(currentRow());
  CursorView::mousePressEvent(event);
}

void SamplerView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint content = toContent(event->pos());
  const bool acts = itemAt(content).exists() || headArea().contains(content);
  viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

// How SamplerView paints.

void SamplerView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const bool onScreen = painter.device() == viewport();
  for (int row = 0; row < m_candidates->rowCount(); ++row)
    if (const QRect place = placeOf(row); place.intersects(exposed)) paintRow(painter, row, place, theme);
  painter.save();
  const QPoint corner = headingCorner(painter);
  painter.translate(0, corner.y());
  painter.fillRect(QRect(0, 0, contentSize().width(), rowsTop()), theme.base());
  if (drawsHeight() > 0) paintDraws(painter, theme);
  paintHead(painter, theme);
  painter.restore();
  if (const int pinned = pinnedRow(); onScreen && pinned >= 0) paintPinned(painter, pinned, theme);
}

// As a link is painted.
void SamplerView::paintTry(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const QRectF place(area.right() - kSide - tryWidth(), area.top() + 2, tryWidth() - 2, area.height() - 4);
  drawBox(painter, place, 4, QPen(theme.line(), 1), theme.base());
  paintText(painter, place, Qt::AlignCenter, tryText(), theme.accentText());
}

// Under a line of its own, since rows between are left out.
void SamplerView::paintPinned(QPainter& painter, int row, const Theme& theme) const {
  const QRect area = rowArea(row);
  painter.fillRect(area, theme.base());
  painter.setPen(QPen(theme.line(), 1, Qt::DashLine));
  painter.drawLine(kSide, area.top() - 1, area.right() - kSide, area.top() - 1);
  paintRow(painter, row, area, theme);
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
  const auto head = [&](double left, double width, int side, const QString& title, const QString& below) {
    painter.setFont(bold);
    paintText(painter, QRectF(left, top, width, line), side, elidedText(bold, title, width), theme.text());
    painter.setFont(font());
    painter.setPen(theme.dimText());
    if (!isLow()) paintText(painter, QRectF(left, top + line, width, line), side, below);
  };
  head(kSide, tokenWidth() - kSide - 4, kAtLeft, positionText(),
       m_candidates->previewed() ? tr("preview") : tr("left"));
  double left = tokenWidth();
  for (const StageColumn& column : shown()) {
    head(left, stageWidth() - 7, kAtRight, column.title, formatCount(m_candidates->keptAt(column.last)));
    left += stageWidth();
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(kSide, rowsTop() - 1, contentSize().width() - kSide, rowsTop() - 1);
}

void SamplerView::paintRow(QPainter& painter, int row, const QRectF& area, const Theme& theme) const {
  const SamplerRow& candidate = m_candidates->at(row);
  if (candidate.chosen) {
    drawBox(painter, area.adjusted(4, 0, -4, 0), 5, Qt::NoPen, mix(theme.base(), theme.accent(), 0.2));
  }
  if (row == currentRow()) {
    drawBox(painter, area.adjusted(5, 1, -5, -1), 5, QPen(theme.accent(), hasFocus() ? 2 : 1));
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
  for (const StageColumn& column : shown()) {
    paintBar(painter, QRectF(left, area.top(), stageWidth(), area.height()), candidate, column, theme);
    left += stageWidth();
  }
  if (row == currentRow() && isBranch(row)) paintTry(painter, area, theme);
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

void SamplerView::paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row,
                           const StageColumn& column, const Theme& theme) const {
  const double probability = row.probabilities[static_cast<std::size_t>(column.last)];
  const QRectF inner = cell.adjusted(0, isLow() ? 1 : 3, -4, isLow() ? -1 : -3);
  const QRectF text = inner.adjusted(2, 0, -3, 0);
  if (probability < 0) {
    const bool isListed =
        row.removedAt >= 0 || std::ranges::any_of(row.probabilities, [](double p) { return p >= 0; });
    if (column.removes(row.removedAt)) paintText(painter, text, kAtRight, tr("out"), theme.warning());
    if (!isListed) paintText(painter, text, kAtRight, QStringLiteral("…"), theme.dimText());
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
  paintText(painter, text, kAtRight, formatPercent(probability), theme.text());
}

}  // namespace vitrine

#include "moc_sampler_view.cpp"
