// EventLogModel: the events up to the cursor, one readable line each, filtered by kind, sequence and words.
//
// Lines are written when a view asks for them; only the places of matching events are kept.
// Thread: the window's.
#pragma once

#include "widgets/models/event_text.h"
#include "widgets/models/session_model.h"

namespace vitrine {

class EventLogModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kStep, kPhase, kTime, kTitle, kText, kColumns };

  explicit EventLogModel(Session* session, QObject* parent = nullptr);

  void setKinds(quint32 kinds);  // a bit for each EventKind; all at first
  quint32 kinds() const { return m_kinds; }
  void setWords(const QString& words);    // lines that contain it, without regard to case
  void setSequence(SequenceId sequence);  // 0: all
  const Event& eventAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;
  void restart() override;

 private:
  bool matches(const Event& event) const;
  QString textOf(const Event& event) const;
  void rebuild();

  std::vector<std::size_t> m_places;  // of matching events
  std::size_t m_taken = 0;            // events looked at
  quint32 m_kinds = (1u << kEventKindCount) - 1;
  QString m_words;
  SequenceId m_sequence = 0;
};

}  // namespace vitrine
