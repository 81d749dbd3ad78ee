#include "widgets/markdown/written_text.h"

#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>

#include "widgets/markdown/maths_object.h"

namespace vitrine {

WrittenText::WrittenText(const QTextDocument& document) {
  const QString raw = document.toRawText();
  m_text.reserve(raw.size());
  int taken = 0;
  for (qsizetype at = 0; (at = raw.indexOf(QChar::ObjectReplacementCharacter, at)) >= 0;) {
    const QTextBlock block = document.findBlock(static_cast<int>(at));
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QString source = it.fragment().charFormat().stringProperty(kMathsSourceProperty);
      if (source.isEmpty()) continue;
      // Two equal formulas side by side are one fragment.
      for (int position = it.fragment().position(); it.fragment().contains(position); ++position) {
        m_text += QStringView(raw).mid(taken, position - taken);
        m_formulas.push_back({position, static_cast<int>(m_text.size()), static_cast<int>(source.size())});
        m_text += source;
        taken = position + 1;
      }
    }
    at = block.position() + block.length();
  }
  m_text += QStringView(raw).mid(taken);
}

int WrittenText::offsetAt(int position) const {
  const auto after = std::ranges::lower_bound(m_formulas, position, {}, &Formula::position);
  if (after == m_formulas.begin()) return position;
  const Formula& before = *(after - 1);
  return before.offset + before.length + position - before.position - 1;
}

int WrittenText::positionAt(int offset) const {
  const auto after = std::ranges::upper_bound(m_formulas, offset, {}, &Formula::offset);
  if (after == m_formulas.begin()) return offset;
  const Formula& before = *(after - 1);
  const int behind = offset - before.offset - before.length;
  return behind < 0 ? before.position : before.position + 1 + behind;
}

int WrittenText::endPositionAt(int offset) const {
  const int position = positionAt(offset);
  return offsetAt(position) < offset ? position + 1 : position;
}

}  // namespace vitrine
