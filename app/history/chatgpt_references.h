// The marks of references in a text of ChatGPT: links in their place, and none of its private characters
// left. Thread: any.
#pragma once

#include <QString>

#include "import_report.h"
#include "json_members.h"

namespace vitrine {

// `metadata` is the message's: "content_references" name a marked text and what stands for it; older
// "citations" name places, counted in code points.
QString withLinks(QString text, const Json& metadata, ImportNotes& notes);

}  // namespace vitrine
