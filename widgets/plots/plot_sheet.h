// PlotSheet: plots of one size, side by side in as many columns as have room for their legends, the rest in
// rows below; it scrolls when the rows have no room. Thread: the window's. Read next: plot_view.h.
#pragma once

#include <QScrollArea>
#include <vector>

namespace vitrine {

class PlotPane;

class PlotSheet : public QScrollArea {
  Q_OBJECT
 public:
  explicit PlotSheet(QWidget* parent = nullptr);

  void setPanes(std::vector<PlotPane*> panes);  // the sheet's from now on
  void arrange();                               // after a change of font
  int columns() const { return m_columns; }
  QSize sheetSize() const { return widget()->size(); }

 signals:
  void uncovered();  // other panes may be in sight now

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::vector<PlotPane*> m_panes;
  int m_columns = 1;
};

}  // namespace vitrine
