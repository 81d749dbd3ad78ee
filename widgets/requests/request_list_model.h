// RequestListModel: one row for each sequence at the cursor: waiting (and why), running or finished. The rows
// of a forgotten request disappear; lanes, log and conversation keep what it did. Thread: the window's.
#pragma once

#include <array>

#include "widgets/requests/request_row.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class RequestListModel : public RowsModel<RequestRow> {
  Q_OBJECT
 public:
  static constexpr int kGroupRole = Qt::UserRole + 1;  // RequestGroup as int
  static constexpr int kSequenceRole = Qt::UserRole + 2;
  static constexpr int kRequestRole = Qt::UserRole + 3;

  explicit RequestListModel(Session* session, QObject* parent = nullptr);

  int rowOf(SequenceId sequence) const;  // -1 when it is not there
  int requests(RequestGroup group) const { return m_requests[static_cast<std::size_t>(group)]; }
  // Those of the run so far; the engine forgets all but the last ones, which have rows.
  int allFinished() const { return m_allFinished; }
  QString summary() const;  // "3 run · 1 waits"

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  QString promptOf(const RequestRow& row) const;  // its beginning
  QString answerOf(const RequestRow& row) const;

  std::array<int, kRequestGroups> m_requests{};
  std::int64_t m_taken = 0;               // events of the run
  std::vector<std::int64_t> m_forgotten;  // the places of those that forget a request
  int m_allFinished = 0;
};

}  // namespace vitrine
