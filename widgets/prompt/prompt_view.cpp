#include "widgets/prompt/prompt_view.h"

#include <QAccessibleWidget>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "widgets/painting/painted_reading.h"
#include "widgets/prompt/prompt_colours.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kPromptTop = 6, kPromptGap = 8;  // pixels; the gap: between lines, and more before a message

// What a screen reader meets of a prompt: a list with a token an item, its text, its id and what wrote it.
class TokenReading final : public ItemReading {
 public:
  TokenReading(PromptView* view, int row) : ItemReading(view), m_row(row) {}

  bool isValid() const override { return ItemReading::isValid() && m_row < prompt().tokens().rowCount(); }
  QString text(QAccessible::Text what) const override {
    return what == QAccessible::Name && isValid() ? prompt().tokens().describe(m_row) : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area =
        prompt().tokenRect(m_row).toAlignedRect().translated(0, -prompt().verticalScrollBar()->value());
    return {prompt().viewport()->mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    if (!isValid()) return state;
    state.readOnly = state.focusable = state.selectable = true;
    state.selected = prompt().current() == m_row;
    state.focused = state.selected && prompt().hasFocus();
    state.invisible = !prompt().isVisible();
    state.offscreen = !prompt().viewport()->rect().intersects(
        prompt().tokenRect(m_row).toAlignedRect().translated(0, -prompt().verticalScrollBar()->value()));
    return state;
  }

 private:
  PromptView& prompt() const { return *static_cast<PromptView*>(view()); }

  const int m_row;
};

class PromptReading final : public QAccessibleWidget {
 public:
  explicit PromptReading(PromptView* view) : QAccessibleWidget(view, QAccessible::List) {}
  ~PromptReading() override {
    for (const auto& [row, id] : m_items) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return view().tokens().rowCount(); }
  QAccessibleInterface* child(int row) const override {
    if (row < 0 || row >= childCount()) return nullptr;
    auto known = m_items.find(row);
    if (known == m_items.end())
      known = m_items.emplace(row, QAccessible::registerAccessibleInterface(new TokenReading(&view(), row)))
                  .first;
    return QAccessible::accessibleInterface(known->second);
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int row = 0; row < childCount(); ++row)
      if (QAccessibleInterface* const item = child(row); item->rect().contains(x, y)) return item;
    return nullptr;
  }
  int indexOfChild(const QAccessibleInterface* item) const override {
    for (const auto& [row, id] : m_items)
      if (QAccessible::accessibleInterface(id) == item) return row;
    return -1;
  }
  QAccessibleInterface* focusChild() const override {
    return view().hasFocus() ? child(view().current()) : nullptr;
  }

 private:
  PromptView& view() const { return *static_cast<PromptView*>(widget()); }

  mutable std::map<int, QAccessible::Id> m_items;  // by row, of those that were asked for
};

QAccessibleInterface* makeReading(const QString&, QObject* object) {
  auto* const view = qobject_cast<PromptView*>(object);
  return view ? new PromptReading(view) : nullptr;
}

}  // namespace

