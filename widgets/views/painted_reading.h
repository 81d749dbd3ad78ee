// How a painted view tells a screen reader its present item: as a child of its own, which has the focus while
// the view has it. A change of a widget's description would be the natural way, but readers on Linux say
// nothing then, since Qt's bridge sends no words along. Thread: the window's.
#pragma once

class QAccessibleInterface;

namespace vitrine {

class PaintedView;

// Of all painted views that a screen reader has not met yet: called before they are made. Once is enough.
void readViewsByItem();
// What has the focus within the view has changed.
void tellFocusedItem(PaintedView* view);

}  // namespace vitrine
