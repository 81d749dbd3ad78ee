// The glossary (vitrine/prose/glossary.h) in the window's language, for tooltips: a term explains itself
// where it stands, in painted views, sentences and labels alike. Thread: the window's.
#pragma once

#include <QObject>
#include <QString>

#include "vitrine/prose/glossary.h"

class QPoint;
class QWidget;

namespace vitrine {

const std::vector<prose::Term>& windowGlossary();  // in the language at the first call
// What a term means, for a tooltip.
struct TermTip {
  QString text;                       // empty: there is no term
  const prose::Term* term = nullptr;  // in windowGlossary(); of several the first
};
TermTip termTip(const QString& text, qsizetype letter);  // of the term at a letter of a text
// Of the first terms in a label's text, whatever letter is under the mouse.
TermTip termTipsIn(const QString& text);

// What a view says of a place and the explanation of the term there, below each other; either may be empty,
// and without both the tooltip goes. Both are plain text.
void showTermTip(const QPoint& global, const QString& own, const TermTip& term, QWidget* at);
// The term whose explanation is in sight, as windowGlossary() has it; null: none.
const prose::Term* termInSight();

// Explains the terms in labels, buttons, tabs, headings and table cells of the whole program when the mouse
// rests on them: an event filter of the application, as long as this lives. Other views show their own tips.
class LabelTips : public QObject {
 public:
  explicit LabelTips(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace vitrine
