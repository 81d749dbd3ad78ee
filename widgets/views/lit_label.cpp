#include "widgets/views/lit_label.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QStyle>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {

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

void LitLabel::layOut(QTextDocument& document) const {
  document.setDocumentMargin(0);
  document.setDefaultFont(font());
  QTextOption option = document.defaultTextOption();
  option.setWrapMode(QTextOption::WordWrap);
  option.setAlignment(QStyle::visualAlignment(layoutDirection(), alignment()));
  option.setTextDirection(layoutDirection());
  document.setDefaultTextOption(option);
  document.setPlainText(text());
  document.setTextWidth(contentsRect().width());
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
  QTextDocument document;
  layOut(document);
  QRectF area;
  for (const QRectF& part : areasOf(document, hits[static_cast<std::size_t>(hit)])) area |= part;
  return area.translated(contentsRect().topLeft()).toAlignedRect();
}

void LitLabel::paintEvent(QPaintEvent* event) {
  if (const std::vector<FoundRange> hits = occurrences(text(), m_sought); !hits.empty()) {
    QTextDocument document;
    layOut(document);
    QPainter painter(this);
    painter.translate(contentsRect().topLeft());
    const HitColours colours = HitColours::of(this);
    for (int i = 0; i < static_cast<int>(hits.size()); ++i)
      for (const QRectF& area : areasOf(document, hits[static_cast<std::size_t>(i)])) {
        painter.fillRect(area, colours.ground);
        if (i != m_present) continue;
        painter.setPen(QPen(colours.present, 2));
        painter.drawRect(area.adjusted(1, 1, -1, -1));
      }
  }
  QLabel::paintEvent(event);
}

}  // namespace vitrine
