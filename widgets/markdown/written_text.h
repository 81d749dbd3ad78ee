// WrittenText: a document's text as it is written: for a formula, which is one character there, its source.
// So words within a formula are found, and a screen reader meets the formula. Thread: the window's.
#pragma once

#include <QString>
#include <vector>

class QTextDocument;

namespace vitrine {

class WrittenText {
 public:
  WrittenText() = default;
  explicit WrittenText(const QTextDocument& document);

  // The document's raw text otherwise: a paragraph ends with U+2029. The document's own end is not in it.
  const QString& text() const { return m_text; }
  // Where in the text begins what stands at a position of the document.
  int offsetAt(int position) const;
  // The position of what the text has at an offset: within a formula, the formula's.
  int positionAt(int offset) const;
  // The same for the end of a range: within a formula, behind it.
  int endPositionAt(int offset) const;

 private:
  struct Formula {
    int position = 0, offset = 0, length = 0;
  };

  QString m_text;
  std::vector<Formula> m_formulas;
};

}  // namespace vitrine
