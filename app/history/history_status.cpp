#include "history_status.h"

#include <QCoreApplication>
#include <QDir>

namespace vitrine {

namespace {

struct HistoryStatusWords {
  Q_DECLARE_TR_FUNCTIONS(vitrine::HistoryStatus)

 public:
  static QString what(HistoryTrouble trouble) {
    switch (trouble) {
      case HistoryTrouble::kNone:
        return {};
      case HistoryTrouble::kBroken:
        return tr("The history file %1 is damaged.");
      case HistoryTrouble::kForeign:
        return tr("%1 is not a history file of Vitrine.");
      case HistoryTrouble::kNewer:
        return tr("The history file %1 was written by a newer version of Vitrine.");
      case HistoryTrouble::kLocked:
        return tr("The history file %1 is locked by another program.");
      case HistoryTrouble::kReadOnly:
        return tr("The history file %1 cannot be written: it or its folder is read-only.");
      case HistoryTrouble::kFull:
        return tr("The disk of the history file %1 is full.");
      case HistoryTrouble::kUnwritable:
        return tr("Reading or writing the history file %1 failed.");
      case HistoryTrouble::kUnreadable:
        return tr("The history file %1 cannot be opened.");
      case HistoryTrouble::kNoDriver:
        return tr(
            "The history file %1 cannot be used: Qt's SQLite driver is missing, or lacks full-text search.");
    }
    return {};
  }

  static QString mend(HistoryTrouble trouble) {
    switch (trouble) {
      case HistoryTrouble::kNone:
        return {};
      case HistoryTrouble::kBroken:
        return tr("Put a copy of it back, or move it away so that a new one is made; then try again.");
      case HistoryTrouble::kForeign:
        return tr("Move it away, so that a new one is made; then try again.");
      case HistoryTrouble::kNewer:
        return tr("Use the newer version, or move the file away, so that a new one is made; then try again.");
      case HistoryTrouble::kLocked:
        return tr("Close the other program.");
      case HistoryTrouble::kReadOnly:
        return tr("Make the file and its folder writable.");
      case HistoryTrouble::kFull:
        return tr("Free space on the disk.");
      case HistoryTrouble::kUnwritable:
        return tr("See whether the disk is there and has room.");
      case HistoryTrouble::kUnreadable:
        return tr("See whether it is a file, and one that you may read; a folder must be moved away.");
      case HistoryTrouble::kNoDriver:
        return tr("Install the package libqt6sql6-sqlite.");
    }
    return {};
  }

  static QString meanwhile(const HistoryStatus& status) {
    QString words = status.retried
                        ? tr("New chats are not kept until then: they are in memory, and the file takes "
                             "them when it can.")
                        : tr("Nothing was changed in it. New chats are not kept: they are in memory, and end "
                             "with the program. Export those that you want to keep.");
    if (!status.keptChatsShown) words += ' ' + tr("The chats in the file are not shown.");
    return words;
  }
};

}  // namespace

bool canPass(HistoryTrouble trouble) {
  return trouble == HistoryTrouble::kLocked || trouble == HistoryTrouble::kReadOnly ||
         trouble == HistoryTrouble::kFull || trouble == HistoryTrouble::kUnwritable ||
         trouble == HistoryTrouble::kUnreadable;
}

HistoryStatus describe(HistoryStatus status, const QString& detail) {
  if (status.ok()) return status;
  status.retried = canPass(status.trouble);
  status.message = HistoryStatusWords::what(status.trouble).arg(QDir::toNativeSeparators(status.file));
  if (!detail.isEmpty()) status.message += QStringLiteral(" (%1)").arg(detail.simplified().left(160));
  status.hint = HistoryStatusWords::mend(status.trouble) + ' ' + HistoryStatusWords::meanwhile(status);
  return status;
}

}  // namespace vitrine
