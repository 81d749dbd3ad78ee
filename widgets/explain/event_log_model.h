// EventLogModel: the events up to the cursor, one readable line each, filtered by kind and by a search.
//
// A run may hold millions of events, so the model holds a byte for each (its kind) and, as rows, the places
// of the newest kMostRows that match; showEarlier() lets the list reach further back. Lines are written when
// a view asks for them. A search must read the events, and goes through the past in small pieces, newest
// first, while the window stays responsive. Thread: the window's.
#pragma once

#include <QCache>
#include <QTimer>
#include <deque>

#include "widgets/explain/event_search.h"
#include "widgets/explain/event_text.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class EventLogModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kStep, kPhase, kTime, kTitle, kText };
  static constexpr int kMostRows = 50'000;  // some thousand steps

  explicit EventLogModel(Session* session, QObject* parent = nullptr);

  void setKinds(quint32 kinds);  // a bit for each EventKind; all at first
  quint32 kinds() const { return m_kinds; }
  void setSearch(const QString& text);  // EventSearch::fromText()
  Event at(int row) const;

  bool isSearching() const { return m_search.isActive(); }
  // There may be matching events before the first row.
  bool hasEarlier() const { return m_from > 0 && !isSearching(); }
  void showEarlier();  // up to kMostRows more

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_places.size());
  }

 protected:
  const TableColumns& columns() const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override { m_kindOf.push_back(static_cast<quint8>(eventKind(event))); }

 private:
  static constexpr std::int64_t kPiece = 2'000;  // events read at once: about a chunk

  bool readsEvents() const { return !m_looksFor.isEmpty(); }
  bool matches(std::int64_t place) const;
  QString textOf(const Event& event) const;
  Event read(std::int64_t place) const;
  void rebuild();
  void forgetRows(std::int64_t end);
  void dropBehind(std::int64_t end);
  void lookForward(std::int64_t end);
  void lookBack();
  void searchOn();

  std::deque<quint8> m_kindOf;        // of every event
  std::deque<std::int64_t> m_places;  // the rows: events that match, in [m_from, m_to)
  std::int64_t m_from = 0, m_to = 0;  // the range that was searched
  std::int64_t m_most = kMostRows;
  mutable QCache<std::int64_t, Event> m_read{1024};
  QTimer m_search;
  quint32 m_kinds = (1u << kEventKindCount) - 1;
  EventSearch m_looksFor;
};

}  // namespace vitrine
