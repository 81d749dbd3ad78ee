#include "widgets/layers/launches_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kApart = 10, kLeastBars = 140, kSwatch = 14, kLayerMark = 5;
constexpr int kLineLetters = 100;  // of a line of the reasons, so that the eye finds the next one

// Never colour alone: each kind has a hatch, too.
constexpr Hatch kHatchOf[kSpanKinds] = {Hatch::kNone, Hatch::kRising, Hatch::kFalling, Hatch::kUpright};

}  // namespace

LaunchesView::LaunchesView(LaunchesModel* model, QWidget* parent)
    : CursorView(model, {.ends = true}, parent), m_launches(model) {
  setAccessibleName(tr("How a GPU is handed the layers of a step"));
}

QSize LaunchesView::contentSize() const {
  if (m_launches->rowCount() == 0) return {};
  return {viewport()->width(), static_cast<int>(std::ceil(m_height))};
}

// The mark of the way that the step takes stands before its name.
double LaunchesView::nameWidth() const {
  double width = 0;
  for (int row = 0; row < m_launches->rowCount(); ++row)
    width = std::max(width, textWidth(boldened(font()), m_launches->name(row)));
  return width + 2;
}

void LaunchesView::arrange() {
  m_labels.clear();
  m_swatches.clear();
  m_bars = m_boxes = {};
  m_height = 0;
  if (m_launches->rowCount() == 0) return;
  const int ways = m_launches->rowCount();
  const QString title = ways == 3   ? tr("The same step, three ways")
                        : ways == 2 ? tr("The same step, two ways")
                                    : tr("The step in one way");
  double top = arrangeHeading(title, m_launches->headWords(), 6);
  top = arrangeBars(top);
  const bool hasSpans =
      std::ranges::any_of(m_launches->rows(), [](const LaunchRow& row) { return !row.times.spans.empty(); });
  if (hasSpans) {
    top = arrangeHeading(tr("The first layers, magnified"), m_launches->magnifiedWords(), top + kApart);
    top = arrangeBoxes(top);
    top = arrangeLegend(top);
  }
  const std::vector<QString> reasons = m_launches->reasons();
  if (!reasons.empty()) top = arrangeHeading(tr("Why is it not faster?"), {}, top + kApart);
  for (const QString& reason : reasons) top = arrangeText(reason, Ink::kText, top) + 4;
  m_height = top + 6;
}

// A remark that has no room beside the title stands below it.
double LaunchesView::arrangeHeading(const QString& title, const QString& remark, double top) {
  const double height = lineHeight(), width = textWidth(boldened(font()), title) + 2,
               aside = textWidth(font(), remark) + 2;
  if (kSide + width > textSide()) {
    top = arrangeText(title, Ink::kTitle, top);
    return remark.isEmpty() ? top : arrangeText(remark, Ink::kDim, top);
  }
  m_labels.push_back({title, QRectF(kSide, top, width, height), Ink::kTitle});
  if (remark.isEmpty()) return top + height + 4;
  if (kSide + width + 2 * kApart + aside > textSide())
    return arrangeText(remark, Ink::kDim, top + height) + 4;
  m_labels.push_back({remark, QRectF(textSide() - aside, top, aside, height), Ink::kDim});
  return top + height + 4;
}

