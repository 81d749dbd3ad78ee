// PromptReuseView: the blocks of a prompt below those of the cached prompt that it was compared with, and the
// reason in words. PromptReuseLine: a line under an answer that opens it. Thread: the window's. Read next:
// widgets/conversation/prompt_reuse.h, message_widget.h.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/conversation/prompt_reuse.h"

class QLabel;
class QToolButton;

namespace vitrine {

// A row of blocks for the cached prompt, if there is one, and a row for this one. Found blocks are filled,
// lost ones hatched, computed ones empty; a wedge marks the first token that differs.
class PromptBlocks : public QWidget {
  Q_OBJECT
 public:
  explicit PromptBlocks(QWidget* parent = nullptr);

  void display(const PromptReuse& reuse);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintRow(QPainter& painter, const QRectF& row, int tokens, bool cached) const;

  PromptReuse m_reuse;
};

class PromptReuseView : public QWidget {
  Q_OBJECT
 public:
  explicit PromptReuseView(QWidget* parent = nullptr);

  void display(const PromptReuse& reuse);

 private:
  PromptBlocks* m_blocks;
  QLabel* m_words;
};

class PromptReuseLine : public QWidget {
  Q_OBJECT
 public:
  explicit PromptReuseLine(QWidget* parent = nullptr);

  // In sight when there is something to tell. The view is made when it is first opened.
  void display(const std::shared_ptr<const PromptReuse>& reuse);
  QToolButton* button() const { return m_button; }

 private:
  void open(bool open);

  QToolButton* m_button;
  PromptReuseView* m_view = nullptr;
  std::shared_ptr<const PromptReuse> m_reuse;
};

}  // namespace vitrine
