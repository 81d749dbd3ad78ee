#include "widgets/speculation/speculation_view.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kSpeculationSide = 14, kSpeculationTop = 10, kSpeculationPad = 7, kSpeculationGap = 5,
                 kSection = 12, kColumnGap = 26;
constexpr double kSpeculationLeastChart = 46, kMostChart = 230, kStepsHeight = 24, kStepWidth = 7;
constexpr int kColumnsFrom = 72;  // letters in a line: charts stand beside the words
constexpr double kWords = 0.52;   // of the width, then

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
  const SpeculationVerdict verdict = m_model->verdict();
  const bool empty = verdict == SpeculationVerdict::kOff || verdict == SpeculationVerdict::kNoDraft;
  return empty && m_model->draft().step == 0
             ? m_model->verdictText() + QStringLiteral(" ") + m_model->costText()
             : QString();
}

QFont SpeculationView::boldFont() const {
  QFont bold = font();
  bold.setBold(true);
  return bold;
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
  m_verdict = stack(m_model->verdictText(), boldFont(), 3);
  m_cost = stack(m_model->costText(), font(), 3);
  y += kSpeculationPad;
  m_draftTitle = stack(m_model->draftTitle(), boldFont(), 3);
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

double SpeculationView::yOf(double share) const { return m_bars.bottom() - share * m_bars.height(); }

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

}  // namespace vitrine

#include "moc_speculation_view.cpp"
