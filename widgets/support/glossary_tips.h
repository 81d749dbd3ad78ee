// The glossary (vitrine/prose/glossary.h) in the window's language, for tooltips. Thread: the window's.
#pragma once

#include <QString>

#include "vitrine/prose/glossary.h"

namespace vitrine {

const std::vector<prose::Term>& windowGlossary();  // in the language at the first call
// What the term at a letter of a text means, for a tooltip; empty: no term is there.
QString termTip(const QString& text, qsizetype letter);

}  // namespace vitrine
