// What a person types as a query that FTS5 understands, and what FTS5 marks as hits with their places.
//
// FTS5's tokenizer unicode61 takes a run of letters as one word. Scripts without blanks have no such words:
// their characters are set apart before a text is indexed, so that each is a word, and a run of them in a
// query is a phrase. This finds any part of such a text, one character included, where the trigram tokenizer
// needs three. Thread: any. Read next: history_store.h.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct HitRange {
  int start = 0, length = 0;  // in UTF-16 units
  bool operator==(const HitRange&) const = default;
};

struct MarkedText {
  QString text;
  std::vector<HitRange> ranges;
};

// Around a hit in what FTS5's highlight() gives.
inline constexpr QChar kHitBegin{0x1d}, kHitEnd{0x1e};

// A text as it is stored: without the characters that end a string for SQLite or are none.
QString storable(const QString& text);

// The text with the characters of scripts without blanks set apart, and without marks of hits. A null string
// when it would be the text itself.
QString spacedWords(const QString& text);

// An FTS5 expression: all words, what stands in quotes as a phrase, the last word as a prefix unless a blank
// or a quote ends it. Empty when the query has no letter or digit. No query is an error of syntax. Only the
// first 16 words of the first 400 characters count.
QString matchExpression(const QString& query);

// `highlighted` without its marks, cut to about `longest` characters around the first hit, on one line.
MarkedText snippetOf(const QString& highlighted, int longest);

}  // namespace vitrine
