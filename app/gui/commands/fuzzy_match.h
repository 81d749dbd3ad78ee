// A query against a text, as a command palette matches it: "mo", "mach opt" and "options machine" all find
// "Machine › Machine options".
//
// Each word of the query must be in the text, in any order. A word's letters stand there in their order, each
// right behind the one before or at the beginning of a word; only the first may stand inside a word. Case
// does not count. Thread: any.
#pragma once

#include <QList>
#include <QString>
#include <optional>

namespace vitrine {

struct FuzzyMatch {
  int score = 0;         // the higher, the better
  QList<int> hits = {};  // the places of the text's letters that were hit, in UTF-16 units, ascending
};

// Nothing when a word of the query is not in the text; a score of 0 without hits for a query without words.
// Hits at or behind `mainPart` count for more. Of the query, the first 64 characters count.
std::optional<FuzzyMatch> fuzzyMatch(const QString& text, const QString& query, int mainPart = 0);

}  // namespace vitrine
