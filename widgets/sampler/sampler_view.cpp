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

SamplerLayout SamplerView::placed() const {
  return {*m_candidates,
          {.everyStage = m_unfolded,
           .font = font(),
           .sight = QRect(toContent({0, 0}), viewport()->size()),
           .position = positionText(),
           .tryIt = tryText()}};
}

QSize SamplerView::contentSize() const { return placed().size(); }

ViewItem SamplerView::itemAt(const QPoint& content) const { return {placed().rowAt(content.y())}; }

bool SamplerView::isBranch(int row) const {
  return row >= 0 && row < m_candidates->rowCount() && !m_candidates->at(row).chosen &&
         m_candidates->at(row).token >= 0;
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
  QStringList lines{candidate.token < 0
                        ? tr("“%1”").arg(candidate.text)
                        : tr("“%1”, token %2").arg(candidate.text, QString::number(candidate.token))};
  for (int stage = 0; stage < m_candidates->stages(); ++stage) {
    const double probability = candidate.probabilities[static_cast<std::size_t>(stage)];
    if (probability >= 0)
      lines << tr("%1: %2").arg(m_candidates->stageTitle(stage), formatPercent(probability));
    else if (candidate.removedAt == stage && m_candidates->isMask(stage))
      lines << tr("%1: masked. The answer is in the rule %2, which goes on with %3.")
                   .arg(m_candidates->stageTitle(stage), m_candidates->grammarPlace(),
                        m_candidates->grammarExpects());
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

QString SamplerView::tipOfHead(const Layout& layout, int x) const {
  const std::vector<StageColumn>& columns = layout.columns();
  const int at = layout.columnAt(x);
  if (at < 0) return tr("The candidates for position %1").arg(m_candidates->position());
  if (at >= static_cast<int>(columns.size())) return {};
  const StageColumn& column = columns[static_cast<std::size_t>(at)];
  QStringList lines;
  for (int stage = column.first; stage <= column.last; ++stage)
    lines << tr("%1: %2 left").arg(m_candidates->stageTitle(stage), formatCount(m_candidates->keptAt(stage)));
  if (column.first == column.last && m_candidates->isMask(column.first))
    lines << tr("The answer is in the rule %1, which goes on with %2.")
                 .arg(m_candidates->grammarPlace(), m_candidates->grammarExpects());
  if (lines.isEmpty()) lines << tr("Top-k and top-p keep all tokens.");
  lines << (m_unfolded ? tr("Click: stages share columns again") : tr("Click: a column for each stage"));
  return lines.join(u'\n');
}

QString SamplerView::tipAt(const QPoint& content) const {
  if (m_candidates->rowCount() == 0) return {};
  const Layout layout = placed();
  if (layout.headArea().contains(content)) return tipOfHead(layout, content.x());
  if (content.y() < layout.headArea().top()) return tipOfDraws();
  return CursorView::tipAt(content);
}

// With the head above it and a pinned row below it, neither of which scrolls.
QRect SamplerView::itemRect(const ViewItem& item) const {
  if (m_candidates->at(item.row).chosen) return {};  // it is in sight
  const Layout layout = placed();
  const QRect area = layout.placeOf(item.row);
  const bool fits = layout.pinnedRow() < 0 && area.bottom() < viewport()->height();  // nothing need scroll
  return {0, area.top() - layout.rowsTop(), 1, layout.rowsTop() + (fits ? 1 : 2) * area.height()};
}

QRect SamplerView::tryArea(int row) const {
  if (row < 0 || row != currentRow() || !isBranch(row)) return {};
  return placed().tryArea(row);
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
  if (event->button() == Qt::LeftButton && placed().headArea().contains(toContent(event->pos())))
    return setUnfolded(!m_unfolded);
  if (event->button() == Qt::LeftButton && tryArea(currentRow()).contains(toContent(event->pos())))
    return branch(currentRow());
  CursorView::mousePressEvent(event);
}

void SamplerView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint content = toContent(event->pos());
  const bool acts = itemAt(content).exists() || placed().headArea().contains(content);
  viewport()->setCursor(acts ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

// How SamplerView paints.

void SamplerView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const Layout layout = placed();
  for (int row = 0; row < m_candidates->rowCount(); ++row)
    if (const QRect place = layout.placeOf(row); place.intersects(exposed))
      paintRow(painter, layout, row, place, theme);
  painter.save();
  const QPoint corner = headingCorner(painter);
  painter.translate(0, corner.y());
  painter.fillRect(QRect(0, 0, layout.size().width(), layout.rowsTop()), theme.base());
  if (layout.drawsHeight() > 0) paintDraws(painter, layout, theme);
  paintHead(painter, layout, theme);
  painter.restore();
  if (painter.device() == viewport() && layout.pinnedRow() >= 0) paintPinned(painter, layout, theme);
}

// As a link is painted.
void SamplerView::paintTry(QPainter& painter, const QRectF& area, const Theme& theme) const {
  drawBox(painter, area.adjusted(0, 2, -2, -2), 4, QPen(theme.line(), 1), theme.base());
  paintText(painter, area.adjusted(0, 2, -2, -2), Qt::AlignCenter, tryText(), theme.accentText());
}

// Under a line of its own, since rows between are left out.
void SamplerView::paintPinned(QPainter& painter, const Layout& layout, const Theme& theme) const {
  const QRect area = layout.rowArea(layout.pinnedRow());
  painter.fillRect(area, theme.base());
  painter.setPen(QPen(theme.line(), 1, Qt::DashLine));
  painter.drawLine(Layout::kSide, area.top() - 1, area.right() - Layout::kSide, area.top() - 1);
  paintRow(painter, layout, layout.pinnedRow(), area, theme);
}

void SamplerView::paintDraws(QPainter& painter, const Layout& layout, const Theme& theme) const {
  const DrawBar* const bars[] = {m_candidates->drawn(), m_candidates->previewed()};
  DrawBarColumns columns;
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    columns.label = std::max(columns.label, textWidth(font(), drawBarLabel(*bars[i], i == 1)));
    columns.token = std::max(columns.token, textWidth(font(), bars[i]->chosenText) + 2);
  }
  const int width = viewport()->width() - 2 * Layout::kSide;
  columns.token = std::min(columns.token, width * 0.3);
  QRectF row(Layout::kSide, Layout::kTop, width, layout.rowHeight());
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    paintDrawBar(painter, row, *bars[i], i == 1, theme, columns);
    row.translate(0, layout.rowHeight());
  }
}

