// Runs vitrine-cli as a script would: arguments in; status, standard output and standard error out.
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

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

// What a shell makes of a command line that a user was given, with --json added to its `vitrine-cli run`.
inline QJsonObject runInShell(QString command) {
  command.replace(QLatin1String("vitrine-cli run"), QLatin1String("vitrine-cli run --json"));
  QProcess shell;
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert(QStringLiteral("PATH"), QStringLiteral(VITRINE_BINARY_DIR "/bin:") +
                                                  surroundings.value(QStringLiteral("PATH")));
  shell.setProcessEnvironment(surroundings);
  shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
  const bool ended = shell.waitForFinished(50000);
  if (!ended || shell.exitCode() != 0) qWarning("%s", shell.readAllStandardError().data());
  return QJsonDocument::fromJson(shell.readAllStandardOutput()).object();
}

// {"a": {{1, 2}, {3}}}: the tokens of each answer by the request's id, of the object that `run --json`
// prints.
using Answers = std::map<std::string, std::vector<std::vector<int>>>;
inline Answers answersOf(const QJsonObject& printed) {
  Answers answers;
  for (const auto& request : printed[QStringLiteral("requests")].toArray())
    for (const auto& sequence : request.toObject()[QStringLiteral("sequences")].toArray()) {
      std::vector<int> tokens;
      for (const auto& token : sequence.toObject()[QStringLiteral("token_ids")].toArray())
        tokens.push_back(token.toInt());
      answers[request.toObject()[QStringLiteral("id")].toString().toStdString()].push_back(tokens);
    }
  return answers;
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
