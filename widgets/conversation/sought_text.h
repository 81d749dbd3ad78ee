// SoughtText: what is sought in a conversation, and where a text has it. Thread: values, any.
#pragma once

#include <QStringList>
#include <vector>

namespace vitrine {

struct SoughtText {
  QStringList words = {};  // any of them; a word may have blanks
  bool matchCase = false;

  bool isEmpty() const { return words.isEmpty(); }
  bool operator==(const SoughtText&) const = default;
};

// In UTF-16 units of the text.
struct FoundRange {
  int begin = 0, length = 0;

  bool operator==(const FoundRange&) const = default;
};

// What a person types as one phrase; nothing of a text of blanks.
SoughtText phrase(const QString& text, bool matchCase);

// Ascending, without overlaps; of two words at one place the longer one. Blanks, line breaks within a
// paragraph and no-break spaces are the same; the end of a paragraph (U+2029) is in no word.
std::vector<FoundRange> occurrences(const QString& text, const SoughtText& sought);

}  // namespace vitrine
