// What a file of the user's has that cannot be used, as a notice. Thread: any.
#pragma once

#include "common/json_files.h"
#include "widgets/support/notice.h"

namespace vitrine {

// `mend`: where the error has none of its own.
inline Notice noticeOf(const UsageError& error, const QString& mend = {}) {
  const QString hint = QString::fromStdString(error.hint());
  return noticeOf(ErrorCode::kInvalidArgument, QString::fromUtf8(error.what()), hint.isEmpty() ? mend : hint);
}

}  // namespace vitrine
