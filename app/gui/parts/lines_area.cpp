#include "gui/parts/lines_area.h"

#include <QEvent>
#include <QLayout>
#include <algorithm>

namespace vitrine {

namespace {

constexpr int kFewestLines = 2, kMostLines = 5, kShareOfWindow = 6;

}  // namespace

LinesArea::LinesArea(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
}

void LinesArea::fit() {
  if (widget()->layout()) widget()->layout()->activate();
  const int line = fontMetrics().lineSpacing();
  const int lines = std::clamp(window()->height() / kShareOfWindow / line, kFewestLines, kMostLines);
  const int width = viewport()->width();
  const int wanted =
      widget()->hasHeightForWidth() ? widget()->heightForWidth(width) : widget()->sizeHint().height();
  // Half a line shows that there is more; a label without words wants no height.
  const int most = std::max(0, std::min(wanted, lines * line + line / 2));
  if (most == maximumHeight()) return;
  setMaximumHeight(most);
  updateGeometry();
}

QSize LinesArea::sizeHint() const { return {QScrollArea::sizeHint().width(), maximumHeight()}; }

QSize LinesArea::minimumSizeHint() const {
  return {QScrollArea::minimumSizeHint().width(), std::min(fontMetrics().lineSpacing(), maximumHeight())};
}

// The text or its font has changed.
bool LinesArea::eventFilter(QObject* watched, QEvent* event) {
  const bool done = QScrollArea::eventFilter(watched, event);
  if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
  return done;
}

void LinesArea::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fit();
}

}  // namespace vitrine

#include "moc_lines_area.cpp"
