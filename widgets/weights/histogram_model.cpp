#include "widgets/weights/histogram_model.h"

#include <QLocale>
#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

QString weightText(double weight, int digits) {
  QString text = QLocale().toString(weight, 'g', digits);
  return text.replace(u'-', QChar(0x2212));
}

void HistogramModel::setWeights(const InspectedWeights& weights) {
  std::vector<HistogramBin> bins;
  const auto count = static_cast<double>(weights.histogram.size());
  const double all = static_cast<double>(weights.tensor.rows() * weights.tensor.shape.back());
  for (const std::int64_t one : weights.histogram) {
    const auto place = static_cast<double>(bins.size()), range = weights.most - weights.least;
    bins.push_back({weights.least + range * place / count, weights.least + range * (place + 1) / count, one,
                    static_cast<double>(one) / all});
  }
  setRows(std::move(bins));
  emit refreshed();
}

void HistogramModel::clear() {
  setRows({});
  emit refreshed();
}

std::int64_t HistogramModel::most() const {
  return rowCount() > 0 ? std::ranges::max(rows(), {}, &HistogramBin::count).count : 0;
}

QString HistogramModel::describe(int bin) const {
  const HistogramBin& one = at(bin);
  return tr("%1 to %2: %3 weights, %4")
      .arg(weightText(one.from), weightText(one.to), formatCount(one.count), formatPercent(one.share));
}

const TableColumns& HistogramModel::columns() const {
  using Row = HistogramBin;
  static const ColumnsOf<HistogramModel> kColumns = {
      {QT_TR_NOOP("From"), [](const Row& bin) { return weightText(bin.from); }, &Row::from},
      {QT_TR_NOOP("To"), [](const Row& bin) { return weightText(bin.to); }, &Row::to},
      {QT_TR_NOOP("Weights"), [](const Row& bin) { return formatCount(bin.count); }, &Row::count},
      {QT_TR_NOOP("Share"), [](const Row& bin) { return formatPercent(bin.share); }, &Row::share},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_histogram_model.cpp"
