// MetricsModel: one row for each finished step of the whole recording: tokens, batch, blocks, times, and how
// the run went up to it; views mark the cursor. Times of steps are measured inside phases, so that a pause
// does not count; TTFT and ITL are engine time. Qt::EditRole has plain numbers with the unit in the header,
// for CSV. Thread: the window's.
#pragma once

#include <deque>

#include "vitrine/step_rate.h"
#include "widgets/plots/latency_meter.h"
#include "widgets/plots/metrics_row.h"
#include "widgets/session/session_model.h"

namespace vitrine {

class MetricsModel : public SessionModel {
  Q_OBJECT
 public:
  explicit MetricsModel(Session* session, QObject* parent = nullptr);

  const std::deque<MetricsRow>& rows() const { return m_rows; }
  const MetricsRow& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
  const MetricsRow* rowOf(int step) const;  // null for a step that has not finished
  int numBlocks() const { return m_numBlocks; }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_shown; }

 protected:
  const TableColumns& columns() const override;
  void refresh() override { tellNewRows(m_shown, static_cast<int>(m_rows.size())); }
  void restart() override;
  void take(const Event& event) override;

 private:
  MetricsRow rowFor(const StepFinished& finished, int step) const;
  void count(const Event& event);
  StepFinished seenFromOutside(StepFinished finished, std::int64_t timeNs);

  std::deque<MetricsRow> m_rows;  // 64 bytes a step
  int m_shown = 0;                // rows that views know of
  // Of the run so far, or of the step under way.
  struct Running {
    StepPlanned planned{};
    StepRate rate;
    LatencyMeter latency;
    std::int64_t promptTokens = 0, cachedTokens = 0;  // at first admissions
    std::int64_t judgedDrafts = 0, acceptedDrafts = 0;
    std::int64_t endNs = 0;  // of the last step
  } m_run;
  int m_numBlocks = 0;
  bool m_isFromOutside = false;  // EngineLoaded
};

}  // namespace vitrine
