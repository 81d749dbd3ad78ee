#include "widgets/plots/figure_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"

namespace vitrine {

QString figureNumber(double value) {
  constexpr double kMostDigits = 1e9;
  const double size = std::abs(value);
  return size >= 1000 && size < kMostDigits ? formatDecimal(value, 0) : QLocale().toString(value, 'g', 4);
}

void FigureModel::setFigure(Figure figure) {
  beginResetModel();
  m_figure = std::move(figure);
  endResetModel();
  update();
}

const std::optional<FigureValue>& FigureModel::value(int series, int place) const {
  return m_figure.series.at(static_cast<std::size_t>(series)).values.at(static_cast<std::size_t>(place));
}

bool FigureModel::isMeasured() const {
  return std::ranges::any_of(m_figure.series, [](const Figure::Series& series) {
    return std::ranges::any_of(series.values, [](const auto& one) { return one.has_value(); });
  });
}

double FigureModel::most() const {
  double most = 0;
  for (const Figure::Series& series : m_figure.series)
    for (const auto& one : series.values)
      if (one) most = std::max({most, one->middle, one->high});
  return most;
}

QString FigureModel::describe(int series, int place) const {
  const QString name = m_figure.series.at(static_cast<std::size_t>(series)).name,
                where = m_figure.places.at(place);
  const std::optional<FigureValue>& one = value(series, place);
  if (!one) return tr("%1, %2: not measured").arg(name, where);
  QString middle = tr("%1, %2: %3 %4").arg(name, where, figureNumber(one->middle), m_figure.yLabel);
  if (one->count < 2) return middle;
  return middle + tr("; from %1 to %2, measured %n time(s)", nullptr, one->count)
                      .arg(figureNumber(one->low), figureNumber(one->high));
}

QVariant FigureModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  if (index.column() == 0) return m_figure.places.at(index.row());
  const int column = index.column() - 1;
  const std::optional<FigureValue>& one = value(column / kParts, index.row());
  if (!one) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant(QString());
  const double values[] = {one->middle, one->low, one->high};
  const double number = values[column % kParts];
  return role == Qt::EditRole ? QVariant(number) : QVariant(figureNumber(number));
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole) || section < 0 ||
      section >= columnCount())
    return SessionModel::headerData(section, orientation, role);
  if (section == 0) return m_figure.xLabel;
  const Figure::Series& series = m_figure.series.at(static_cast<std::size_t>((section - 1) / kParts));
  const QString name = tr("%1, %2").arg(series.name, m_figure.yLabel);
  const QString names[] = {name, tr("%1, least").arg(name), tr("%1, most").arg(name)};
  return names[(section - 1) % kParts];
}

}  // namespace vitrine

#include "moc_figure_model.cpp"