// The words of a bar stand behind it, or below it in a narrow view.
double LaunchesView::arrangeBars(double top) {
  double words = 0;
  m_barsEndNs = m_launches->limitNs();
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    words = std::max(words, textWidth(font(), m_launches->words(row)) + 2);
    m_barsEndNs = std::max(m_barsEndNs, static_cast<double>(m_launches->at(row).times.ns));
  }
  const double left = kSide + kApart + nameWidth() + kApart, all = std::max(20.0, textSide() - left);
  const bool isNarrow = all - words - kApart < kLeastBars;
  m_barPitch = barHeight() + (isNarrow ? lineHeight() : 0) + 6;
  m_bars = QRectF(left, top, isNarrow ? all : all - words - kApart, m_launches->rowCount() * m_barPitch);
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    const QRectF bar = barArea(row);
    m_labels.push_back({m_launches->name(row), QRectF(kSide + kApart, bar.top(), nameWidth(), bar.height()),
                        m_launches->at(row).isTaken ? Ink::kTitle : Ink::kText});
    const double width = textWidth(font(), m_launches->words(row)) + 2;
    // Behind the dashed line where it would pass through the words.
    const double line = limitLine();
    double at = bar.right() + kApart;
    if (line > 0 && line > at - 4 && line < at + width && line + 6 + width <= textSide()) at = line + 6;
    const QRectF area = isNarrow ? QRectF(left, bar.bottom(), std::min(width, all), lineHeight())
                                 : QRectF(at, bar.top(), width, bar.height());
    m_labels.push_back({m_launches->words(row), area, Ink::kDim});
  }
  double bottom = m_bars.bottom();
  if (const QString limit = m_launches->limitWords(); !limit.isEmpty()) {
    const double width = textWidth(font(), limit) + 2, height = lineHeight();
    if (width > textSide() - kSide) {
      bottom = arrangeText(limit, Ink::kLimit, bottom);
    } else {
      const double at = std::clamp(limitLine() + 6, 1.0 * kSide, textSide() - width);
      m_labels.push_back({limit, QRectF(at, bottom, width, height), Ink::kLimit});
      bottom += height;
    }
  }
  return arrangeText(tr("▸ the way that the step takes where nothing is measured"), Ink::kDim, bottom);
}

double LaunchesView::arrangeBoxes(double top) {
  m_boxesEndNs = 1;
  for (const LaunchRow& row : m_launches->rows())
    m_boxesEndNs = std::max(m_boxesEndNs, static_cast<double>(row.spannedNs()));
  const double left = kSide + kApart + nameWidth() + kApart;
  m_boxPitch = barHeight() + kLayerMark + 7;
  m_boxes =
      QRectF(left, top, std::max(20.0, textSide() - left - kApart), m_launches->rowCount() * m_boxPitch);
  for (int row = 0; row < m_launches->rowCount(); ++row)
    m_labels.push_back({m_launches->name(row),
                        QRectF(kSide + kApart, top + row * m_boxPitch, nameWidth(), barHeight()),
                        m_launches->at(row).isTaken ? Ink::kTitle : Ink::kText});
  // Two or three round times below the boxes.
  const double decade = std::pow(10, std::floor(std::log10(m_boxesEndNs)));
  const double step = m_boxesEndNs / decade < 2   ? decade / 2
                      : m_boxesEndNs / decade < 5 ? decade
                                                  : 2 * decade;
  double free = 0;
  for (double at = 0; at <= m_boxesEndNs; at += step) {
    const QString text = tr("%1 µs").arg(at / 1000);
    const double width = textWidth(font(), text) + 2, x = left + at / m_boxesEndNs * m_boxes.width();
    const QRectF area(std::min(x - width / 2, textSide() - width), m_boxes.bottom() + 3, width, lineHeight());
    if (area.left() < free) continue;
    free = area.right() + kApart;
    m_labels.push_back({text, area, Ink::kDim});
  }
  return m_boxes.bottom() + 3 + lineHeight();
}

// A swatch and its words for each kind that is there, as many in a line as fit.
double LaunchesView::arrangeLegend(double top) {
  double x = kSide;
  const auto place = [&](double lead, const QString& text) {
    const double width = lead + textWidth(font(), text) + 2;
    if (x > kSide && x + width > textSide()) {
      x = kSide;
      top += lineHeight();
    }
    const double left = x;
    m_labels.push_back({text,
                        QRectF(x + lead, top, std::min(width - lead, textSide() - x - lead), lineHeight()),
                        Ink::kDim});
    x += width + 2 * kApart;
    return left;
  };
  for (int i = 0; i < kSpanKinds; ++i) {
    const auto kind = static_cast<SpanKind>(i);
    const bool isThere = std::ranges::any_of(m_launches->rows(), [&](const LaunchRow& row) {
      return std::ranges::any_of(row.times.spans, [&](const LaunchSpan& span) {
        return LaunchesModel::kindOf(span.operation) == kind;
      });
    });
    if (!isThere) continue;
    const double left = place(kSwatch + 6, LaunchesModel::kindName(kind));
    m_swatches.push_back({kind, QRectF(left, top + (lineHeight() - kSwatch) / 2, kSwatch, kSwatch)});
  }
  place(0, tr("gap: the GPU waits for the next launch"));
  place(0, tr("line below: a layer"));
  return top + lineHeight();
}

