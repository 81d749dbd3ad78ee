#include "widgets/views/lit_label.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QStyle>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {
constexpr int kLongText = 4000;  // characters: about what a large window shows at once
}  // namespace

HitColours HitColours::of(const QWidget* widget) {
  const Theme theme = Theme::of(widget);
  return {mix(theme.base(), theme.accent(), theme.isDark() ? 0.5 : 0.35), theme.accent(),
          Theme::inkOn(theme.accent())};
}

std::vector<QRectF> areasOf(const QTextDocument& document, const FoundRange& range) {
  std::vector<QRectF> areas;
  for (QTextBlock block = document.findBlock(range.begin);
       block.isValid() && block.position() < range.begin + range.length; block = block.next()) {
    const QPointF origin = document.documentLayout()->blockBoundingRect(block).topLeft();
    const int begin = std::max(range.begin - block.position(), 0);
    const int end = std::min(range.begin + range.length - block.position(), block.length() - 1);
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      const QTextLine line = block.layout()->lineAt(i);
      const int from = std::max(begin, line.textStart()),
                to = std::min(end, line.textStart() + line.textLength());
      if (from >= to) continue;
      const double left = line.cursorToX(from), right = line.cursorToX(to);
      areas.push_back(QRectF(origin + QPointF(std::min(left, right), line.y()),
                             QSizeF(std::abs(right - left), line.height())));
    }
  }
  return areas;
}

LitLabel::LitLabel(QWidget* parent) : QLabel(parent) {}
LitLabel::~LitLabel() = default;

const QTextDocument& LitLabel::laidOut() const {
  const LaidOut now{text(), font(), contentsRect().width(), layoutDirection()};
  if (m_document && m_laidOut == now) return *m_document;
  if (!m_document) m_document = std::make_unique<QTextDocument>();
  m_laidOut = now;
  m_document->setUndoRedoEnabled(false);
  m_document->setDocumentMargin(0);
  m_document->setDefaultFont(now.font);
  QTextOption option = m_document->defaultTextOption();
  option.setWrapMode(QTextOption::WordWrap);
  option.setAlignment(QStyle::visualAlignment(now.direction, alignment()));
  option.setTextDirection(now.direction);
  m_document->setDefaultTextOption(option);
  m_document->setPlainText(now.text);
  m_document->setTextWidth(now.width);
  return *m_document;
}

void LitLabel::light(const SoughtText& sought, int present) {
  if (m_sought == sought && m_present == present) return;
  m_sought = sought;
  m_present = present;
  update();
}

QRect LitLabel::hitRect(int hit) const {
  const std::vector<FoundRange> hits = occurrences(text(), m_sought);
  if (hit < 0 || hit >= static_cast<int>(hits.size())) return {};
  QRectF area;
  for (const QRectF& part : areasOf(laidOut(), hits[static_cast<std::size_t>(hit)])) area |= part;
  return area.translated(contentsRect().topLeft()).toAlignedRect();
}

void LitLabel::paintEvent(QPaintEvent* event) {
  const std::vector<FoundRange> hits = occurrences(text(), m_sought);
  const bool isLong = text().size() > kLongText;
  if (!hits.empty() || isLong) {
    QPainter painter(this);
    painter.translate(contentsRect().topLeft());
    paintHits(painter, hits);
    if (isLong) return paintText(painter, QRectF(event->rect().translated(-contentsRect().topLeft())));
  }
  QLabel::paintEvent(event);
}

void LitLabel::paintHits(QPainter& painter, const std::vector<FoundRange>& hits) const {
  const HitColours colours = HitColours::of(this);
  for (int i = 0; i < static_cast<int>(hits.size()); ++i)
    for (const QRectF& area : areasOf(laidOut(), hits[static_cast<std::size_t>(i)])) {
      painter.fillRect(area, colours.ground);
      if (i != m_present) continue;
      painter.setPen(QPen(colours.present, 2));
      painter.drawRect(area.adjusted(1, 1, -1, -1));
    }
}

// QLabel would paint every line: 18 ms for 100,000 characters. What it alone knows, the caret of a selection
// by keys, is left out.
void LitLabel::paintText(QPainter& painter, const QRectF& sight) const {
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette();
  context.palette.setColor(QPalette::Text, palette().color(foregroundRole()));
  context.clip = sight;
  const QTextDocument& document = laidOut();
  if (hasSelectedText()) {
    QTextCursor cursor(document.findBlock(0));
    cursor.setPosition(selectionStart());
    cursor.setPosition(selectionStart() + static_cast<int>(selectedText().size()), QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setBackground(palette().brush(QPalette::Highlight));
    format.setForeground(palette().brush(QPalette::HighlightedText));
    context.selections.append({cursor, format});
  }
  document.documentLayout()->draw(&painter, context);
}

}  // namespace vitrine
