#include "widgets/painting/table_twin.h"

#include <QAction>
#include <QEvent>
#include <QWidget>
#include <utility>

#include "widgets/painting/data_table_view.h"

namespace vitrine {

TableTwin::TableTwin(SessionModel* model, QWidget* view, const QString& emptyText)
    : QObject(view), m_model(model), m_view(view), m_emptyText(emptyText), m_action(new QAction(this)) {
  m_action->setText(tr("Show as a &table"));
  m_action->setCheckable(true);
  m_action->setShortcut(Qt::CTRL | Qt::Key_T);
  m_action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(m_action, &QAction::toggled, this, [this](bool wanted) { wanted ? open() : close(); });
  view->addAction(m_action);
  view->installEventFilter(this);
}

DataTableView* TableTwin::table() const { return m_table; }

void TableTwin::setOpen(bool open) { m_action->setChecked(open); }

void TableTwin::open() {
  SessionModel* const own = makeModel ? makeModel().release() : nullptr;
  m_table = new DataTableView(own ? own : m_model, m_emptyText, m_view);
  if (own) own->setParent(m_table);
  m_table->setAccessibleName(tr("%1 as a table").arg(m_view->accessibleName()));
  m_table->addAction(m_action);
  m_table->setGeometry(m_view->rect());
  m_focusPolicy = m_view->focusPolicy();
  m_view->setFocusPolicy(Qt::NoFocus);  // what the table covers takes no keys
  m_table->show();
  m_table->raise();
  m_table->setFocus(Qt::ShortcutFocusReason);
}

void TableTwin::close() {
  m_view->setFocusPolicy(m_focusPolicy);
  if (!m_table) return;
  if (m_table->hasFocus()) m_view->setFocus(Qt::ShortcutFocusReason);
  m_table->hide();
  std::exchange(m_table, nullptr)->deleteLater();  // the key may have come through it
}

bool TableTwin::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_view && event->type() == QEvent::Resize && m_table) m_table->setGeometry(m_view->rect());
  return QObject::eventFilter(watched, event);
}

}  // namespace vitrine

#include "moc_table_twin.cpp"
