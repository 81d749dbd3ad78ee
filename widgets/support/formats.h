// Numbers, durations and tokens as a reader of the current locale expects them. Most of it is the prose
// room's (vitrine/prose/words.h) in the window's language. Thread: any.
#pragma once

#include <QString>

#include "vitrine/event.h"

namespace vitrine {

QString formatCount(std::int64_t count);          // 12,345
QString formatDecimal(double value, int digits);  // 3.14
QString formatPercent(double share);              // 0.283 -> 28.3 %
QString formatDuration(std::int64_t ns);          // 850 µs, 12.3 ms, 4.2 s
QString formatBytes(std::int64_t bytes);          // 512 bytes, 24.0 MiB
QString formatRate(double tokensPerSecond);       // 123 tok/s
QString formatHash(std::uint64_t hash);           // the first eight hexadecimal digits
QString visibleToken(const QString& piece);       // spaces, newlines and controls made visible
QString visibleToken(const std::string& piece);
QString windowText(const std::string& utf8);   // as it stands
QString quotedBeginning(const QString& text);  // in one line, “…” of at most 40 characters
QString plainTip(const QString& text);         // for a tooltip: as it stands, also where it looks like markup
QString inOneLine(QString lines);              // "a\nb": "a, b", for a screen reader
QString phaseName(Phase phase);                // "Admit"
QString finishReasonText(FinishReason reason);           // "length limit"
QString waitReasonText(const SequenceWaiting& waiting);  // "needs 4 blocks, free 2 at Admit"

}  // namespace vitrine
