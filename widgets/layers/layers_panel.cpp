#include "widgets/layers/layers_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/layers/attention_view.h"
#include "widgets/layers/exits_view.h"
#include "widgets/layers/launches_view.h"
#include "widgets/layers/roofline_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

LayersPanel::LayersPanel(ExitsModel* exits, AttentionModel* attention, OperationsModel* operations,
                         LaunchesModel* launches, QWidget* parent)
    : QWidget(parent),
      m_exits(exits),
      m_attention(attention),
      m_exitsView(new ExitsView(exits, this)),
      m_attentionView(new AttentionView(attention, this)),
      m_timeView(new RooflineView(operations, this)),
      m_launchesView(new LaunchesView(launches, this)),
      m_pages(new QStackedWidget(this)),
      m_views(new QButtonGroup(this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Layers"));
  auto* column = withoutMargins(new QVBoxLayout(this));
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 8, 2);
  makeChoices(row);
  column->addLayout(row);
  for (PaintedView* view :
       std::initializer_list<PaintedView*>{m_exitsView, m_attentionView, m_timeView, m_launchesView}) {
    m_pages->addWidget(view);
    connect(view, &PaintedView::summaryChanged, this, [this] { emit summaryChanged(summary()); });
  }
  column->addWidget(m_pages, 1);
  connect(exits->session(), &Session::engineLoaded, this, &LayersPanel::followRun);
  connect(exits, &SessionModel::refreshed, this, [this] {
    if (m_exits->differences().empty()) setComparison({});
  });
  followRun();
  showPage(Page::kExits);
}

void LayersPanel::makeChoices(QHBoxLayout* row) {
  const QString titles[kPages] = {tr("Prediction of each layer"), tr("Attention"), tr("Time"),
                                  tr("Launches")};
  for (int i = 0; i < kPages; ++i) {
    auto* button = new QToolButton(this);
    button->setText(titles[i]);
    button->setCheckable(true);
    button->setAutoRaise(true);
    m_views->addButton(button, i);
    row->addWidget(button);
  }
  connect(m_views, &QButtonGroup::idClicked, this, [this](int id) { showPage(static_cast<Page>(id)); });
  row->addSpacing(12);
  makeAttentionChoices(row);
  row->addStretch(1);
  m_compare = new QPushButton(tr("Compare with libtorch"), this);
  m_compare->setToolTip(
      tr("Computes the same tokens with libtorch's kernels, and shows each layer's largest difference."));
  connect(m_compare, &QPushButton::clicked, this, &LayersPanel::comparisonRequested);
  row->addWidget(m_compare);
}

void LayersPanel::makeAttentionChoices(QHBoxLayout* row) {
  m_attentionChoices = new QWidget(this);
  auto* choices = withoutMargins(new QHBoxLayout(m_attentionChoices));
  m_layer = new QSpinBox(m_attentionChoices);
  m_layer->setAccessibleName(tr("Layer"));
  m_layer->setMinimum(1);
  m_head = new QComboBox(m_attentionChoices);
  m_head->setAccessibleName(tr("Head"));
  addParts(choices, {labelFor(m_layer, tr("Layer"), m_attentionChoices), m_layer,
                     labelFor(m_head, tr("Head"), m_attentionChoices), m_head});
  row->addWidget(m_attentionChoices);
  connect(m_layer, &QSpinBox::valueChanged, this, &LayersPanel::choose);
  connect(m_head, &QComboBox::currentIndexChanged, this, &LayersPanel::choose);
}

void LayersPanel::followRun() {
  const QSignalBlocker quietLayer(m_layer), quietHead(m_head);
  m_layer->setMaximum(std::max(1, m_attention->layers()));
  const int head = m_head->currentIndex();
  m_head->clear();
  m_head->addItem(tr("mean of all"));
  for (int i = 1; i <= m_attention->heads(); ++i) m_head->addItem(QString::number(i));
  m_head->setCurrentIndex(std::clamp(head, 0, m_head->count() - 1));
  choose();
}

void LayersPanel::choose() { m_attention->choose(m_layer->value() - 1, m_head->currentIndex() - 1); }

void LayersPanel::showPage(Page page) {
  const int index = static_cast<int>(page);
  m_views->button(index)->setChecked(true);
  m_attentionChoices->setVisible(page == Page::kAttention);
  m_compare->setVisible(page == Page::kExits);
  m_pages->setCurrentIndex(index);
  setFocusProxy(m_pages->currentWidget());
  emit summaryChanged(summary());
}

QString LayersPanel::summary() const {
  return static_cast<PaintedView*>(m_pages->currentWidget())->summary();
}

void LayersPanel::setComparison(const QString& words) {
  m_compare->setText(words.isEmpty() ? tr("Compare with libtorch") : words);
}

void LayersPanel::setComparing(bool comparing) {
  m_compare->setEnabled(!comparing);
  if (comparing) m_compare->setText(tr("Comparing …"));
}

}  // namespace vitrine

#include "moc_layers_panel.cpp"
