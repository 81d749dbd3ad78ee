#include <QContextMenuEvent>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "widgets/painting/table_twin.h"
#include "widgets/plots/plot_view.h"

namespace vitrine {

void PlotView::point(int step) {
  const int pointed = m_model->rowOf(step) ? step : -1;
  if (std::exchange(m_pointed, pointed) != pointed) showMarks();
}

// As on the time axis: the last step is the machine itself.
void PlotView::goTo(int step) {
  const Session& session = *m_model->session();
  if (session.lastStep() == 0) return;
  if (step >= session.lastStep()) {
    if (!session.isLive()) emit liveRequested();
  } else if (session.isLive() || step != session.step()) {
    emit stepRequested(std::max(step, session.firstStep()));
  }
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) { showMenu(event->globalPos()); }

void PlotView::showMenu(const QPoint& global) {
  QMenu menu(this);
  menu.addAction(m_paused ? tr("&Go on") : tr("&Pause the plots"), QKeySequence(Qt::Key_Space), this,
                 [this] { setPaused(!m_paused); });
  menu.addAction(tr("&Fit the whole run"), QKeySequence(Qt::Key_0), this, &PlotView::fit);
  menu.addSeparator();
  menu.addAction(m_twin->action());
  menu.addAction(tr("&Copy as CSV"), QKeySequence::Copy, this, &PlotView::copyCsv);
  menu.addAction(tr("C&opy picture"), this, &PlotView::copyPicture);
  menu.addAction(tr("&Save picture as SVG or PNG…"), this, &PlotView::savePictureAs);
  menu.exec(global);
}

void PlotView::keyPressEvent(QKeyEvent* event) {
  const Session& session = *m_model->session();
  if (event->matches(QKeySequence::Copy)) return copyCsv();
  switch (event->key()) {
    case Qt::Key_Left:
      return goTo(session.step() - 1);
    case Qt::Key_Right:
      return goTo(session.step() + 1);
    case Qt::Key_Home:
      return goTo(session.firstStep());
    case Qt::Key_End:
      return goTo(session.lastStep());
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      return zoom(event->key() == Qt::Key_Plus ? 1.25 : 0.8, session.step());
    case Qt::Key_0:
      return fit();
    case Qt::Key_Space:
      return setPaused(!m_paused);
    default:
      event->ignore();  // PageUp and PageDown step the machine
  }
}

}  // namespace vitrine
