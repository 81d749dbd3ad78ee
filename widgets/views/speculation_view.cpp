#include "widgets/views/speculation_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kSide = 14, kTop = 10, kPad = 7, kGap = 5;
constexpr double kBarWidth = 40, kBarGap = 16, kLeastChart = 96, kStepWidth = 7;
constexpr double kBeside = 520;  // from this width on the last steps stand beside the bars

}  // namespace

SpeculationView::SpeculationView(SpeculationModel* model, QWidget* parent)
    : PaintedView(model, parent), m_model(model) {
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

double SpeculationView::width() const { return std::max(160.0, viewport()->width() - 2 * kSide); }

double SpeculationView::textHeight(const QString& text, const QFont& font) const {
  if (text.isEmpty()) return 0;
  return QFontMetricsF(font).boundingRect(QRectF(0, 0, width(), 10'000), Qt::TextWordWrap, text).height();
}

QSize SpeculationView::contentSize() const {
  return {viewport()->width(), static_cast<int>(m_bottom + kTop)};
}

QString SpeculationView::shownText(const DraftToken& token) const { return visibleToken(token.text); }

// One line of it: what stands directly before the draft.
QString SpeculationView::shownBefore() const {
  QString text = m_model->draft().before.simplified();
  const auto isTooLong = [&] { return textWidth(font(), u'…' + text) > width() * 0.45; };
  if (!isTooLong()) return text;
  while (!text.isEmpty() && isTooLong()) text.remove(0, 1);
  return u'…' + text;
}

QString SpeculationView::legend() const {
  return m_model->draft().pending
             ? tr("dashed: drafted, not verified yet")
             : tr("tick: draft accepted · struck: rejected, and what followed it thrown away · outlined: "
                  "from the model itself");
}

void SpeculationView::place() {
  m_items.clear();
  double y = kTop;
  const auto stack = [&](const QString& text, const QFont& face, double gap) {
    const QRectF area(kSide, y, width(), textHeight(text, face));
    if (!text.isEmpty()) y = area.bottom() + gap;
    return area;
  };
  m_verdict = stack(m_model->verdictText(), boldFont(), 2);
  m_cost = stack(m_model->costText(), font(), 2);
  m_measured = stack(m_model->measuredText(), font(), 2);
  m_drafts = stack(m_model->draftsText(), font(), 0);
  y += kPad;
  m_draftTitle = stack(m_model->draftTitle(), boldFont(), 3);
  y = placeDraft(y);
  m_bottom = placeBars(y + kPad);
  m_current = std::min(m_current, static_cast<int>(m_items.size()) - 1);
}

double SpeculationView::placeDraft(double top) {
  const ShownDraft& draft = m_model->draft();
  m_before = m_legend = {};
  if (draft.step == 0) return top;
  const double before = textWidth(font(), shownBefore());
  m_before = QRectF(kSide, top, before, lineHeight());
  double x = kSide + before + (before > 0 ? kGap + 3 : 0), y = top;
  for (std::size_t i = 0; i < draft.tokens.size(); ++i) {
    const double wide = std::min(width(), textWidth(font(), shownText(draft.tokens[i])) + 2 * kPad);
    if (x + wide > kSide + width() && x > kSide) x = kSide, y += lineHeight() + 3;
    m_items.push_back({Part::kToken, static_cast<int>(i), QRectF(x, y + 1, wide, lineHeight() - 2)});
    x += wide + kGap;
  }
  m_legend = QRectF(kSide, y + lineHeight() + 3, width(), textHeight(legend(), font()));
  return m_legend.bottom() + kGap;
}

double SpeculationView::placeBars(double top) {
  const int count = static_cast<int>(m_model->figures().positions.size());
  m_chart = m_bars = m_steps = {};
  if (count == 0) return top;
  const double line = fontMetrics().height();
  const bool beside = width() >= kBeside;
  const double room = viewport()->height() - top - 3 * line - kTop - 14;
  const double height = std::clamp(room, kLeastChart, 2.2 * kLeastChart);
  const double label = std::max(kBarWidth, textWidth(font(), QStringLiteral("100 %")) + 4);
  const double pitch = std::min(label + kBarGap, width() / count);
  m_chart = QRectF(kSide, top, beside ? std::max(count * pitch + 150, width() * 0.55) : width(),
                   height + 3 * line + 6);
  m_bars = QRectF(kSide, top + 2 * line + 2, count * pitch, height);
  for (int i = 0; i < count; ++i) {
    const QRectF column(m_bars.left() + i * pitch, m_bars.top() - line, pitch, height + 2 * line + 4);
    m_items.push_back({Part::kPosition, i, column});
  }
  if (beside) {
    placeSteps(QRectF(m_chart.right() + 12, m_bars.top(), kSide + width() - m_chart.right() - 12, height));
    return m_chart.bottom();
  }
  placeSteps(QRectF(kSide, m_chart.bottom() + line + 6, width(), kLeastChart / 2));
  return m_steps.bottom();
}

// As many as there is room for, the newest at the right end.
void SpeculationView::placeSteps(const QRectF& area) {
  m_steps = area;
  const int count = static_cast<int>(m_model->lastSteps().size());
  const int most = std::max(1, static_cast<int>(area.width() / kStepWidth));
  for (int i = std::max(0, count - most); i < count; ++i) {
    const double x = area.left() + (i - std::max(0, count - most)) * kStepWidth;
    m_items.push_back({Part::kStep, i, QRectF(x, area.top(), kStepWidth, area.height())});
  }
}

double SpeculationView::yOf(double share) const { return m_bars.bottom() - share * m_bars.height(); }

double SpeculationView::breakEvenY() const {
  const std::optional<double> needed = m_model->figures().breakEvenAcceptance();
  return needed && *needed <= 1 && !m_bars.isEmpty() ? yOf(*needed) : -1;
}

int SpeculationView::itemAt(const QPoint& content) const {
  const auto found =
      std::ranges::find_if(m_items, [&](const Item& item) { return item.area.contains(content); });
  return found == m_items.end() ? -1 : static_cast<int>(found - m_items.begin());
}

QString SpeculationView::describe(const Item& item) const {
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

QString SpeculationView::tipAt(const QPoint& content) const {
  const int item = itemAt(content);
  return item < 0 ? QString() : describe(m_items[static_cast<std::size_t>(item)]);
}

prose::Target SpeculationView::targetOf(const Item& item) const {
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

prose::Target SpeculationView::targetAt(const QPoint& content) const {
  const int item = itemAt(content);
  return item < 0 ? prose::Target() : targetOf(m_items[static_cast<std::size_t>(item)]);
}

// The keyboard points as the mouse does.
void SpeculationView::setCurrent(int item) {
  if (m_items.empty()) return;
  m_current = std::clamp(item, 0, static_cast<int>(m_items.size()) - 1);
  const Item& current = m_items[static_cast<std::size_t>(m_current)];
  reveal(current.area.toAlignedRect());
  announce(describe(current));
  m_model->session()->spotlight()->point(targetOf(current));
  viewport()->update();
}

void SpeculationView::enter(int item) {
  if (item < 0 || item >= static_cast<int>(m_items.size())) return;
  const int step = targetOf(m_items[static_cast<std::size_t>(item)]).step;
  if (step > 0 && !m_model->draft().pending) emit stepRequested(step);
}

void SpeculationView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return setCurrent(m_current < 0 ? static_cast<int>(m_items.size()) - 1 : m_current - 1);
    case Qt::Key_Right:
      return setCurrent(m_current + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(m_items.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return enter(m_current);
    default:
      PaintedView::keyPressEvent(event);
  }
}

void SpeculationView::mousePressEvent(QMouseEvent* event) {
  const int item = itemAt(toContent(event->pos()));
  if (item < 0 || event->button() != Qt::LeftButton) return;
  setCurrent(item);
  enter(item);
}

void SpeculationView::resizeEvent(QResizeEvent* event) {
  place();
  PaintedView::resizeEvent(event);
}

void SpeculationView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) place();
  PaintedView::changeEvent(event);
}

}  // namespace vitrine
