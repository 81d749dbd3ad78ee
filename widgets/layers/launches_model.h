// LaunchesModel: how the shown step hands its layers to a GPU: a row for each way of launching them, with its
// launches, its time, and how near that comes to the time of reading weights, keys and values once.
//
// The times are an event of the step (LaunchesMeasured), so a past step shows its own. The bandwidth is that
// of the operations' roof, that of the GPU that computed the run. Thread: the window's. Read next:
// vitrine/events/forward.h, operations_model.h.
#pragma once

#include "widgets/layers/operations_model.h"

namespace vitrine {

// What a span of a layer belongs to.
enum class SpanKind : std::uint8_t { kAttentionProducts, kFeedForward, kAttention, kSmallWork };
inline constexpr int kSpanKinds = 4;

struct LaunchRow {
  LaunchTimes times;
  bool isTaken = false;  // by the step, where nothing is measured
  double waiting = 0;    // share of the spans' time that lies between them
  double limit = 0;      // the time at the limit over the measured time; 0: no limit is known

  std::int64_t spannedNs() const;  // the end of the last span
  bool operator==(const LaunchRow& other) const;
};

class LaunchesModel : public RowsModel<LaunchRow> {
  Q_OBJECT
 public:
  enum Column { kWay, kLaunches, kTime, kSpeedup, kWaiting, kLimit, kTaken };

  // The operations' model must outlive it.
  explicit LaunchesModel(OperationsModel* operations, QObject* parent = nullptr);

  const LaunchesMeasured& measured() const { return m_measured; }
  static SpanKind kindOf(Operation operation);
  static QString kindName(SpanKind kind);

  double limitNs() const { return m_limitNs; }  // of reading weights, keys and values once; 0: not known
  QString limitWords() const;      // "weights, keys and values read once at 3.6 TB/s: 0.33 ms"; may be empty
  QString headWords() const;       // "NVIDIA H100 · batch 5 of a graph of 8"
  QString magnifiedWords() const;  // "the first 2 of 28 layers"
  std::vector<QString> reasons() const;           // why the step is not faster, a sentence or two each
  QString name(int row) const;                    // "eager"
  QString words(int row) const;                   // "168 launches · 1.42 ms"
  QString spanName(int row, int span) const;      // "gate-up"
  QString summary() const;                        // "graph 0.61 ms, eager 1.42 ms"
  QString describe(int row) const;                // for tooltips and screen readers
  QString describeSpan(int row, int span) const;  // likewise
  QString emptyText() const;                      // empty when there are rows

 protected:
  const TableColumns& columns() const override;
  QVariant otherData(const QModelIndex& index, int role) const override;
  void refresh() override;

 private:
  void readStep();
  int rowOf(LaunchWay way) const;                             // -1: not measured
  std::optional<double> speedup(const LaunchRow& row) const;  // over eager

  OperationsModel* m_operations;
  LaunchesMeasured m_measured;
  ForwardMeasured m_forward;
  double m_limitNs = 0, m_limitGbps = 0;
};

}  // namespace vitrine
