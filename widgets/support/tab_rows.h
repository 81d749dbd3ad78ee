// TabRows: the tabs of a bar, in two rows where one is too narrow for their words, as with large letters.
//
// A QTabBar knows one row. So a bar that needs two makes its tabs half as wide and twice as high (its style
// asks tabSize()), is painted in tabAreas(), and has its mouse events moved from there to the tab that Qt
// holds for the place. Keys are the bar's own. Thread: the window's.
#pragma once

#include <QObject>
#include <QPoint>
#include <QRect>
#include <QString>
#include <vector>

class QMouseEvent;
class QTabBar;

namespace vitrine {

int tabRows(const QTabBar& bar);  // 1, or 2 where its width asks for them and TabRows serves them
// For the bar's own layout, from the height of one row.
QSize tabSize(const QTabBar& bar, const QString& text, int height);
std::vector<QRect> tabAreas(const QTabBar& bar);        // a tab that is not visible has none
int tabUnder(const QTabBar& bar, const QPoint& place);  // -1: none
QRect roomBesideTabs(const QTabBar& bar);               // at the right of the last one

class TabRows : public QObject {
  Q_OBJECT

 public:
  explicit TabRows(QTabBar* bar);  // which owns it; its style must ask tabSize()

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void move(QMouseEvent& event);

  QTabBar* m_bar;
  QPoint m_moved;         // from where the button was pressed to the place in Qt's row
  bool m_passes = false;  // a moved event is under way
};

}  // namespace vitrine