PromptView::PromptView(PromptModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kAcross, .ends = true, .leftOnly = true}, parent),
      m_prompt(model) {
  [[maybe_unused]] static const bool isReadAsList = (QAccessible::installFactory(makeReading), true);
  setAccessibleName(tr("The prompt as the model reads it"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QString PromptView::summary() const {
  const int all = m_prompt->rowCount();
  if (all == 0) return {};
  QStringList parts = {tr("%n token(s)", nullptr, all), tr("%n of them written by the template", nullptr,
                                                           m_prompt->count(PromptModel::Owner::kTemplate))};
  if (const auto leftOut = std::ranges::count(m_prompt->prompt().messagesLeftOut, LeftOutMessage::Part::kAll,
                                              &LeftOutMessage::part);
      leftOut > 0)
    parts << tr("%n message(s) left out", nullptr, static_cast<int>(leftOut));
  return parts.join(QStringLiteral(" · "));
}

void PromptView::setEmptyWords(const QString& words) {
  m_emptyWords = words;
  if (rows() == 0) announce(words);
  viewport()->update();
}

double PromptView::lineTop(int line) const { return kPromptTop + line * lineHeight(); }

QSize PromptView::contentSize() const {
  return {viewport()->width(), static_cast<int>(lineTop(m_layout.lines()) + kPromptTop)};
}

QRectF PromptView::tokenRect(int row) const {
  if (row < 0 || row >= rows()) return {};
  const PromptBox& box = m_layout.at(row);
  return {box.x, lineTop(box.line) + 2, box.width, lineHeight() - 4.0};
}

void PromptView::measure() {
  m_layout.measure(*m_prompt, font());
  m_layout.place(viewport()->width() - PromptLayout::kSide);
}

void PromptView::contentChanged() {
  measure();
  CursorView::contentChanged();
  currentChanged();
}

void PromptView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int lines = m_layout.lines();
  const int first = std::clamp(static_cast<int>(exposed.top() - kPromptTop) / lineHeight(), 0, lines);
  const int last = std::min(static_cast<int>(exposed.bottom() - kPromptTop) / lineHeight(), lines - 1);
  for (int line = first; line <= last; ++line) paintLine(painter, line, theme);
  paintFrame(painter, theme);
}

void PromptView::paintLine(QPainter& painter, int line, const Theme& theme) const {
  const int first = m_layout.lineStart(line);
  if (m_layout.at(first).opensGroup) {
    paintText(painter, QRectF(PromptLayout::kSide, lineTop(line), m_layout.margin(), lineHeight()),
              kAtLeft | Qt::TextDontClip, m_prompt->heading(first), theme.dimText());
  }
  paintGrounds(painter, line, theme);
  for (int row = first; row < m_layout.lineEnd(line); ++row) {
    if (m_layout.at(row).isChip())
      paintChip(painter, row, theme);
    else
      paintToken(painter, row, theme);
  }
  paintDifference(painter, line, theme);
}

// Neighbours of one kind have one ground.
void PromptView::paintGrounds(QPainter& painter, int line, const Theme& theme) const {
  const int end = m_layout.lineEnd(line);
  const auto runs = [&](const auto& keyOf, const auto& paint) {
    for (int row = m_layout.lineStart(line); row < end;) {
      const int first = row;
      const auto key = keyOf(first);
      while (row < end && keyOf(row) == key) ++row;
      paint(key, tokenRect(first).united(tokenRect(row - 1)));
    }
  };
  painter.setPen(Qt::NoPen);
  runs([&](int row) { return isMarked(row); },
       [&](bool marked, const QRectF& area) {
         if (!marked) return;
         painter.setBrush(writtenGround(theme));
         painter.drawRoundedRect(area.adjusted(-2, -1, 2, 1), 4, 4);
       });
  runs([&](int row) { return m_prompt->owner(row); },
       [&](PromptModel::Owner owner, const QRectF& area) {
         if (owner == PromptModel::Owner::kTemplate) return;
         painter.setBrush(ownerGround(owner, theme));
         painter.drawRoundedRect(area.adjusted(0, 3, 0, -3), 3, 3);
       });
}

// Before the first token that differs from the prompt before: a line with a flag at its top.
void PromptView::paintDifference(QPainter& painter, int line, const Theme& theme) const {
  const int row = m_prompt->firstThatDiffers();
  if (row < m_layout.lineStart(line) || row >= m_layout.lineEnd(line)) return;
  const QRectF area = tokenRect(row);
  const double x = std::round(area.left()) - 1, top = area.top() - 2;
  drawBox(painter, QRectF(x, top, 2, area.height() + 4), 0, Qt::NoPen, theme.warning());
  painter.drawPolygon(QPolygonF({{x, top}, {x + 7, top}, {x, top + 7}}));
}

void PromptView::paintToken(QPainter& painter, int row, const Theme& theme) const {
  const SeenToken& token = m_prompt->at(row);
  const PromptBox& box = m_layout.at(row);
  const QRectF area = tokenRect(row);
  const bool dim = !token.isWritten && !isMarked(row);
  paintText(painter, QRectF(box.x, area.top(), box.width + 2, area.height()), kAtLeft | Qt::TextDontClip,
            box.shown, dim ? theme.dimText() : theme.text());
  if (row > m_layout.lineStart(box.line) && !m_layout.at(row - 1).isChip()) {
    painter.setPen(QPen(mix(theme.base(), theme.text(), 0.35), 1));
    const double x = std::round(box.x) + 0.5;
    painter.drawLine(QPointF(x, area.bottom() - 5), QPointF(x, area.bottom() - 1));
  }
  if (token.isTyped) {
    painter.setPen(QPen(theme.warning(), 2, Qt::DotLine));
    painter.drawLine(QPointF(area.left() + 1, area.bottom() - 2),
                     QPointF(area.right() - 1, area.bottom() - 2));
  }
  if (row != currentRow()) return;
  drawBox(painter, area.adjusted(-1, 1, 1, -1), 3, QPen(theme.text(), hasFocus() ? 1.8 : 1));
}

void PromptView::paintChip(QPainter& painter, int row, const Theme& theme) const {
  const SeenToken& token = m_prompt->at(row);
  const PromptBox& box = m_layout.at(row);
  const QRectF area = tokenRect(row).adjusted(PromptLayout::kChipGap, 1, -PromptLayout::kChipGap, -1);
  painter.setBrush(token.isTyped ? ownerGround(m_prompt->owner(row), theme) : theme.panel());
  const QColor edge = token.isTyped ? theme.warning() : mix(theme.base(), theme.text(), 0.45);
  painter.setPen(row == currentRow() ? QPen(theme.text(), hasFocus() ? 2.2 : 1.6)
                                     : QPen(edge, 1, token.isTyped ? Qt::DotLine : Qt::SolidLine));
  painter.drawRoundedRect(area, 5, 5);
  const QRectF words = area.adjusted(PromptLayout::kInset, 0, -PromptLayout::kInset + 2, 0);
  paintText(painter, words, kAtLeft | Qt::TextDontClip, box.shown, theme.text());
  paintText(painter, words.adjusted(0, 0, -2, 0), kAtRight | Qt::TextDontClip, box.id,
            contrastRatio(theme.dimText(), painter.brush().color()) >= 4.5 ? theme.dimText() : theme.text());
}

// Around the generation prompt; what it is for stands behind it, where there is room.
void PromptView::paintFrame(QPainter& painter, const Theme& theme) const {
  const int first = m_prompt->prompt().answerBegins;
  if (first < 0 || first >= rows()) return;
  QRectF area;
  for (int row = first; row < rows(); ++row) area = area.united(tokenRect(row));
  drawBox(painter, area.adjusted(-3, -1, 3, 1), 5, QPen(theme.accentText(), 1.6, Qt::DashLine));
  painter.setPen(theme.accentText());
  const QRectF behind(area.right() + 10, area.top(), viewport()->width() - area.right() - 14, area.height());
  const QString words = tr("the answer begins here");
  if (textWidth(font(), words) <= behind.width()) paintText(painter, behind, kAtLeft, words);
}

ViewItem PromptView::itemAt(const QPoint& content) const {
  const int line = static_cast<int>(content.y() - kPromptTop) / lineHeight();
  if (content.y() < kPromptTop || line >= m_layout.lines()) return {};
  const int row = m_layout.nearestIn(line, content.x());
  const QRectF area = tokenRect(row);
  return {content.x() >= area.left() && content.x() < area.right() ? row : -1};
}

QRect PromptView::itemRect(const ViewItem& item) const {
  return tokenRect(item.row).toAlignedRect().adjusted(0, -4, 0, 4);
}

void PromptView::currentChanged() {
  forgetHovered();
  emit pointed(currentRow());
}

void PromptView::mark(std::set<int> writers, bool shows) {
  m_marked = std::move(writers);
  viewport()->update();
  for (int row = 0; shows && row < rows(); ++row)
    if (isMarked(row)) return reveal(tokenRect(row).toAlignedRect());
}

std::optional<ViewItem> PromptView::itemBeside(int key) const {
  if ((key != Qt::Key_Up && key != Qt::Key_Down) || currentRow() < 0) return CursorView::itemBeside(key);
  const PromptBox& box = m_layout.at(currentRow());
  const int line = box.line + (key == Qt::Key_Up ? -1 : 1);
  return ViewItem{line < 0 || line >= m_layout.lines() ? currentRow() : m_layout.nearestIn(line, box.x + 1)};
}

void PromptView::resizeEvent(QResizeEvent* event) {
  m_layout.place(viewport()->width() - PromptLayout::kSide);
  PaintedView::resizeEvent(event);
}

void PromptView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) measure();
  PaintedView::changeEvent(event);
}

}  // namespace vitrine

#include "moc_prompt_view.cpp"
