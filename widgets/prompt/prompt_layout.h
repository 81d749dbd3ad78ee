// PromptLayout: the tokens of a prompt in lines: words, and chips for special tokens. One line begins at each
// message, and where a message has a line break. Thread: the window's. Read next: prompt_view.h.
#pragma once

#include <QFont>
#include <QString>
#include <vector>

#include "widgets/prompt/prompt_model.h"

namespace vitrine {

struct PromptBox {
  QString shown, id;  // id: of a chip, beside its name; else empty
  double width = 0, x = 0;
  int line = 0;
  bool opensWord = false, endsLine = false, opensGroup = false;

  bool isChip() const { return !id.isEmpty(); }
};

class PromptLayout {
 public:
  static constexpr double kSide = 12, kInset = 6, kChipGap = 2;  // pixels; inset: of a chip's words

  void measure(const PromptModel& model, const QFont& font);
  // Between the margin, which has the roles, and `right`.
  void place(double right);

  int size() const { return static_cast<int>(m_boxes.size()); }
  const PromptBox& at(int row) const { return m_boxes[static_cast<std::size_t>(row)]; }
  int lines() const { return static_cast<int>(m_lineStart.size()); }
  int lineStart(int line) const { return m_lineStart[static_cast<std::size_t>(line)]; }
  int lineEnd(int line) const { return line + 1 < lines() ? lineStart(line + 1) : size(); }
  double margin() const { return m_margin; }  // where the words begin
  int nearestIn(int line, double x) const;    // the row closest to x

 private:
  std::vector<PromptBox> m_boxes;
  std::vector<int> m_lineStart;
  double m_margin = 0;
};

}  // namespace vitrine
