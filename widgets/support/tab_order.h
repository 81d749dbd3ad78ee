// The way of Tab through parts that come and go: Qt puts each new widget at the end of it, wherever the
// widget stands. Thread: the window's.
#pragma once

class QWidget;

namespace vitrine {

// Tab visits what lies in `part` in the order of its layouts, with what scrolls in its scroll areas.
void orderTabs(QWidget& part);

}  // namespace vitrine
