#include "widgets/weights/histogram_model.h"

#include <QLocale>
#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

QString weightText(double weight, int digits) {
  QString text = QLocale().toString(weight, 'g', digits);
  return text.replace(u'-', QChar(0x2212));
}

HistogramModel::HistogramModel(Session* session, QObject* parent) : RowsModel(session, parent) {}

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

int HistogramModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant HistogramModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  const HistogramBin& bin = at(index.row());
  const bool plain = role == Qt::EditRole;
  switch (index.column()) {
    case kFrom:
      return plain ? QVariant(bin.from) : QVariant(weightText(bin.from));
    case kTo:
      return plain ? QVariant(bin.to) : QVariant(weightText(bin.to));
    case kCount:
      return plain ? QVariant(static_cast<qlonglong>(bin.count)) : QVariant(formatCount(bin.count));
    default:
      return plain ? QVariant(bin.share) : QVariant(formatPercent(bin.share));
  }
}

QVariant HistogramModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  switch (section) {
    case kFrom:
      return tr("From");
    case kTo:
      return tr("To");
    case kCount:
      return tr("Weights");
    default:
      return tr("Share");
  }
}

}  // namespace vitrine

#include "moc_histogram_model.cpp"
