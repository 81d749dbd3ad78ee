// The schema's options as text: tables for engine/README.md, and lines that lupdate reads.
#pragma once

#include <string>

namespace vitrine::cli {

// Markdown: a table for each page of options, with their ranges, defaults and help.
std::string optionTables();
// C++ that is never compiled: every text that a window shows, each as QT_TRANSLATE_NOOP("Options", "...").
std::string optionTexts();

}  // namespace vitrine::cli
