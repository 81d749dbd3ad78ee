#include "widgets/support/formats.h"

#include <QLocale>
#include <QTextDocument>

#include "vitrine/prose/words.h"
#include "widgets/support/window_language.h"
#include "widgets/support/wording.h"

namespace vitrine {

QString formatCount(std::int64_t count) { return QLocale().toString(static_cast<qlonglong>(count)); }

QString formatDecimal(double value, int digits) { return QLocale().toString(value, 'f', digits); }

QString formatRate(double tokensPerSecond) {
  return Wording::tr("%1 tok/s").arg(formatDecimal(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0));
}

QString formatPercent(double share) {
  return QString::fromStdString(prose::percent(share, windowLanguage()));
}
QString formatDuration(std::int64_t ns) {
  return QString::fromStdString(prose::duration(ns, windowLanguage()));
}
QString formatBytes(std::int64_t bytes) {
  return QString::fromStdString(prose::byteSize(bytes, windowLanguage()));
}
QString formatHash(std::uint64_t hash) { return QString::fromStdString(prose::shortHash(hash)); }
QString windowText(const std::string& utf8) { return QString::fromStdString(utf8); }
QString visibleToken(const std::string& piece) { return QString::fromStdString(prose::visibleText(piece)); }
QString visibleToken(const QString& piece) { return visibleToken(piece.toStdString()); }
QString quotedBeginning(const QString& text) {
  constexpr qsizetype kLongest = 40;
  QString words = text.simplified();
  if (words.size() > kLongest) {
    const bool splitsLetter = words[kLongest - 2].isHighSurrogate();
    words = words.left(kLongest - (splitsLetter ? 2 : 1)) + u'…';
  }
  return QStringLiteral("“%1”").arg(words);
}
QString plainTip(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  return QStringLiteral("<span>%1</span>").arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

QString inOneLine(QString lines) { return lines.replace(u'\n', QStringLiteral(", ")); }

QString phaseName(Phase phase) { return QString::fromStdString(prose::phaseName(phase, windowLanguage())); }
QString finishReasonText(FinishReason reason) {
  return QString::fromStdString(prose::finishReason(reason, windowLanguage()));
}
QString waitReasonText(const SequenceWaiting& waiting) {
  return QString::fromStdString(prose::waitReason(waiting, windowLanguage()));
}

}  // namespace vitrine