double LaunchesView::arrangeText(const QString& text, Ink ink, double top) {
  const QFontMetrics metrics(ink == Ink::kTitle ? boldened(font()) : font());
  const int room = std::max(
      60, static_cast<int>(std::min(textSide() - kSide, 1.0 * kLineLetters * metrics.averageCharWidth())));
  const double height = metrics.boundingRect(QRect(0, 0, room, 10'000), Qt::TextWordWrap, text).height() + 2;
  m_labels.push_back({text, QRectF(kSide, top, room, height), ink});
  return top + height;
}

QRectF LaunchesView::barArea(int row) const {
  const double share = m_barsEndNs > 0 ? static_cast<double>(m_launches->at(row).times.ns) / m_barsEndNs : 0;
  return {m_bars.left(), m_bars.top() + row * m_barPitch, std::max(2.0, share * m_bars.width()),
          static_cast<double>(barHeight())};
}

QRectF LaunchesView::boxArea(int row, int index) const {
  const LaunchSpan& span = m_launches->at(row).times.spans[static_cast<std::size_t>(index)];
  const double scale = m_boxes.width() / m_boxesEndNs, left = static_cast<double>(span.beginNs) * scale,
               right = static_cast<double>(span.endNs) * scale;
  return {m_boxes.left() + left, m_boxes.top() + row * m_boxPitch, std::max(1.0, right - left),
          static_cast<double>(barHeight())};
}

double LaunchesView::limitLine() const {
  return m_launches->limitNs() > 0 ? m_bars.left() + m_launches->limitNs() / m_barsEndNs * m_bars.width() : 0;
}

// A way is hit along its whole height, beside its boxes too.
ViewItem LaunchesView::itemAt(const QPoint& content) const {
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    const QRectF all(0, barArea(row).top(), viewport()->width(), m_barPitch);
    if (all.contains(content)) return {row, -1};
    const auto& spans = m_launches->at(row).times.spans;
    for (int span = 0; span < static_cast<int>(spans.size()); ++span)
      if (boxArea(row, span).contains(content)) return {row, span};
    const QRectF boxes(0, m_boxes.top() + row * m_boxPitch, viewport()->width(), m_boxPitch);
    if (!m_boxes.isNull() && boxes.contains(content)) return {row, -1};
  }
  return {};
}

void LaunchesView::contentChanged() {
  const int rows = m_launches->rowCount();
  if (currentRow() >= 0 && currentRow() < rows) return CursorView::contentChanged();
  const auto taken = std::ranges::find_if(m_launches->rows(), &LaunchRow::isTaken);
  placeCursor(
      {taken == m_launches->rows().end() ? 0 : static_cast<int>(taken - m_launches->rows().begin()), -1});
}

std::pair<int, int> LaunchesView::columnsOf(int row) const {
  return {-1, static_cast<int>(m_launches->at(row).times.spans.size()) - 1};
}

QRect LaunchesView::itemRect(const ViewItem& item) const {
  return (item.column < 0 ? barArea(item.row) : boxArea(item.row, item.column)).toAlignedRect();
}

QString LaunchesView::describeItem(const ViewItem& item) const {
  return item.column < 0 ? m_launches->describe(item.row) : m_launches->describeSpan(item.row, item.column);
}

std::optional<ViewItem> LaunchesView::itemBeside(int key) const {
  if (key == Qt::Key_Left) return ViewItem{currentRow(), currentColumn() - 1};
  if (key == Qt::Key_Right) return ViewItem{currentRow(), currentColumn() + 1};
  return CursorView::itemBeside(key);
}

// How LaunchesView paints itself: the bars and the limit, the boxes of the first layers, and the words.

QColor LaunchesView::colourOf(SpanKind kind, const Theme& theme) {
  switch (kind) {
    case SpanKind::kAttentionProducts:
      return mix(theme.request(0), theme.base(), 0.3);
    case SpanKind::kFeedForward:
      return mix(theme.request(2), theme.base(), 0.45);
    case SpanKind::kAttention:
      return mix(theme.request(1), theme.base(), 0.3);
    case SpanKind::kSmallWork:
      return mix(theme.base(), theme.text(), 0.3);
  }
  return theme.line();
}

void LaunchesView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  if (m_launches->rowCount() == 0) return;
  paintBars(painter, theme);
  if (!m_boxes.isNull()) paintBoxes(painter, theme);
  for (const KindSwatch& one : m_swatches)
    fillHatched(painter, one.area, colourOf(one.kind, theme), kHatchOf[static_cast<int>(one.kind)]);
  paintLabels(painter, theme);
}

