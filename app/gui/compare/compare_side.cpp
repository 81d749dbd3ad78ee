#include "gui/compare/compare_side.h"

#include <QBoxLayout>
#include <QLabel>

#include "gui/parts/small_parts.h"
#include "widgets/explain/headline_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/support/eliding_label.h"

namespace vitrine {

namespace {

constexpr int kLanesShare = 5, kBlocksShare = 4;
constexpr int kLeastSideLines = 5;  // of lanes, and of blocks

}  // namespace

CompareSide::CompareSide(ComparedMachine& machine, int number, QWidget* parent)
    : HeadedCard(parent),
      m_machine(machine),
      m_number(number),
      m_title(new ElidingLabel(this)),
      m_place(new QLabel(this)),
      m_lanes(new LanesView(new LaneModel(&machine.session(), this), this)),
      m_blocks(new BlockMapView(new BlockMapModel(&machine.session(), this), this)),
      m_headline(new HeadlineView(new HeadlineModel(&machine.session(), this), this)) {
  makeBold(m_title);
  m_title->setAccessibleName(tr("Machine %1").arg(number));
  m_place->setAccessibleName(tr("Step of machine %1").arg(number));
  head()->addWidget(m_title, 1);
  head()->addWidget(m_place);
  m_headline->setLines(2);
  for (QWidget* view : std::initializer_list<QWidget*>{m_lanes, m_blocks})
    view->setMinimumHeight(kLeastSideLines * fontMetrics().lineSpacing());
  column()->addWidget(m_headline);
  column()->addWidget(m_lanes, kLanesShare);
  column()->addWidget(m_blocks, kBlocksShare);
  connect(m_lanes, &LanesView::stepRequested, this, &CompareSide::stepRequested);
  Session* const session = &machine.session();
  connect(m_lanes, &LanesView::sequenceSelected, session, &Session::selectSequence);
  connect(m_blocks, &BlockMapView::sequenceSelected, session, &Session::selectSequence);
  tell();
}

void CompareSide::setTitle(const QString& what) {
  m_title->setText(what.isEmpty() ? QString::number(m_number)
                                  : tr("%1 · %2").arg(QString::number(m_number), what));
}

QString CompareSide::title() const { return m_title->text(); }
QString CompareSide::place() const { return m_place->text(); }

void CompareSide::tell() {
  const int step = m_machine.session().step();
  m_place->setText(m_machine.isLoading() ? tr("loading…")
                   : m_machine.hasEnded() && m_machine.session().isLive()
                       ? tr("step %1, at its end").arg(step)
                       : tr("step %1").arg(step));
}

}  // namespace vitrine

#include "moc_compare_side.cpp"
