#include "widgets/requests/text_flow.h"

#include <QFontMetricsF>
#include <algorithm>

#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

// Between the characters of these scripts a line may break without a blank.
bool isIdeograph(QChar c) { return c.unicode() >= 0x2e80 && c.unicode() <= 0x9fff; }

}  // namespace

void TextFlow::measure(const std::vector<TextRow>& rows, const QFont& font) {
  const QFontMetricsF metrics(font);
  m_tokens.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FlowToken& token = m_tokens[i];
    const QString& text = rows[i].text;
    // The model keeps the texts of old rows, so equal ones share their memory.
    if (token.width > 0 && (token.source.constData() == text.constData() || token.source == text)) continue;
    token.source = text;
    token.shown = text.isEmpty() ? QStringLiteral("·") : flowingToken(text);  // · is a part of a character
    token.width = metrics.horizontalAdvance(token.shown);
    const auto visible =
        std::find_if(token.shown.cbegin(), token.shown.cend(), [](QChar c) { return c != u' '; });
    token.blank = metrics.horizontalAdvance(token.shown.left(visible - token.shown.cbegin()));
    token.endsLine = text.endsWith(u'\n');
    token.opensWord = token.shown.startsWith(u' ') || isIdeograph(token.shown.front());
  }
}

// Words of several tokens stay together where they fit into a line.
void TextFlow::place(int prompt, double left, double right) {
  const int count = static_cast<int>(m_tokens.size());
  m_lineStart.assign(1, 0);  // the caption over the prompt
  m_answerLine = -1;
  double x = right + 1;
  const auto newLine = [&](int row) {
    m_lineStart.push_back(row);
    x = left;
  };
  for (int row = 0; row < count;) {
    if (row == prompt) {
      m_answerLine = static_cast<int>(m_lineStart.size());
      m_lineStart.push_back(row);
    }
    double width = 0;
    int end = row;
    do {
      width += m_tokens[static_cast<std::size_t>(end++)].width;
    } while (end < count && end != prompt && !m_tokens[static_cast<std::size_t>(end)].opensWord &&
             !m_tokens[static_cast<std::size_t>(end - 1)].endsLine);
    if (row == 0 || row == prompt || m_tokens[static_cast<std::size_t>(row - 1)].endsLine ||
        x + width > right)
      newLine(row);
    for (; row < end; ++row) {
      FlowToken& token = m_tokens[static_cast<std::size_t>(row)];
      if (x > left && x + token.width > right) newLine(row);
      // The blank that a line begins with is left out.
      token.x = x > left || token.blank >= token.width ? x : x - token.blank;
      token.line = static_cast<int>(m_lineStart.size()) - 1;
      x = token.x + token.width;
    }
  }
}

// The token of a line that is closest to x; -1 in a line without tokens.
int TextFlow::nearestIn(int line, double x) const {
  const auto place = static_cast<std::size_t>(line);
  const auto begin = m_tokens.begin() + m_lineStart[place];
  const auto end =
      place + 1 < m_lineStart.size() ? m_tokens.begin() + m_lineStart[place + 1] : m_tokens.end();
  if (begin == end || begin->line != line) return -1;
  const auto behind =
      std::upper_bound(begin, end, x, [](double at, const FlowToken& token) { return at < token.x; });
  return static_cast<int>((behind == begin ? begin : std::prev(behind)) - m_tokens.begin());
}

}  // namespace vitrine
