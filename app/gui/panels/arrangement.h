// Arrangement: the default places and sizes of the panels, from the room that the window has for its text.
//
// Room is counted in letters, since a large font needs a large window: a projector with 20 pt letters has
// less room than a small laptop. Thread: any.
#pragma once

#include <QSize>
#include <QString>

namespace vitrine {

// How much fits: three columns; two, with the requests as a tab of the right one; or two, with all panels of
// the right column on top of each other.
enum class Columns { kThree, kTwo, kStacked };

struct Arrangement {
  Columns columns = Columns::kThree;
  bool drawerBelow = false;                 // plots under the KV memory; else they are its tabs
  int left = 0, right = 0;                  // widths of the columns, in pixels
  int reading = 0, besideReading = 0;       // of both while the left one has text to read in it
  int memory = 0, drawer = 0, sampler = 0;  // heights
  int why = 0;                              // the rest of the sampler's column

  bool operator==(const Arrangement&) const = default;
};

// `letter`: the size of the font, in pixels like the window.
Arrangement arrangementFor(QSize window, int letter);

// How stage and KV memory share the middle column, as heights of the cards in pixels.
struct MiddleColumn {
  int height = 0;       // of both
  int fewLanes = 0;     // the stage with the lanes of three requests
  int comfortable = 0;  // the memory with cells that are easy to read
  int largest = 0;      // the memory with the largest cells for which the lanes of all requests leave room
};
// The pool comes first, then the lanes; what they leave makes its cells larger.
int memoryHeight(const MiddleColumn& middle);

QString keyOf(Columns columns);  // empty for the widest, else what a stored layout's name ends in

}  // namespace vitrine
