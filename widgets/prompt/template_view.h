// TemplateView: the source of a chat template with the numbers of its lines; long lines go on below. What
// wrote the token that is looked at is marked.
//
// Up and Down go from line to line, and a click chooses one: lineChosen() tells what of it wrote anything.
// Thread: the window's. Read next: prompt_view.h.
#pragma once

#include <set>

#include "widgets/painting/cursor_view.h"
#include "widgets/prompt/prompt_model.h"

namespace vitrine {

class TemplateView : public CursorView {
  Q_OBJECT
 public:
  explicit TemplateView(PromptModel* model, QWidget* parent = nullptr);

  QString summary() const override;
  int lines() const { return m_lines; }
  // Marks the line, or some of it; the part comes into sight. 0: nothing.
  void mark(int line, const std::set<int>& writers);
  int markedLine() const { return currentRow() + 1; }
  QRect lineRect(int line) const;  // in content coordinates

 signals:
  void lineChosen(int line, const std::set<int>& writers);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  int itemCount() const override { return m_lines; }
  // A column is a place in the source; -1: all of the line.
  std::pair<int, int> columnsOf(int) const override { return {-1, static_cast<int>(m_source.size())}; }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return lineRect(item.row + 1).adjusted(0, -4, 0, 4); }
  QString describeItem(const ViewItem& item) const override;
  void currentChanged() override;
  QString tipAt(const QPoint& content) const override;
  std::unique_ptr<SessionModel> makeTableModel() const override;
  void contentChanged() override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    int line = 0;
    qsizetype begin = 0, length = 0;  // in the source
    bool opensLine = false;
  };
  struct Part {
    qsizetype begin = 0, end = 0;  // in the source
  };

  void read();
  void wrap();
  void useFont();
  double textLeft() const;
  std::set<int> writersAt(int line, qsizetype place) const;

  PromptModel* m_prompt;
  QFont m_fixed;
  std::string m_read;  // the source that the rows are of
  QString m_source;
  std::vector<Part> m_parts;  // of the writers
  std::vector<Row> m_rows;
  std::set<int> m_writers;  // that are marked
  int m_lines = 0;
};

}  // namespace vitrine