void SamplerView::paintHead(QPainter& painter, const Layout& layout, const Theme& theme) const {
  const double line = layout.line(), top = layout.drawsHeight() + 2;
  const auto head = [&](double left, double width, int side, const QString& title, const QString& below) {
    painter.setFont(layout.bold());
    paintText(painter, QRectF(left, top, width, line), side, elidedText(layout.bold(), title, width),
              theme.text());
    painter.setFont(font());
    painter.setPen(theme.dimText());
    if (!layout.isLow()) paintText(painter, QRectF(left, top + line, width, line), side, below);
  };
  head(Layout::kSide, layout.tokenWidth() - Layout::kSide - 4, kAtLeft, positionText(),
       m_candidates->previewed() ? tr("preview") : tr("left"));
  double left = layout.tokenWidth();
  for (const StageColumn& column : layout.columns()) {
    head(left, layout.stageWidth() - Layout::kBesideTitle, kAtRight, column.title,
         formatCount(m_candidates->keptAt(column.last)));
    left += layout.stageWidth();
  }
  painter.setPen(QPen(theme.line(), 1));
  const int bottom = layout.rowsTop() - 1;
  painter.drawLine(Layout::kSide, bottom, layout.size().width() - Layout::kSide, bottom);
}

void SamplerView::paintRow(QPainter& painter, const Layout& layout, int row, const QRectF& area,
                           const Theme& theme) const {
  const SamplerRow& candidate = m_candidates->at(row);
  if (candidate.chosen) {
    drawBox(painter, area.adjusted(4, 0, -4, 0), 5, Qt::NoPen, mix(theme.base(), theme.accent(), 0.2));
  }
  if (row == currentRow()) {
    drawBox(painter, area.adjusted(5, 1, -5, -1), 5, QPen(theme.accent(), hasFocus() ? 2 : 1));
  }
  QFont face = candidate.chosen || candidate.previewed ? layout.bold() : font();
  face.setStrikeOut(candidate.removedAt >= 0);
  painter.setFont(face);
  painter.setPen(candidate.removedAt >= 0 ? theme.dimText() : theme.text());
  const double left = Layout::kSide + layout.line();  // behind the mark
  const QRectF text(left, area.top(), layout.tokenWidth() - left - 4, area.height());
  paintText(painter, text, kAtLeft, elidedText(face, candidate.text, text.width()));
  painter.setFont(font());
  paintMark(painter, area, candidate, theme);
  const double margin = layout.isLow() ? 1 : 3;
  QRectF bar(layout.tokenWidth(), area.top() + margin, layout.stageWidth() - 4, area.height() - 2 * margin);
  for (const StageColumn& column : layout.columns()) {
    paintBar(painter, bar, candidate, column, theme);
    bar.translate(layout.stageWidth(), 0);
  }
  if (row == currentRow() && isBranch(row)) {
    QRectF place = layout.tryArea(row);
    place.moveTop(area.top());
    paintTry(painter, place, theme);
  }
}

// A filled arrow head: the engine's choice; a hollow one: the preview's. So both are visible without colour.
void SamplerView::paintMark(QPainter& painter, const QRectF& area, const SamplerRow& row,
                            const Theme& theme) const {
  if (!row.chosen && !row.previewed) return;
  painter.setPen(QPen(theme.text(), 1.5));
  painter.setBrush(row.chosen ? QBrush(theme.text()) : QBrush(Qt::NoBrush));
  const QPointF tip(Layout::kSide + fontMetrics().height() - 6, area.center().y());
  painter.drawPolygon(QPolygonF({tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)}));
}

void SamplerView::paintBar(QPainter& painter, const QRectF& inner, const SamplerRow& row,
                           const StageColumn& column, const Theme& theme) const {
  const double probability = row.probabilities[static_cast<std::size_t>(column.last)];
  const QRectF text = inner.adjusted(2, 0, -3, 0);
  if (probability < 0) {
    const bool isListed =
        row.removedAt >= 0 || std::ranges::any_of(row.probabilities, [](double p) { return p >= 0; });
    if (column.removes(row.removedAt)) {
      const bool isMasked = m_candidates->isMask(row.removedAt);
      if (isMasked) fillHatched(painter, inner, mix(theme.base(), theme.dimText(), 0.5), Hatch::kFalling);
      paintText(painter, text, kAtRight, isMasked ? SamplerModel::maskedWord() : tr("out"), theme.warning());
    }
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
