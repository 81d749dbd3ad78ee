// CardWalk: the way of the keyboard through the window, as it is read: from the strip under the tool bar over
// the columns of cards, each from its top to its foot, to the time axis. F6 and Shift+F6 go from card to
// card; Tab goes the same way from part to part, whatever the order in which they were made.
//
// Only what is in sight counts; where it lies is looked up at each key, since cards are moved. A card takes
// the keyboard where it had it last. Thread: the window's. Read next: stage.h, panel_dock.h.
#pragma once

#include <QObject>
#include <QRect>
#include <vector>

class QMainWindow;

namespace vitrine {

class Stage;

// The order in which areas that do not overlap are read, as places in the list: columns where a line from
// top to bottom lies between them, else rows.
std::vector<std::size_t> readingOrder(const std::vector<QRect>& areas);

class CardWalk : public QObject {
  Q_OBJECT

 public:
  CardWalk(Stage& stage, QMainWindow& window);  // whose docks are cards

  void add(QWidget& bar) { m_bars.push_back(&bar); }  // another card: it lives as long as the window

  void next() { go(1); }
  void previous() { go(-1); }
  // The part that Tab leads to from the one that has the keyboard; null: there is none.
  QWidget* partAfter(bool forward) const;

 private:
  struct Place {
    QWidget* frame;
    QWidget* content;  // what takes the keyboard
  };
  std::vector<Place> placesInSight() const;
  void go(int by);

  Stage& m_stage;
  QMainWindow& m_window;
  std::vector<QWidget*> m_bars;
};

}  // namespace vitrine
