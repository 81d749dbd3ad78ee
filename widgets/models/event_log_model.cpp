#include "widgets/models/event_log_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

EventLogModel::EventLogModel(Session* session, QObject* parent) : SessionModel(session, parent) { refresh(); }

void EventLogModel::restart() {
  beginResetModel();
  m_places.clear();
  m_taken = 0;
  endResetModel();
}

bool EventLogModel::matches(const Event& event) const {
  if ((m_kinds & (1u << static_cast<unsigned>(eventKind(event)))) == 0) return false;
  if (m_sequence != 0 && eventSequence(event) != m_sequence) return false;
  if (m_words.isEmpty()) return true;
  return eventTitle(event).contains(m_words, Qt::CaseInsensitive) ||
         textOf(event).contains(m_words, Qt::CaseInsensitive);
}

QString EventLogModel::textOf(const Event& event) const {
  return eventText(event, session()->state(), session()->names());
}

void EventLogModel::refresh() {
  const auto shown = session()->shownEvents();
  if (shown.size() < m_taken) {  // the cursor went back
    const auto keep = std::lower_bound(m_places.begin(), m_places.end(), shown.size());
    const int first = static_cast<int>(keep - m_places.begin());
    if (first < rowCount()) {
      beginRemoveRows({}, first, rowCount() - 1);
      m_places.erase(keep, m_places.end());
      endRemoveRows();
    }
    m_taken = shown.size();
    return;
  }
  std::vector<std::size_t> fresh;
  for (; m_taken < shown.size(); ++m_taken) {
    if (matches(shown[m_taken])) fresh.push_back(m_taken);
  }
  if (fresh.empty()) return;
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
  m_places.insert(m_places.end(), fresh.begin(), fresh.end());
  endInsertRows();
}

void EventLogModel::rebuild() {
  restart();
  update();
}

void EventLogModel::setKinds(quint32 kinds) {
  if (kinds == m_kinds) return;
  m_kinds = kinds;
  rebuild();
}

void EventLogModel::setWords(const QString& words) {
  if (words == m_words) return;
  m_words = words;
  rebuild();
}

void EventLogModel::setSequence(SequenceId sequence) {
  if (sequence == m_sequence) return;
  m_sequence = sequence;
  rebuild();
}

const Event& EventLogModel::eventAt(int row) const {
  return session()->recording().events()[m_places.at(static_cast<std::size_t>(row))];
}

int EventLogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_places.size());
}

int EventLogModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant EventLogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole) return {};
  const Event& event = eventAt(index.row());
  switch (index.column()) {
    case kNumber:
      return static_cast<qlonglong>(event.number);
    case kStep:
      return event.step;
    case kPhase:
      return phaseName(event.phase);
    case kTime:
      return formatDuration(event.timeNs);
    case kTitle:
      return eventTitle(event);
    case kText:
      return textOf(event);
    default:
      return {};
  }
}

QVariant EventLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kNumber:
      return tr("Number");
    case kStep:
      return tr("Step");
    case kPhase:
      return tr("Phase");
    case kTime:
      return tr("Time");
    case kTitle:
      return tr("Event");
    case kText:
      return tr("What");
    default:
      return {};
  }
}

}  // namespace vitrine
