// fileNameFor: the name that a dialog proposes for a file, from the title of what it saves.
#pragma once

#include <QString>

namespace vitrine {

// "Six blocks" as "six-blocks": lower case, hyphens for blanks, nothing that a file system refuses.
// `nameless` where nothing is left.
QString fileNameFor(const QString& title, const QString& nameless);

}  // namespace vitrine
