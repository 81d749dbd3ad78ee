#include "widgets/speculation/speculation_view.h"

#include <QPainter>
#include <algorithm>

#include "widgets/painting/lit.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kSpeculationSide = 14, kSpeculationTop = 10, kSpeculationPad = 7, kSpeculationGap = 5,
                 kSection = 12, kColumnGap = 26;
constexpr double kSpeculationLeastChart = 46, kMostChart = 230, kStepsHeight = 24, kStepWidth = 7;
constexpr int kColumnsFrom = 72;  // letters in a line: charts stand beside the words
constexpr double kWords = 0.52;   // of the width, then

constexpr double kBreakEvenGap = 12;  // between the bars and the words

void paintTick(QPainter& painter, const QPointF& at, const QColor& colour) {
  painter.setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(QPolygonF({at + QPointF(-4, 0), at + QPointF(-1, 3), at + QPointF(4, -4)}));
}

}  // namespace

SpeculationView::SpeculationView(SpeculationModel* model, QWidget* parent)
    : CursorView(model,
                 {.way = CursorHabits::Way::kAcross,
                  .ends = true,
                  .fromEnd = true,
                  .enter = true,
                  .leftOnly = true,
                  .points = true},
                 parent),
      m_model(model) {
  setAccessibleName(tr("Speculation"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QString SpeculationView::emptyText() const {
  if (const QString unseen = m_model->session()->unseenWords(); !unseen.isEmpty()) return unseen;
  const SpeculationVerdict verdict = m_model->verdict();
  const bool empty = verdict == SpeculationVerdict::kOff || verdict == SpeculationVerdict::kNoDraft;
  return empty && m_model->draft().step == 0
             ? m_model->verdictText() + QStringLiteral(" ") + m_model->costText()
             : QString();
}

double SpeculationView::width() const { return std::max(160.0, viewport()->width() - 2 * kSpeculationSide); }

double SpeculationView::textHeight(const QString& text, const QFont& font) const {
  if (text.isEmpty()) return 0;
  return QFontMetricsF(font).boundingRect(QRectF(0, 0, m_words, 10'000), Qt::TextWordWrap, text).height();
}

QSize SpeculationView::contentSize() const {
  return {viewport()->width(), static_cast<int>(m_bottom + kSpeculationTop)};
}

QString SpeculationView::shownText(const DraftToken& token) const { return visibleToken(token.text); }

// One line of it: what stands directly before the draft.
QString SpeculationView::shownBefore() const {
  QString text = m_model->draft().before.simplified();
  const auto isTooLong = [&] { return textWidth(font(), u'…' + text) > m_words * 0.45; };
  if (!isTooLong()) return text;
  while (!text.isEmpty() && isTooLong()) text.remove(0, std::max(qsizetype{1}, text.indexOf(u' ', 1)));
  return u'…' + text;
}

QString SpeculationView::legend() const {
  return m_model->draft().pending
             ? tr("dashed: drafted, not verified yet")
             : tr("tick: draft accepted · struck: rejected, and what followed it thrown away · outlined: "
                  "from the model itself");
}

// In a wide view the charts stand beside the words, in a narrow one below them.
void SpeculationView::arrange() {
  m_items.clear();
  const bool beside = width() >= kColumnsFrom * fontMetrics().averageCharWidth();
  m_words = beside ? width() * kWords : width();
  double y = kSpeculationTop;
  const auto stack = [&](const QString& text, const QFont& face, double gap) {
    const QRectF area(kSpeculationSide, y, m_words, textHeight(text, face));
    if (!text.isEmpty()) y = area.bottom() + gap;
    return area;
  };
  m_verdict = stack(m_model->verdictText(), boldened(font()), 3);
  m_cost = stack(m_model->costText(), font(), 3);
  y += kSpeculationPad;
  m_draftTitle = stack(m_model->draftTitle(), boldened(font()), 3);
  y = placeDraft(y) + kSpeculationPad;
  m_drafts = stack(m_model->draftsText(), font(), 3);
  m_measured = stack(m_model->measuredText(), font(), 0);
  if (beside) {
    const double left = kSpeculationSide + m_words + kColumnGap;
    m_bottom = std::max(y, placeCharts(QRectF(left, kSpeculationTop, kSpeculationSide + width() - left,
                                              viewport()->height() - 2 * kSpeculationTop)));
  } else {
    m_bottom = placeCharts(QRectF(kSpeculationSide, y + kSection, width(), viewport()->height() * 0.7));
  }
  placeCursor(currentItem());  // a narrow view has fewer steps
}

double SpeculationView::placeDraft(double top) {
  const ShownDraft& draft = m_model->draft();
  m_before = m_legend = {};
  if (draft.step == 0) return top;
  const double before = textWidth(font(), shownBefore());
  m_before = QRectF(kSpeculationSide, top, before, lineHeight());
  double x = kSpeculationSide + before + (before > 0 ? kSpeculationGap + 3 : 0), y = top;
  for (std::size_t i = 0; i < draft.tokens.size(); ++i) {
    const double wide =
        std::min(m_words, textWidth(font(), shownText(draft.tokens[i])) + 2 * kSpeculationPad);
    if (x + wide > kSpeculationSide + m_words && x > kSpeculationSide)
      x = kSpeculationSide, y += lineHeight() + 3;
    m_items.push_back({Part::kToken, static_cast<int>(i), QRectF(x, y + 1, wide, lineHeight() - 2)});
    x += wide + kSpeculationGap;
  }
  m_legend = QRectF(kSpeculationSide, y + lineHeight() + 3, m_words, textHeight(legend(), font()));
  return m_legend.bottom() + kSpeculationGap;
}

// From top to bottom: a caption, the bars with their shares above and their numbers below, a caption, the
// last steps.
double SpeculationView::placeCharts(const QRectF& area) {
  const int count = static_cast<int>(m_model->figures().positions.size());
  m_chart = m_bars = m_steps = {};
  if (count == 0) return area.top();
  const double line = fontMetrics().height();
  const double height =
      std::clamp(area.height() - 4 * line - kStepsHeight - 20, kSpeculationLeastChart, kMostChart);
  const double pitch = std::min(textWidth(font(), QStringLiteral("100 %")) + 8, area.width() / count);
  m_bars = QRectF(area.left(), area.top() + 2 * line + 4, count * pitch, height);
  m_chart = QRectF(area.left(), area.top(), area.width(), m_bars.bottom() + line + 4 - area.top());
  for (int i = 0; i < count; ++i) {
    const QRectF column(m_bars.left() + i * pitch, m_bars.top() - line, pitch, height + 2 * line + 4);
    m_items.push_back({Part::kPosition, i, column});
  }
  placeSteps(QRectF(area.left(), m_chart.bottom() + line + 12, area.width(), kStepsHeight));
  return m_steps.bottom();
}

// As many as there is room for, the newest at the right end.
void SpeculationView::placeSteps(const QRectF& area) {
  m_steps = area;
  const int count = static_cast<int>(m_model->lastSteps().size());
  const int first = std::max(0, count - std::max(1, static_cast<int>(area.width() / kStepWidth)));
  for (int i = first; i < count; ++i) {
    const double x = area.left() + (i - first) * kStepWidth;
    m_items.push_back({Part::kStep, i, QRectF(x, area.top(), kStepWidth, area.height())});
  }
}

double SpeculationView::breakEvenY() const {
  const std::optional<double> needed = m_model->figures().breakEvenAcceptance();
  return needed && *needed <= 1 && !m_bars.isEmpty() ? yOf(*needed) : -1;
}

ViewItem SpeculationView::itemAt(const QPoint& content) const {
  const auto found =
      std::ranges::find_if(m_items, [&](const Item& item) { return item.area.contains(content); });
  return {found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin())};
}

QString SpeculationView::describeItem(const ViewItem& place) const {
  const Item& item = at(place);
  switch (item.part) {
    case Part::kToken:
      return m_model->describeToken(item.index);
    case Part::kPosition:
      return m_model->describePosition(item.index);
    case Part::kStep:
      return m_model->describeStep(item.index);
  }
  return {};
}

prose::Target SpeculationView::targetOf(const ViewItem& place) const {
  const Item& item = at(place);
  if (item.part == Part::kPosition) return {};
  if (item.part == Part::kStep)
    return {.step = m_model->lastSteps()[static_cast<std::size_t>(item.index)].step};
  const ShownDraft& draft = m_model->draft();
  const Session* const session = m_model->session();
  return {.request = session->names().requestOf(draft.sequence, session->state()),
          .sequence = draft.sequence,
          .step = draft.step,
          .position = draft.tokens[static_cast<std::size_t>(item.index)].position};
}

void SpeculationView::activate(const ViewItem& item) {
  const int step = targetOf(item).step;
  if (step > 0 && !m_model->draft().pending) emit stepRequested(step);
}

// How SpeculationView paints: words at the top, the draft as chips of text, and the two charts.

void SpeculationView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  paintHead(painter, theme);
  paintDraft(painter, theme);
  if (!m_bars.isEmpty()) paintChart(painter, theme);
  if (currentRow() < 0 || !hasFocus()) return;
  drawBox(painter, at(currentItem()).area.adjusted(-2, -1, 2, 1), 0, QPen(theme.accent(), 1.8, Qt::DotLine));
}

void SpeculationView::paintHead(QPainter& painter, const Theme& theme) const {
  const SpeculationVerdict verdict = m_model->verdict();
  const bool pays = verdict == SpeculationVerdict::kPays;
  const bool loses = verdict == SpeculationVerdict::kDoesNotPay || verdict == SpeculationVerdict::kCannotPay;
  const auto paragraph = [&](const QRectF& area, const QString& text, const QColor& colour) {
    paintText(painter, area.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text,
              colour);
  };
  painter.setFont(boldened(font()));
  paragraph(m_verdict, m_model->verdictText(), pays ? theme.good() : loses ? theme.warning() : theme.text());
  painter.setFont(font());
  paragraph(m_cost, m_model->costText(), theme.text());
  paragraph(m_measured, m_model->measuredText(), theme.dimText());
  paragraph(m_drafts, m_model->draftsText(), theme.dimText());
}

void SpeculationView::paintDraft(QPainter& painter, const Theme& theme) const {
  if (m_model->draft().step == 0) return;
  painter.setFont(boldened(font()));
  paintText(painter, m_draftTitle, kAtLeft | Qt::TextDontClip, m_model->draftTitle(), theme.dimText());
  painter.setFont(font());
  paintText(painter, m_before, kAtLeft | Qt::TextDontClip, shownBefore());
  for (const Item& item : m_items)
    if (item.part == Part::kToken) paintToken(painter, item, theme);
  paintText(painter, m_legend.adjusted(0, 0, 0, 2), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, legend(),
            theme.dimText());
}

void SpeculationView::paintToken(QPainter& painter, const Item& item, const Theme& theme) const {
  const ShownDraft& draft = m_model->draft();
  const DraftToken& token = draft.tokens[static_cast<std::size_t>(item.index)];
  const bool accepted = token.fate == TokenFate::kAccepted, own = token.fate == TokenFate::kModel;
  const bool gone = token.isGone() && !draft.pending;
  drawBox(painter, item.area, 5,
          own             ? QPen(theme.accent(), 1.8)
          : draft.pending ? QPen(theme.text(), 1.2, Qt::DashLine)
                          : QPen(Qt::NoPen),
          accepted ? mix(theme.base(), theme.good(), 0.22)
          : gone   ? mix(theme.base(), theme.warning(), 0.16)
          : own    ? mix(theme.base(), theme.accent(), 0.14)
                   : QColor(Qt::transparent));
  paintText(painter, item.area, Qt::AlignCenter, elidedText(font(), shownText(token), item.area.width() - 4),
            gone ? theme.warning() : theme.text());
  if (accepted) paintTick(painter, item.area.topRight() + QPointF(-4, 4), theme.good());
  if (gone) {
    painter.setPen(QPen(theme.warning(), 1.8));
    painter.drawLine(QPointF(item.area.left() + 4, item.area.center().y() + 1),
                     QPointF(item.area.right() - 4, item.area.center().y() + 1));
  }
  const prose::Target& lit = spotlight().target();
  if (lit.sequence == draft.sequence && lit.position == token.position)
    paintLitFrame(painter, item.area, 5, theme);
}

void SpeculationView::paintChart(QPainter& painter, const Theme& theme) const {
  const auto caption = [&](const QRectF& chart, double top, const QString& text) {
    paintText(painter, QRectF(chart.left(), top, chart.width(), fontMetrics().height()), kAtLeft,
              elidedText(font(), text, chart.width()), theme.dimText());
  };
  QString title = tr("accepted, by position (tokens judged)");
  const QString needed = m_model->breakEvenText();
  if (!needed.isEmpty() && !hasRoomForBreakEven())
    title = tr("accepted, by position · dashed: %1").arg(needed);
  caption(m_chart, m_chart.top(), title);
  caption(m_steps, m_steps.top() - fontMetrics().height() - 4, m_model->lastStepsText());
  painter.setPen(QPen(theme.line(), 1));
  for (const QRectF& chart :
       {QRectF(m_chart.left(), m_bars.top(), m_chart.width(), m_bars.height()), m_steps}) {
    painter.drawLine(chart.bottomLeft(), chart.bottomRight());
    painter.drawLine(chart.topLeft(), chart.topRight());  // all of them
  }
  for (const Item& item : m_items) {
    if (item.part == Part::kPosition) paintBar(painter, item, theme);
    if (item.part == Part::kStep) paintStep(painter, item, theme);
  }
  paintBreakEven(painter, theme);
}

void SpeculationView::paintBar(QPainter& painter, const Item& item, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  const auto& [judged, accepted] = m_model->figures().positions[static_cast<std::size_t>(item.index)];
  const double share = SpeculationModel::shareOf(accepted, judged);
  const QRectF column = item.area;
  const double wide = std::min(34.0, column.width() - 8);
  const QRectF bar(column.center().x() - wide / 2, yOf(share), wide, m_bars.bottom() - yOf(share));
  drawBox(painter, bar, 0, Qt::NoPen, mix(theme.base(), theme.accent(), 0.6));
  paintText(
      painter,
      QRectF(column.left() - 6, bar.top() - metrics.height() - 1, column.width() + 12, metrics.height()),
      Qt::AlignCenter, judged > 0 ? SpeculationModel::wholePercent(share) : QStringLiteral("–"),
      theme.text());
  const QString whole = tr("%1 (%2)").arg(QString::number(item.index + 1), formatCount(judged));
  paintText(painter, QRectF(column.left() - 6, m_bars.bottom() + 3, column.width() + 12, metrics.height()),
            Qt::AlignCenter,
            textWidth(font(), whole) <= column.width() + 6 ? whole : QString::number(item.index + 1),
            theme.dimText());
}

// On two lines, if need be.
bool SpeculationView::hasRoomForBreakEven() const {
  double widest = 0;
  for (const QString& word : m_model->breakEvenText().split(u' '))
    widest = std::max(widest, textWidth(font(), word));
  return widest <= m_chart.right() - m_bars.right() - kBreakEvenGap;
}

// The line goes over the bars, and its words stand behind the last one.
void SpeculationView::paintBreakEven(QPainter& painter, const Theme& theme) const {
  const QString words = m_model->breakEvenText();
  const double y = breakEvenY(), right = std::min(m_bars.right() + 6, m_chart.right());
  if (y >= 0) {
    painter.setPen(QPen(theme.base(), 3));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
    painter.setPen(QPen(theme.warning(), 2, Qt::DashLine));
    painter.drawLine(QPointF(m_bars.left(), y), QPointF(right, y));
  }
  if (words.isEmpty() || !hasRoomForBreakEven()) return;
  const double left = m_bars.right() + kBreakEvenGap;
  const QRectF room(left, m_bars.top(), m_chart.right() - left, m_bars.height());
  QRectF place = QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words);
  place.moveTop(std::clamp((y >= 0 ? y : room.top()) - place.height() / 2, room.top(),
                           std::max(room.top(), room.bottom() - place.height())));
  paintText(painter, place.adjusted(0, 0, 2, 2), Qt::AlignLeft | Qt::TextWordWrap, words, theme.warning());
}

// The height is the share of accepted tokens; a step without any has a mark on the ground.
void SpeculationView::paintStep(QPainter& painter, const Item& item, const Theme& theme) const {
  const SpeculationHistory::Step& step = m_model->lastSteps()[static_cast<std::size_t>(item.index)];
  const double height =
      std::max(2.0, SpeculationModel::shareOf(step.accepted, step.judged) * item.area.height());
  const QRectF bar(item.area.left() + 1, item.area.bottom() - height, item.area.width() - 2, height);
  const bool now = step.step == m_model->session()->step();
  const bool lit = spotlight().target().sequence == 0 && spotlight().target().step == step.step;
  painter.fillRect(bar, now || lit ? theme.accent() : mix(theme.base(), theme.accent(), 0.5));
}

}  // namespace vitrine

#include "moc_speculation_view.cpp"
