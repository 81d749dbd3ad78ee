// RequestListModel: one row for each sequence at the cursor: waiting (and why), running or done. The rows of
// a forgotten request disappear; lanes, log and conversation keep what it did. Thread: the window's.
#pragma once

#include "widgets/models/session_model.h"

namespace vitrine {

enum class RequestGroup : std::uint8_t { kRunning, kWaiting, kDone };

struct RequestRow {
  SequenceId sequence = 0;
  RequestId request = 0;
  QString letter, name, prompt, text;
  RequestGroup group = RequestGroup::kWaiting;
  bool preempted = false;
  QString status;  // "waits: needs 4 blocks, 2 free"
  QString miss;    // why its prompt was computed again, as a sentence; empty when it was not
  int promptTokens = 0, computedTokens = 0, totalTokens = 0, maxTokens = 0, cachedTokens = 0;
  int blocks = 0, preemptions = 0, priority = 0;
  double deadlineMs = 0;
  std::int64_t ttftNs = 0;

  bool operator==(const RequestRow&) const = default;
};

class RequestListModel : public RowsModel<RequestRow> {
  Q_OBJECT
 public:
  enum Column {
    kLetter,
    kName,
    kStatus,
    kComputed,
    kTotal,
    kBlocks,
    kCached,
    kPreemptions,
    kPriority,
    kDeadline,
    kTtft,
    kText,
    kColumns
  };
  static constexpr int kGroupRole = Qt::UserRole + 1;  // RequestGroup as int
  static constexpr int kSequenceRole = Qt::UserRole + 2;
  static constexpr int kRequestRole = Qt::UserRole + 3;

  explicit RequestListModel(Session* session, QObject* parent = nullptr);

  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  int rowOf(SequenceId sequence) const;  // -1 when it is not there

 protected:
  void refresh() override;

 private:
  static QVariant displayed(const RequestRow& row, int column);
};

}  // namespace vitrine
