// BatchView: the ragged batch of the step shown, a line for each row that the kernels get: token, position,
// slot, block table, and how much it sees. The column titles stay in sight.
//
// Of a long chunk of a prompt the first and the last rows are shown, the others folded into a line that a
// click or Enter opens. A click on a row selects its sequence and shows its block. Rows of padding are
// hatched lines behind them, which are no rows of the model. Thread: the window's.
#pragma once

#include <set>
#include <vector>

#include "widgets/batch/batch_model.h"
#include "widgets/painting/cursor_view.h"

namespace vitrine {

// A row of the batch, or a line for those of a long chunk that are folded.
struct BatchLine {
  int row = 0;     // of the model; of a folded line the first one
  int folded = 0;  // so many rows; 0: the line is one row

  bool operator==(const BatchLine&) const = default;
};

class BatchView : public CursorView {
  Q_OBJECT
 public:
  explicit BatchView(BatchModel* model, QWidget* parent = nullptr);

  QString summary() const override { return m_batch->summary(); }
  const std::vector<BatchLine>& lines() const { return m_lines; }
  int currentLine() const { return currentRow(); }  // -1: none
  QRect lineRect(int line) const;                   // in content coordinates
  int paddingLines() const;                         // hatched, behind the last one of lines()
  QString paddingText() const;                      // of each of them

 signals:
  void sequenceSelected(int sequence);
  void blockRequested(int block);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  int itemCount() const override { return static_cast<int>(m_lines.size()); }
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override;
  QString describeItem(const ViewItem& item) const override;
  prose::Target targetOf(const ViewItem& item) const override;
  void activate(const ViewItem& item) override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void arrange() override;
  void spotlightMoved() override { viewport()->update(); }
  void addActions(QMenu& menu) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum Column { kChip, kWork, kToken, kPosition, kRotary, kSlot, kTable, kSees, kLogits, kColumns };
  // A block of a row's table, or the blocks that are left out there.
  struct TableCell {
    QRectF area;
    BlockId block = -1;    // -1: left out
    bool written = false;  // the row's KV goes there
  };

  int rowHeight() const;
  int headHeight() const { return rowHeight(); }
  int linesBottom() const {
    return headHeight() + (static_cast<int>(m_lines.size()) + paddingLines()) * rowHeight();
  }
  QString title(Column column) const;
  QString cellText(const BatchRow& row, Column column) const;
  double numberWidth(Column column) const;
  QString notes() const;  // under the rows: what the signs mean, and what happened before this forward
  void measure();
  bool isPadding(const QPoint& content) const;
  std::vector<TableCell> tableCells(const BatchLine& line, const QRectF& area) const;
  QRectF columnRect(Column column, int line) const;
  const BatchLine& at(const ViewItem& item) const { return m_lines[static_cast<std::size_t>(item.row)]; }
  bool isLit(const BatchRow& row) const;
  void setUnfolded(SequenceId sequence, bool unfolded);
  void paintTitles(QPainter& painter, const QRect& exposed, const Theme& theme) const;
  void paintLine(QPainter& painter, int line, const Theme& theme) const;
  void paintRow(QPainter& painter, int line, const BatchRow& row, const Theme& theme) const;
  void paintPadding(QPainter& painter, int line, const Theme& theme) const;
  void paintTable(QPainter& painter, int line, const BatchRow& row, const Theme& theme) const;

  BatchModel* m_batch;
  std::vector<BatchLine> m_lines;
  std::set<SequenceId> m_unfolded;            // by the user
  std::array<double, kColumns + 1> m_left{};  // of each column; the last one: the end
  int m_notesHeight = 0;
};

}  // namespace vitrine
