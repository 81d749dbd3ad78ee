// Where the window of a user listens for later starts.
#pragma once

#include <QString>
#include <QStringList>

namespace vitrine {

// In the user's runtime folder, one name for the user, for all of `kept` (the files that starts with one
// window share: settings, chats) and for the display that the window is on. Empty where there is no such
// folder: then each start has its own window.
QString startSocket(const QStringList& kept);

}  // namespace vitrine
