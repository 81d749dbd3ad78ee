// HistogramModel: how often the weights of a tensor have which size: equal parts of the range from the least
// to the most, each with its count.
//
// It has a session because views do; the session may be an empty one. Thread: the window's. Read next:
// vitrine/inspect.h.
#pragma once

#include "vitrine/inspect.h"
#include "widgets/session/session_model.h"

namespace vitrine {

struct HistogramBin {
  double from = 0, to = 0;
  std::int64_t count = 0;
  double share = 0;  // of all weights

  bool operator==(const HistogramBin&) const = default;
};

class HistogramModel : public RowsModel<HistogramBin> {
  Q_OBJECT
 public:
  using RowsModel::RowsModel;

  void setWeights(const InspectedWeights& weights);
  void clear();
  std::int64_t most() const;        // of the counts
  QString describe(int bin) const;  // "−0.021 to −0.018: 1,234 weights, 3.2 %"

 protected:
  const TableColumns& columns() const override;
  void refresh() override {}
};

// A weight as a reader of the locale expects it: four significant digits, with a real minus sign.
QString weightText(double weight, int digits = 4);

}  // namespace vitrine
