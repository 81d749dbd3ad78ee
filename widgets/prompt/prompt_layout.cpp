#include "widgets/prompt/prompt_layout.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/token_ink.h"

namespace vitrine {

void PromptLayout::measure(const PromptModel& model, const QFont& font) {
  m_boxes.clear();
  m_boxes.reserve(static_cast<std::size_t>(model.rowCount()));
  double widest = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const SeenToken& token = model.at(row);
    PromptBox box;
    box.opensGroup = model.opensGroup(row);
    if (box.opensGroup) widest = std::max(widest, textWidth(font, model.heading(row)));
    if (token.isMark) {
      box.shown = windowText(token.text);
      box.id = QString::number(token.id);
      box.width = textWidth(font, box.shown) + textWidth(font, box.id) + 3 * kInset + 2 * kChipGap;
      box.opensWord = true;
    } else {
      box.shown = token.continues ? QStringLiteral("·") : flowingToken(windowText(token.text));
      box.width = textWidth(font, box.shown);
      box.opensWord = token.text.starts_with(' ') || token.text.starts_with('\n') ||
                      (!box.shown.isEmpty() && box.shown.front().unicode() >= 0x3000);
      box.endsLine = token.isWritten && token.text.ends_with('\n');
    }
    m_boxes.push_back(std::move(box));
  }
  m_margin = kSide + widest + 2 * kSide;
}

// Words of several tokens stay together where they fit into a line.
void PromptLayout::place(double right) {
  m_lineStart.clear();
  double x = m_margin;
  for (int row = 0; row < size();) {
    double width = 0;
    int end = row;
    do width += at(end++).width;
    while (end < size() && !at(end).opensWord && !at(end).opensGroup && !at(end - 1).endsLine &&
           !at(end - 1).isChip());
    const bool breaks = row == 0 || at(row).opensGroup || at(row - 1).endsLine;
    if (breaks || x + width > right) {
      m_lineStart.push_back(row);
      x = m_margin;
    }
    for (; row < end; ++row) {
      PromptBox& box = m_boxes[static_cast<std::size_t>(row)];
      if (x > m_margin && x + box.width > right) {
        m_lineStart.push_back(row);
        x = m_margin;
      }
      box.x = x;
      box.line = lines() - 1;
      x += box.width;
    }
  }
}

int PromptLayout::nearestIn(int line, double x) const {
  const int first = lineStart(line), end = lineEnd(line);
  int row = first;
  while (row + 1 < end && at(row + 1).x <= x) ++row;
  return row;
}

}  // namespace vitrine
