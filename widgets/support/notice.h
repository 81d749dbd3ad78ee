// Notice: what a part of the window has to say to the user: a problem and its mend, or a thing worth knowing.
// A class that has something to say has one signal for it, noticed(); a bar of messages shows it.
//
// Thread: values. Read next: app/gui/parts/message_bar.h.
#pragma once

#include <QString>
#include <functional>

#include "vitrine/error.h"

namespace vitrine {

struct Notice {
  enum Kind { kNote, kProblem };

  Kind kind = kNote;
  QString message = {}, hint = {};
  QString code = {};                // of an engine's error; empty: it is none
  QString action = {};              // of a button; empty: none
  std::function<void()> take = {};  // what the button does; then the notice is over

  static Notice note(const QString& message, const QString& hint = {}) { return {kNote, message, hint}; }
  static Notice problem(const QString& message, const QString& hint) { return {kProblem, message, hint}; }
  QString text() const { return hint.isEmpty() ? message : message + u'\n' + hint; }
};

inline Notice noticeOf(ErrorCode code, const QString& message, const QString& hint) {
  return {Notice::kProblem, message, hint, QLatin1String(errorCodeName(code))};
}
inline Notice noticeOf(const EngineError& error) {
  return noticeOf(error.code(), QString::fromUtf8(error.what()), QString::fromStdString(error.hint()));
}

}  // namespace vitrine
