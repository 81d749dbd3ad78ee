// What a download is doing, as values. Thread: values. Read next: model_download.h.
#pragma once

#include <QString>
#include <QtGlobal>

namespace vitrine {

enum class DownloadState {
  kIdle,
  kListing,   // asks for the files
  kListed,    // waits to be told which
  kChecking,  // reads what an earlier download has left
  kLoading,   // bytes come
  kWaiting,   // until it tries again
  kPaused,    // goes on with resume()
  kFailed,    // likewise, when the cause is mended
  kFinished,
  kCancelled
};

struct DownloadProgress {
  QString file;  // of the repository, the present one
  qint64 fileBytes = 0, fileDone = 0;
  qint64 bytes = 0, done = 0;  // of all chosen files
  double bytesPerSecond = 0;   // of the last seconds; 0: not known
  qint64 secondsLeft = -1;     // -1: not known
};

}  // namespace vitrine
