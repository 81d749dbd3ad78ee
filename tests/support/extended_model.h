// A copy of a model's folder whose weights have one tensor more, two zeros. Thread: any.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QtEndian>

namespace vitrine::test {

// Config and weights alone, of a folder with one model.safetensors. False when a file cannot be read or
// written.
inline bool writeExtendedModel(const QString& from, const QString& to, const char* tensor) {
  QFile source(from + "/model.safetensors"), target(to + "/model.safetensors");
  if (!QDir().mkpath(to) || !QFile::copy(from + "/config.json", to + "/config.json")) return false;
  if (!source.open(QIODevice::ReadOnly) || !target.open(QIODevice::WriteOnly)) return false;
  const QByteArray bytes = source.readAll();
  const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(bytes.constData()));
  const QByteArray data = bytes.mid(8 + length);
  QJsonObject header = QJsonDocument::fromJson(bytes.mid(8, length)).object();
  header[QLatin1String(tensor)] = QJsonObject{
      {"dtype", "F32"}, {"shape", QJsonArray{2}}, {"data_offsets", QJsonArray{data.size(), data.size() + 8}}};
  const QByteArray json = QJsonDocument(header).toJson(QJsonDocument::Compact);
  QByteArray size(8, 0);
  qToLittleEndian(static_cast<quint64>(json.size()), size.data());
  const QByteArray whole = size + json + data + QByteArray(8, 0);
  return target.write(whole) == whole.size();
}

}  // namespace vitrine::test
