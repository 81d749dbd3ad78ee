#include "widgets/support/formats.h"

#include <QCoreApplication>
#include <QLocale>

namespace vitrine {
namespace {
struct Formats {
  Q_DECLARE_TR_FUNCTIONS(Formats)
};
}  // namespace

QString formatCount(std::int64_t count) { return QLocale().toString(static_cast<qlonglong>(count)); }

QString formatDecimal(double value, int digits) { return QLocale().toString(value, 'f', digits); }

QString formatPercent(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return Formats::tr("< 0.1 %");
  return Formats::tr("%1 %").arg(formatDecimal(percent, 1));
}

QString formatDuration(std::int64_t ns) {
  const double us = static_cast<double>(ns) / 1e3;
  if (us < 1000) return Formats::tr("%1 µs").arg(formatDecimal(us, 0));
  if (us < 1e5) return Formats::tr("%1 ms").arg(formatDecimal(us / 1e3, 1));
  if (us < 1e6) return Formats::tr("%1 ms").arg(formatDecimal(us / 1e3, 0));
  return Formats::tr("%1 s").arg(formatDecimal(us / 1e6, us < 1e8 ? 2 : 0));
}

QString formatBytes(std::int64_t bytes) { return QLocale().formattedDataSize(bytes, 1); }

QString formatRate(double tokensPerSecond) {
  return Formats::tr("%1 tok/s").arg(formatDecimal(tokensPerSecond, tokensPerSecond < 10 ? 1 : 0));
}

QString formatHash(std::uint64_t hash) {
  return QStringLiteral("%1").arg(hash, 16, 16, QLatin1Char('0')).left(8);
}

QString visibleToken(const QString& piece) {
  QString shown;
  for (const QChar c : piece) {
    const ushort code = c.unicode();
    if (code == u' ')
      shown += QChar(0x2423);  // ␣
    else if (code == u'\n')
      shown += QChar(0x21b5);  // ↵
    else if (code == u'\t')
      shown += QChar(0x21e5);  // ⇥
    else if (code == u'\r')
      shown += QChar(0x240d);  // ␍
    else if (code < 0x20)
      shown += QChar(0x2400 + code);
    else if (code == 0x7f)
      shown += QChar(0x2421);
    // Marks that turn the direction of text or hide in it would rearrange the row they stand in.
    else if ((code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
             (code >= 0x2066 && code <= 0x2069) || code == 0xfeff)
      shown += QStringLiteral("‹%1›").arg(code, 4, 16, QLatin1Char('0'));
    else
      shown += c;
  }
  return shown;
}

QString visibleToken(const std::string& piece) { return visibleToken(QString::fromStdString(piece)); }

QString phaseName(Phase phase) {
  switch (phase) {
    case Phase::kAdmit:
      return Formats::tr("Admit");
    case Phase::kPlan:
      return Formats::tr("Plan");
    case Phase::kAllocate:
      return Formats::tr("Allocate");
    case Phase::kForward:
      return Formats::tr("Forward");
    case Phase::kSample:
      return Formats::tr("Sample");
    case Phase::kCommit:
      return Formats::tr("Commit");
  }
  return {};
}

QString finishReasonText(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return Formats::tr("ended by itself");
    case FinishReason::kLength:
      return Formats::tr("reached its length limit");
    case FinishReason::kCancelled:
      return Formats::tr("was stopped");
    case FinishReason::kFailed:
      return Formats::tr("failed");
    case FinishReason::kPruned:
      return Formats::tr("was pruned");
  }
  return {};
}

}  // namespace vitrine
