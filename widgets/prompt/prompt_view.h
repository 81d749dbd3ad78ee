// PromptView: a prompt as the model reads it, token by token: a message's words on the ground of their role,
// the template's text dim, special tokens as chips with their ids, the generation prompt in a dashed frame.
//
// Arrow keys go token by token and line by line, Home and End to the first and the last; to a screen reader
// it is a list of tokens. The token under the mouse, or else the current one, is what
// pointed() tells. Thread: the window's. Read next: prompt_layout.h, template_view.h.
#pragma once

#include <set>

#include "widgets/painting/cursor_view.h"
#include "widgets/prompt/prompt_layout.h"
#include "widgets/prompt/prompt_model.h"

namespace vitrine {

class PromptView : public CursorView {
  Q_OBJECT
 public:
  explicit PromptView(PromptModel* model, QWidget* parent = nullptr);

  QString summary() const override;
  const PromptModel& tokens() const { return *m_prompt; }
  int current() const { return currentRow(); }  // -1: none yet
  void setCurrent(int row) { setCurrentItem({row}); }
  // Marks what these writers wrote. The first of it comes into sight, if `shows`.
  void mark(std::set<int> writers, bool shows = false);
  bool isMarked(int row) const { return m_marked.contains(m_prompt->at(row).writer); }
  QRectF tokenRect(int row) const;  // in content coordinates
  void setEmptyWords(const QString& words);

 signals:
  void pointed(int row);  // -1: nothing is under the mouse, and no token is current

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override { return rows() == 0 ? m_emptyWords : QString(); }
  int itemCount() const override { return rows(); }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override { return m_prompt->describe(item.row); }
  std::optional<ViewItem> itemBeside(int key) const override;
  void currentChanged() override;
  void hoverChanged() override { emit pointed(hoveredItem().exists() ? hoveredItem().row : currentRow()); }
  void contentChanged() override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int rows() const { return m_layout.size(); }
  int lineHeight() const { return fontMetrics().height() + 12; }
  double lineTop(int line) const;
  void measure();
  void paintLine(QPainter& painter, int line, const Theme& theme) const;
  void paintGrounds(QPainter& painter, int line, const Theme& theme) const;
  void paintDifference(QPainter& painter, int line, const Theme& theme) const;
  void paintToken(QPainter& painter, int row, const Theme& theme) const;
  void paintChip(QPainter& painter, int row, const Theme& theme) const;
  void paintFrame(QPainter& painter, const Theme& theme) const;

  PromptModel* m_prompt;
  PromptLayout m_layout;
  QString m_emptyWords;
  std::set<int> m_marked;  // of SeenPrompt::writers
};

}  // namespace vitrine
