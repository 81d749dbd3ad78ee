// SideBar: scrolls one box of an answer sideways with a scroll bar, which is there while the box holds more
// than it shows.
//
// The box's owner moves what is in the box by offset(), and gives the bar the wheel and keys that meet the
// box. The view paints the box clipped. Thread: the window's.
#pragma once

#include <QObject>
#include <QString>

class QColor;
class QKeyEvent;
class QRect;
class QScrollBar;
class QTextBrowser;
class QWheelEvent;

namespace vitrine {

class SideBar : public QObject {
  Q_OBJECT
 public:
  // By keys: Tab reaches the bar itself. Otherwise another part of the box has the focus and passes its keys.
  enum class Reach { kByKeys, kByMouse };

  SideBar(QTextBrowser& view, Reach reach);
  ~SideBar() override;

  // `place`: where the bar stands in the viewport, as wide as what the box shows. `whole`: pixels that the
  // box holds.
  void fit(const QRect& place, double whole, const QColor& ground);
  void setName(const QString& name);  // for a screen reader

  bool isThere() const { return m_bar != nullptr; }
  int offset() const;  // pixels; 0 without a bar
  bool hasFocus() const;
  QScrollBar* bar() const { return m_bar; }

  bool turn(const QWheelEvent& event);     // false: not sideways, or no bar
  bool press(const QKeyEvent& event);      // false: no key of a bar, or no bar
  void reveal(double x, const QRect& in);  // scrolls a place in the viewport into what is shown of the box

 signals:
  void moved();
  void focusChanged();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void make();

  QTextBrowser& m_view;
  const Reach m_reach;
  QString m_name;
  QScrollBar* m_bar = nullptr;  // a part of the viewport
};

}  // namespace vitrine
