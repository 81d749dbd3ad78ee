#include "widgets/conversation/sought_text.h"

#include <algorithm>

namespace vitrine {
namespace {

// One character for one, so that places stay.
QString withPlainBlanks(QString text) {
  for (QChar& c : text)
    if (c == QChar::LineSeparator || c == QChar::Nbsp || c == u'\n' || c == u'\t') c = u' ';
  return text;
}

}  // namespace

SoughtText phrase(const QString& text, bool matchCase) {
  if (text.trimmed().isEmpty()) return {{}, matchCase};
  return {{text}, matchCase};
}

std::vector<FoundRange> occurrences(const QString& text, const SoughtText& sought) {
  const Qt::CaseSensitivity letters = sought.matchCase ? Qt::CaseSensitive : Qt::CaseInsensitive;
  const QString plain = withPlainBlanks(text);
  std::vector<FoundRange> found;
  for (const QString& word : sought.words) {
    if (word.isEmpty()) continue;
    const QString wanted = withPlainBlanks(word);
    for (qsizetype at = plain.indexOf(wanted, 0, letters); at >= 0;
         at = plain.indexOf(wanted, at + wanted.size(), letters))
      found.push_back({static_cast<int>(at), static_cast<int>(wanted.size())});
  }
  if (sought.words.size() < 2) return found;
  std::ranges::sort(found, [](const FoundRange& a, const FoundRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.length > b.length;
  });
  std::vector<FoundRange> apart;
  for (const FoundRange& range : found)
    if (apart.empty() || range.begin >= apart.back().begin + apart.back().length) apart.push_back(range);
  return apart;
}

}  // namespace vitrine
