#include "widgets/explain/event_log_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

EventLogModel::EventLogModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  m_search.setInterval(0);
  connect(&m_search, &QTimer::timeout, this, &EventLogModel::searchOn);
  takeWhatIsThere();
  refresh();
}

void EventLogModel::restart() {
  m_kindOf.clear();
  m_read.clear();
  m_most = kMostRows;
  forgetRows(0);
}

void EventLogModel::forgetRows(std::int64_t end) {
  beginResetModel();
  m_places.clear();
  m_from = m_to = end;
  m_search.stop();
  endResetModel();
}

bool EventLogModel::matches(std::int64_t place) const {
  if ((m_kinds & (1u << m_kindOf[static_cast<std::size_t>(place)])) == 0) return false;
  if (!readsEvents()) return true;
  const Event event = read(place);
  if (!m_looksFor.fits(event, session()->state(), session()->names())) return false;
  const QString& words = m_looksFor.words;
  return words.isEmpty() || eventTitle(event).contains(words, Qt::CaseInsensitive) ||
         textOf(event).contains(words, Qt::CaseInsensitive);
}

QString EventLogModel::textOf(const Event& event) const {
  return eventText(event, session()->state(), session()->names());
}

Event EventLogModel::read(std::int64_t place) const {
  try {
    return session()->recording().event(place);
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown
    return {};
  }
}

void EventLogModel::refresh() {
  const std::int64_t end = std::min(session()->shownEnd(), static_cast<std::int64_t>(m_kindOf.size()));
  if (end < m_from || end - m_to > m_most)
    forgetRows(end);  // no row matches any more
  else if (end < m_to)
    dropBehind(end);  // the cursor went back
  else
    lookForward(end);
  lookBack();
}

void EventLogModel::dropBehind(std::int64_t end) {
  const auto keep = std::ranges::lower_bound(m_places, end);
  const int first = static_cast<int>(keep - m_places.begin());
  if (first < rowCount()) {
    beginRemoveRows({}, first, rowCount() - 1);
    m_places.erase(keep, m_places.end());
    endRemoveRows();
  }
  m_to = end;
}

void EventLogModel::lookForward(std::int64_t end) {
  std::vector<std::int64_t> fresh;
  for (; m_to < end; ++m_to)
    if (matches(m_to)) fresh.push_back(m_to);
  if (fresh.empty()) return;
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
  m_places.insert(m_places.end(), fresh.begin(), fresh.end());
  endInsertRows();
  // Rarely, and many rows at once, so that a reader of an old line is rarely interrupted.
  const auto most = static_cast<std::size_t>(m_most);
  if (m_places.size() < most + most / 4) return;
  const auto surplus = static_cast<std::ptrdiff_t>(m_places.size() - most);
  beginRemoveRows({}, 0, static_cast<int>(surplus) - 1);
  m_places.erase(m_places.begin(), m_places.begin() + surplus);
  m_from = m_places.front();
  endRemoveRows();
}

// Until there are enough rows. A filter that reads events does a piece now, and the rest later.
void EventLogModel::lookBack() {
  std::vector<std::int64_t> found;  // the newest first
  std::int64_t piece = readsEvents() ? kPiece : m_from;
  const std::int64_t wanted = m_most - static_cast<std::int64_t>(m_places.size());
  for (; piece > 0 && m_from > 0 && static_cast<std::int64_t>(found.size()) < wanted; --piece) {
    --m_from;
    if (matches(m_from)) found.push_back(m_from);
  }
  if (!found.empty()) {
    beginInsertRows({}, 0, static_cast<int>(found.size()) - 1);
    m_places.insert(m_places.begin(), found.rbegin(), found.rend());
    endInsertRows();
  }
  const bool on = m_from > 0 && static_cast<std::int64_t>(m_places.size()) < m_most;
  if (on != m_search.isActive()) on ? m_search.start() : m_search.stop();
}

void EventLogModel::searchOn() {
  if (!isActive()) {  // it continues when the view is shown again
    m_search.stop();
    return update();
  }
  lookBack();
  emit refreshed();
}

void EventLogModel::showEarlier() {
  m_most += kMostRows;
  lookBack();
  emit refreshed();
}

void EventLogModel::rebuild() {
  m_most = kMostRows;
  forgetRows(std::min(session()->shownEnd(), static_cast<std::int64_t>(m_kindOf.size())));
  update();
}

void EventLogModel::setKinds(quint32 kinds) {
  if (kinds == m_kinds) return;
  m_kinds = kinds;
  rebuild();
}

void EventLogModel::setSearch(const QString& text) {
  const EventSearch search = EventSearch::fromText(text);
  if (search == m_looksFor) return;
  m_looksFor = search;
  rebuild();
}

Event EventLogModel::at(int row) const {
  const std::int64_t place = m_places.at(static_cast<std::size_t>(row));
  if (const Event* known = m_read.object(place)) return *known;
  Event event = read(place);
  m_read.insert(place, new Event(event));
  return event;
}

const TableColumns& EventLogModel::columns() const {
  static const ColumnsOf<EventLogModel> kColumns = {
      {QT_TR_NOOP("Number"), &Event::number},
      {QT_TR_NOOP("Step"), &Event::step},
      {QT_TR_NOOP("Phase"), [](const Event& event) { return phaseName(event.phase); }},
      {QT_TR_NOOP("Time"), [](const Event& event) { return formatDuration(event.timeNs); }},
      {QT_TR_NOOP("Event"), eventTitle},
      {QT_TR_NOOP("Sentence"), &EventLogModel::textOf},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_event_log_model.cpp"