void LaunchesView::paintBars(QPainter& painter, const Theme& theme) const {
  painter.setPen(QPen(theme.dimText(), 1));
  painter.drawLine(QPointF(m_bars.left() - 1, m_bars.top() - 2),
                   QPointF(m_bars.left() - 1, m_bars.bottom() - 2));
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    const bool isTaken = m_launches->at(row).isTaken;
    const QRectF bar = barArea(row).adjusted(0, 2, 0, -2);
    drawBox(
        painter, bar, 3,
        row == currentRow() && currentColumn() < 0 && hasFocus() ? QPen(theme.text(), 2) : QPen(Qt::NoPen),
        isTaken ? theme.accent() : mix(theme.base(), theme.text(), 0.35));
    if (!isTaken) continue;
    paintText(painter, QRectF(kSide - 6, bar.top(), 14, bar.height()), kAtLeft | Qt::TextDontClip,
              QStringLiteral("▸"), theme.text());
  }
  if (limitLine() <= 0) return;
  painter.setPen(QPen(theme.warning(), 1.6, Qt::DashLine));
  painter.drawLine(QPointF(limitLine(), m_bars.top() - 2), QPointF(limitLine(), m_bars.bottom() - 1));
}

void LaunchesView::paintBoxes(QPainter& painter, const Theme& theme) const {
  painter.setPen(QPen(theme.dimText(), 1));
  painter.drawLine(QPointF(m_boxes.left() - 1, m_boxes.top() - 2),
                   QPointF(m_boxes.left() - 1, m_boxes.bottom() - 2));
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    for (int span = 0; span < static_cast<int>(m_launches->at(row).times.spans.size()); ++span) {
      const SpanKind kind =
          LaunchesModel::kindOf(m_launches->at(row).times.spans[static_cast<std::size_t>(span)].operation);
      // Spans that touch keep an edge, as long as there is something between two edges.
      const QRectF whole = boxArea(row, span), box = whole.width() > 4 ? whole.adjusted(0, 0, -1, 0) : whole;
      const QColor colour = colourOf(kind, theme);
      fillHatched(painter, box, colour, kHatchOf[static_cast<int>(kind)]);
      const QString name = m_launches->spanName(row, span);
      const double width = textWidth(font(), name);
      if (width + 6 <= box.width()) {
        painter.fillRect(QRectF(box.center().x() - width / 2 - 2, box.top() + 2, width + 4, box.height() - 4),
                         colour);
        paintText(painter, box, Qt::AlignCenter, name, Theme::inkOn(colour));
      }
      if (row != currentRow() || span != currentColumn() || !hasFocus()) continue;
      drawBox(painter, box, 0, QPen(theme.text(), 2));
    }
    paintLayers(painter, row, theme);
  }
}

// A line below the boxes of each layer.
void LaunchesView::paintLayers(QPainter& painter, int row, const Theme& theme) const {
  const auto& spans = m_launches->at(row).times.spans;
  painter.setPen(QPen(theme.dimText(), 2));
  for (std::size_t first = 0; first < spans.size();) {
    std::size_t last = first;
    while (last + 1 < spans.size() && spans[last + 1].layer == spans[first].layer) ++last;
    const QRectF begin = boxArea(row, static_cast<int>(first)), end = boxArea(row, static_cast<int>(last));
    painter.drawLine(QPointF(begin.left() + 1, begin.bottom() + 3),
                     QPointF(end.right() - 2, end.bottom() + 3));
    first = last + 1;
  }
}

void LaunchesView::paintLabels(QPainter& painter, const Theme& theme) const {
  for (const LaunchLabel& label : m_labels) {
    painter.setFont(label.ink == Ink::kTitle ? boldened(font()) : font());
    painter.setPen(label.ink == Ink::kLimit ? theme.warning()
                   : label.ink == Ink::kDim ? theme.dimText()
                                            : theme.text());
    // The dashed line passes behind words that have no other place.
    if (label.ink == Ink::kDim) painter.fillRect(label.area, theme.base());
    const bool wraps = label.area.height() > 1.5 * lineHeight();
    paintText(painter, label.area, wraps ? Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap : kAtLeft,
              label.text);
  }
  painter.setFont(font());
}

}  // namespace vitrine

#include "moc_launches_view.cpp"
