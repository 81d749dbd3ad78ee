// Runs vitrine-cli as a script would: arguments in; status, standard output and standard error out.
#pragma once

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace vitrine::test {

struct CliResult {
  int status = -1;  // -1: it crashed or never ended
  QByteArray out, err;

  // The one object that standard output holds; empty when there is anything else.
  QJsonObject json() const {
    if (out.count('\n') != 1 || !out.endsWith('\n')) return {};
    return QJsonDocument::fromJson(out).object();
  }
};

inline CliResult runCli(const QStringList& arguments, const QByteArray& input = {}) {
  QProcess process;
  process.start(QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine-cli"), arguments);
  process.write(input);
  process.closeWriteChannel();
  const bool ended = process.waitForFinished(50000);
  CliResult result;
  if (ended && process.exitStatus() == QProcess::NormalExit) result.status = process.exitCode();
  if (!ended) process.kill();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

inline QString goldenModel(const char* name) {
  return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/models/") + name;
}

inline QString writeTo(const QString& file, const QByteArray& bytes) {
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) return {};
  return file;
}

}  // namespace vitrine::test
