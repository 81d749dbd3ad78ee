// Diagnostics: what a report of a problem needs to know of this program and this computer, as lines of text.
//
// Nothing private: no text or title of a chat, no path, no name of a user or a computer. Values of options
// that are texts are left out, since a folder may be one. The lines are English, as reports of faults are.
// Thread: the window's. Read next: about_dialog.h.
#pragma once

#include <QStringList>
#include <optional>

#include "vitrine/event.h"
#include "vitrine/options.h"

namespace vitrine {

struct DiagnosticsFacts {
  std::optional<EngineLoaded> engine = {};  // what the machine said when it was loaded
  EngineOptions options = {};               // that it was loaded with
  QString theme = {};                       // a key of Appearance
  int textPercent = 100;
  QStringList codes = {};  // of the last messages, the oldest first
};

QString diagnosticsText(const DiagnosticsFacts& facts);

}  // namespace vitrine
