// DownloadProblem: why a model could not be had. Thread: values. Read next: model_download.h.
#pragma once

#include <QString>

namespace vitrine {

enum class DownloadFault {
  kNone,
  kOffline,       // no network, or the host cannot be reached
  kCut,           // the connection broke again and again, or the server did not answer
  kNotFound,      // no such model, revision or file
  kRefused,       // a gated or private model, or a token that does not count
  kBusy,          // the hub asks to wait (429)
  kServer,        // any other answer than the file
  kHostile,       // an answer beyond all bounds, a name that leads elsewhere, a forbidden redirect
  kChanged,       // the file is not the listed one any more
  kChecksum,      // the bytes are not the listed ones; they were removed
  kNoSpace,       // less is free than the files need; nothing was begun
  kDiskFull,      // the disk became full meanwhile
  kCannotWrite,   // a folder or a file cannot be written
  kFileInTheWay,  // another file has the name
  kInUse,         // another download writes to the folder
};

struct DownloadProblem {
  DownloadFault fault = DownloadFault::kNone;
  QString message = {};  // names the thing, in a sentence
  QString hint = {};     // the remedy, in a sentence; may be empty
};

}  // namespace vitrine
