// FigureModel: the numbers of one bar or line chart that belongs to no run: what was measured at each place
// of a sweep or for each variant, with its spread.
//
// As a table: a row for each place; for each series the middle, and in CSV also the ends of its spread.
// It has a session because views do; the session may be an empty one. Thread: the window's. Read next:
// figure_view.h.
#pragma once

#include <optional>

#include "widgets/session/session_model.h"

namespace vitrine {

// Of what was measured `count` times.
struct FigureValue {
  double middle = 0, low = 0, high = 0;
  int count = 1;

  bool operator==(const FigureValue&) const = default;
};

struct Figure {
  struct Series {
    QString name;
    std::vector<std::optional<FigureValue>> values;  // one for each place; nothing: not measured
  };
  QString title, xLabel, yLabel;
  QStringList places;
  std::vector<Series> series;
  bool lines = false;  // a sweep: points joined by lines; otherwise bars
};

class FigureModel : public SessionModel {
  Q_OBJECT
 public:
  using SessionModel::SessionModel;

  // Requires as many values in each series as there are places; none of them below 0.
  void setFigure(Figure figure);
  const Figure& figure() const { return m_figure; }
  int places() const { return static_cast<int>(m_figure.places.size()); }
  int seriesCount() const { return static_cast<int>(m_figure.series.size()); }
  const std::optional<FigureValue>& value(int series, int place) const;
  bool isMeasured() const;  // there is a value
  double most() const;      // of all spreads; 0 without values
  // "TTFT, 4 requests at once: 12.9 ms, 12.5 to 13.2 in 5 rounds"
  QString describe(int series, int place) const;

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : places(); }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : 1 + kParts * seriesCount();
  }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 protected:
  void refresh() override {}

 private:
  // After the first column, which has the places.
  enum Part { kMiddle, kLow, kHigh, kParts };

  Figure m_figure;
};

QString figureNumber(double value);  // four significant digits: "0.05127", "12.9", "1,744"

}  // namespace vitrine
