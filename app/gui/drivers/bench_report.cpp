#include "gui/drivers/bench_report.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "vitrine/durations.h"

namespace vitrine {
namespace {

constexpr int kWordsWidth = 52, kNumberWidth = 10;

QString cell(const QString& text) { return text.rightJustified(kNumberWidth); }
QString cell(double value) { return cell(QString::number(value, 'f', value < 100 ? 2 : 0)); }

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

}  // namespace

QString BenchReport::table() const {
  QString text = QString().leftJustified(kWordsWidth) + cell(QStringLiteral("p50")) +
                 cell(QStringLiteral("p95")) + cell(QStringLiteral("max")) + cell(QStringLiteral("count")) +
                 u'\n';
  for (const BenchFigure& figure : m_figures) {
    text += (figure.words + QStringLiteral(", ") + figure.unit).leftJustified(kWordsWidth);
    text += cell(percentile(figure.values, 0.5));
    if (figure.values.size() != 1)
      text += cell(percentile(figure.values, 0.95)) + cell(largest(figure.values)) +
              cell(QString::number(figure.values.size()));
    text += u'\n';
  }
  return text;
}

QByteArray BenchReport::json() const {
  QJsonObject object;
  for (const BenchFigure& figure : m_figures) {
    const std::vector<double>& values = figure.values;
    if (values.size() == 1)
      object[figure.key] = values.front();
    else
      object[figure.key] = QJsonObject{{QStringLiteral("p50"), percentile(values, 0.5)},
                                       {QStringLiteral("p95"), percentile(values, 0.95)},
                                       {QStringLiteral("max"), largest(values)},
                                       {QStringLiteral("count"), static_cast<qint64>(values.size())}};
  }
  return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

}  // namespace vitrine
