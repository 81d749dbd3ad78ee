// MetricsModel: one row for each finished step of the whole recording: tokens, batch, blocks, time; views
// mark the cursor. Time is measured inside phases only, so that a pause does not count. Thread: the window's.
#pragma once

#include <deque>

#include "vitrine/step_rate.h"
#include "widgets/models/session_model.h"

namespace vitrine {

struct MetricsRow {
  int step = 0, sequences = 0, prefillTokens = 0, decodeTokens = 0, sampled = 0;
  int waiting = 0, running = 0, usedBlocks = 0, cachedBlocks = 0;
  std::int64_t durationNs = 0;
  double tokensPerSecond = 0;  // of the last StepRate::kSteps steps
};

class MetricsModel : public SessionModel {
  Q_OBJECT
 public:
  enum Column {
    kStep,
    kSequences,
    kPrefill,
    kDecode,
    kSampled,
    kWaiting,
    kRunning,
    kUsed,
    kCached,
    kDuration,
    kRate,
    kColumns
  };

  explicit MetricsModel(Session* session, QObject* parent = nullptr);

  const std::deque<MetricsRow>& rows() const { return m_rows; }
  int numBlocks() const { return m_numBlocks; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override;
  void restart() override;
  void take(const Event& event) override;

 private:
  MetricsRow rowFor(const StepFinished& finished, int step) const;

  std::deque<MetricsRow> m_rows;  // 56 bytes a step
  int m_shown = 0;                // rows that views know of
  StepPlanned m_planned{};
  StepRate m_rate;
  int m_numBlocks = 0;
};

}  // namespace vitrine
