// TextFlow: the tokens of a text in lines, as TextView paints them. A token is measured once, and placed with
// plain arithmetic whenever tokens come or the width changes. Thread: the window's. Read next: text_view.h.
#pragma once

#include <QFont>
#include <QString>
#include <vector>

#include "widgets/requests/text_model.h"

namespace vitrine {

struct FlowToken {
  QString source, shown;        // as the model has it, and as it is painted
  double width = 0, blank = 0;  // blank: of the spaces it begins with
  bool opensWord = false, endsLine = false;
  double x = 0;
  int line = 0;
};

// Line 0 is the caption over the prompt; another caption stands over the answer.
class TextFlow {
 public:
  void measure(const std::vector<TextRow>& rows, const QFont& font);  // those that are new
  // All of them, between left and right; the answer begins with the row `prompt`.
  void place(int prompt, double left, double right);

  int size() const { return static_cast<int>(m_tokens.size()); }
  const FlowToken& at(int row) const { return m_tokens[static_cast<std::size_t>(row)]; }
  int lines() const { return static_cast<int>(m_lineStart.size()); }
  // The first row of a line; that of the next line for a caption.
  int lineStart(int line) const { return m_lineStart[static_cast<std::size_t>(line)]; }
  int answerLine() const { return m_answerLine; }  // of the caption over the answer; -1: there is none
  int nearestIn(int line, double x) const;         // the row closest to x; -1 in a caption

 private:
  std::vector<FlowToken> m_tokens;
  std::vector<int> m_lineStart;
  int m_answerLine = -1;
};

}  // namespace vitrine
