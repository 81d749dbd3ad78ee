#include "widgets/session/session_model.h"

#include <QEvent>
#include <QPointer>

namespace vitrine {
namespace {

class Sight : public QObject {
 public:
  Sight(SessionModel* model, QObject* view) : QObject(view), m_model(model) {
    view->installEventFilter(this);
    model->setWatched(view, false);
  }

 protected:
  bool eventFilter(QObject* view, QEvent* event) override {
    if (m_model && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
      m_model->setWatched(view, event->type() == QEvent::Show);
    return QObject::eventFilter(view, event);
  }

 private:
  QPointer<SessionModel> m_model;  // null while a window is taken down that deletes its models first
};

}  // namespace

SessionModel::SessionModel(Session* session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session) {
  connect(session, &Session::runStarted, this, [this] { restart(); });
  connect(session, &Session::appended, this, [this](EventBatch events) {
    for (const Event& event : events) take(event);
  });
  connect(session, &Session::stateChanged, this, &SessionModel::update);
}

void SessionModel::takeWhatIsThere() {
  try {
    m_session->recording().forEach([this](const Event& event) { take(event); });
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown
  }
}

void SessionModel::followWholeRun() {
  connect(m_session, &Session::appended, this, [this] {
    if (!m_session->isLive()) update();
  });
  takeWhatIsThere();
}

void SessionModel::tellNewRows(int& known, int rows) {
  if (rows <= known) return;
  beginInsertRows({}, known, rows - 1);
  known = rows;
  endInsertRows();
}

const TableColumns& SessionModel::columns() const {
  static const TableColumns kNone;
  return kNone;
}

int SessionModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns().size());
}

QVariant SessionModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (QVariant other = otherData(index, role); other.isValid()) return other;
  return columns()[static_cast<std::size_t>(index.column())].data(*this, index.row(), role);
}

QVariant SessionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (columns().empty()) return QAbstractTableModel::headerData(section, orientation, role);
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  return columns()[static_cast<std::size_t>(section)].heading(*metaObject(), role);
}

void SessionModel::setWatched(const QObject* watcher, bool visible) {
  if (!m_watchers.contains(watcher)) {
    m_watchers.insert(watcher);
    connect(watcher, &QObject::destroyed, this, [this, watcher] {
      m_watchers.remove(watcher);
      m_visible.remove(watcher);
    });
  }
  if (visible)
    m_visible.insert(watcher);
  else
    m_visible.remove(watcher);
  if (m_stale && isActive()) update();
}

void SessionModel::followSightOf(QObject* view) { new Sight(this, view); }

void SessionModel::update() {
  m_stale = !isActive();
  if (m_stale) return;
  refresh();
  emit refreshed();
}

}  // namespace vitrine

#include "moc_session_model.cpp"
