// TableBoxes: the tables of an answer. No column is narrower than its longest word, and prose in a cell has
// room for some words; a table that is then wider than the text scrolls sideways.
//
// The widths are constraints of the table's format, and a table that is scrolled has a smaller left margin,
// so the document's own layout knows where each cell stands: the mouse, selections and searches need no help.
// The view paints the table clipped. A cell is measured once, however often its table grows. The layout alone
// is told of these formats, since what a screen reader or a search reads has not changed. Thread: the
// window's.
#pragma once

#include <QFont>
#include <QObject>
#include <QPointer>
#include <QRect>
#include <QTextTable>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "widgets/message/column_widths.h"

class QPainter;
class QTextBrowser;
class QWheelEvent;

namespace vitrine {

class MarkdownText;
class MathsObject;
class SideBar;

class TableBoxes : public QObject {
  Q_OBJECT
 public:
  // Tables beyond these are laid out as Qt does it.
  static constexpr std::size_t kMost = 256;
  static constexpr int kNothing = std::numeric_limits<int>::max();

  TableBoxes(QTextBrowser& view, const MarkdownText& text, MathsObject& formulas);
  ~TableBoxes() override;

  // After the document or, `isResized`, the view's width or font has changed: widths, and bars in their
  // places. Returns the first position that is laid out anew; kNothing: none is.
  int settle(bool isResized);

  void paintFocus(QPainter& painter) const;  // around a table that the keys scroll
  void addClipped(const QRect& seen, std::vector<QRect>& areas) const;
  // The bars, with their positions in the document.
  void addStops(std::vector<std::pair<int, QWidget*>>& stops) const;
  bool scroll(const QWheelEvent& event);                    // false: not sideways, or no table that can
  void reveal(int position);                                // scrolls a table to a position of the document
  bool hasFocus() const;                                    // one of the bars
  std::size_t measuredCells() const { return m_measured; }  // so far: what a test counts instead of time

 signals:
  void moved(int position);  // a table was scrolled: the layout is new from here on

 private:
  struct Box {
    QPointer<QTextTable> table;
    std::vector<CellWidth> cells;  // row by row, as many as are measured
    QRect shown;                   // in the viewport, without the bar
    double wide = 0;               // 0: the table is no wider than the text
    std::unique_ptr<SideBar> side;
  };

  void measure(Box& box, int from);
  bool arrange(Box& box);
  void putBar(Box& box);
  void shift(Box& box);
  double indentOf(const QTextTable& table) const;

  QTextBrowser& m_view;
  const MarkdownText& m_text;
  MathsObject& m_formulas;
  std::vector<Box> m_boxes;
  QFont m_font;         // that the cells are measured in
  int m_dirtyFrom = 0;  // a position of the document
  std::size_t m_measured = 0;
};

}  // namespace vitrine
