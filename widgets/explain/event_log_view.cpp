#include "widgets/explain/event_log_view.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/painting/data_table_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

QLayout* EventLogView::makeFilterBar() {
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(6, 4, 6, 4);
  bar->setSpacing(4);
  for (int kind = 0; kind < kEventKindCount; ++kind) {
    auto* button = new QToolButton(this);
    button->setText(eventKindName(static_cast<EventKind>(kind)));
    button->setCheckable(true);
    button->setChecked((m_model->kinds() >> kind) & 1u);
    button->setToolTip(tr("Show or hide events of this kind"));
    connect(button, &QToolButton::toggled, this, [this, kind](bool on) {
      const quint32 bit = 1u << kind;
      m_model->setKinds(on ? m_model->kinds() | bit : m_model->kinds() & ~bit);
    });
    bar->addWidget(button);
  }
  m_words = new QLineEdit(this);
  m_words->setPlaceholderText(tr("Search: evicted, block:7, request:B, step:12"));
  m_words->setAccessibleName(tr("Search the events"));
  m_words->setToolTip(tr(
      "Words that the line contains, “block:7”, “request:B” or one of its answers “request:B2”, “step:12”"));
  m_words->setClearButtonEnabled(true);
  connect(m_words, &QLineEdit::textChanged, m_model, &EventLogModel::setSearch);
  bar->addWidget(m_words, 1);
  return bar;
}

EventLogView::EventLogView(EventLogModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Events"));
  auto* layout = withoutMargins(new QVBoxLayout(this));
  layout->setSpacing(0);
  layout->addLayout(makeFilterBar());
  m_earlier = new QToolButton(this);
  m_earlier->setAutoRaise(true);
  m_earlier->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_earlier->hide();
  connect(m_earlier, &QToolButton::clicked, model, &EventLogModel::showEarlier);
  layout->addWidget(m_earlier);

  m_table = new DataTableView(model, tr("No events yet, or the filter hides them."), this);
  m_table->setAccessibleName(tr("Events, one a line"));
  m_table->setFollowEnd(true);
  m_table->setStretchColumn(EventLogModel::kText);
  layout->addWidget(m_table, 1);
  connect(model, &SessionModel::refreshed, this, &EventLogView::showEarlier);
  connect(m_table, &QTableView::activated, this,
          [this](const QModelIndex& index) { emit stepRequested(m_model->at(index.row()).step); });
}

void EventLogView::showEarlier() {
  const bool searching = m_model->isSearching();
  m_earlier->setVisible(searching || m_model->hasEarlier());
  m_earlier->setEnabled(!searching);
  m_earlier->setText(searching ? tr("Searching earlier events…") : tr("Show earlier events"));
}

void EventLogView::search(const QString& text) {
  m_words->setText(text);
  m_words->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace vitrine

#include "moc_event_log_view.cpp"
