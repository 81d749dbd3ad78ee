// The interpreter against Jinja itself: random conversations over templates in the manner of the families,
// and a table of expressions. Equal to the byte; what Jinja refuses is refused in the same words; what fails
// there fails here.
#include "conversations.h"
#include "jinja_support.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <map>

using namespace vitrine::test;

namespace {

using Json = nlohmann::ordered_json;

const std::string kHere = VITRINE_SOURCE_DIR "/tests/text/jinja";

// What the script makes of the cases, or null with a message in `problem`.
Json renderedByPython(const Json& cases, QString& problem) {
  // That of the distribution, whose package python3-jinja2 is.
  QString python = QStandardPaths::findExecutable("python3", {"/usr/bin"});
  if (python.isEmpty()) python = QStandardPaths::findExecutable("python3");
  const QTemporaryDir folder;
  const QString given = folder.filePath("cases.json"), made = folder.filePath("results.json");
  QFile file(given);
  if (python.isEmpty() || !file.open(QIODevice::WriteOnly)) {
    problem = "There is no python3.";
    return nullptr;
  }
  file.write(QByteArray::fromStdString(cases.dump()));
  file.close();
  QProcess process;
  process.start(python, {QString::fromStdString(kHere + "/render_with_jinja2.py"), given, made});
  if (!process.waitForFinished(240'000) || process.exitStatus() != QProcess::NormalExit ||
      process.exitCode() != 0) {
    problem = python + " with python3-jinja2 (packaging/install test) cannot render: " +
              QString::fromUtf8(process.readAllStandardError());
    return nullptr;
  }
  return Json::parse(readWhole(made.toStdString()));
}

// The differences, each with the beginning of both sides from where they part.
QString difference(const Json& item, const Json& python, const Json& ours) {
  if (python.contains("error") ? ours.contains("error") : python == ours) return {};
  const std::string left = python.dump(), right = ours.dump();
  const auto parted = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto at = std::max<std::ptrdiff_t>(parted.first - left.begin() - 60, 0);
  return QString("%1\n  python: %2\n  here:   %3\n")
      .arg(QString::fromStdString(item["name"].get<std::string>()),
           QString::fromStdString(left.substr(static_cast<std::size_t>(at), 160)),
           QString::fromStdString(right.substr(std::min(static_cast<std::size_t>(at), right.size()), 160)));
}

}  // namespace

class TestJinjaAsPython : public QObject {
  Q_OBJECT

 private slots:
  void conversations() {
    std::map<std::string, std::string> templates;
    for (const auto& entry : std::filesystem::directory_iterator(kHere + "/templates"))
      templates[entry.path().stem().string()] = readWhole(entry.path().string());
    QVERIFY(templates.size() >= 40);
    Conversations random(20250709);
    Json cases = Json::array();
    for (std::size_t conversation = 0; conversation < 300; ++conversation) {
      const Json variables = random.variables();
      // Each over a quarter of the templates, so that Python takes a few seconds.
      std::size_t number = conversation;
      for (const auto& [name, text] : templates)
        if (number++ % 4 == 0)
          cases.push_back({{"name", name + ", conversation " + std::to_string(conversation)},
                           {"template", text},
                           {"variables", variables}});
    }
    const auto counts = compare(cases);
    QVERIFY2(counts.text > 1500 && counts.refused > 100, "the conversations are too odd to say much");
  }

  void expressions() {
    const Json variables = Json::parse(readWhole(kHere + "/expression_variables.json"));
    QFile file(QString::fromStdString(kHere + "/expressions.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    Json cases = Json::array();
    for (const QByteArray& line : file.readAll().split('\n')) {
      if (line.isEmpty() || line.startsWith("# ")) continue;
      const bool whole = line.contains("{{ ") || line.contains("{%") || line.contains("{#") ||
                         line.contains("}}") || line.contains("⏎");
      QByteArray text = line;
      if (whole && !line.startsWith('\''))
        text.replace("⏎", "\n");
      else
        text = "{{ " + line + " }}";
      cases.push_back(
          {{"name", line.toStdString()}, {"template", text.toStdString()}, {"variables", variables}});
    }
    QVERIFY(cases.size() > 1200);
    const auto counts = compare(cases);
    QVERIFY(counts.text > 1000 && counts.error > 150);
  }

 private:
  struct Counts {
    int text = 0, refused = 0, error = 0;
  };

  // Of what Python made.
  Counts compare(const Json& cases) {
    Counts counts;
    QString problem;
    const Json python = renderedByPython(cases, problem);
    const auto fail = [&](const QString& message) { QFAIL(qPrintable(message)); };
    if (!python.is_array() || python.size() != cases.size()) {
      fail(problem);
      return counts;
    }
    QString differences;
    int different = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      counts.text += python[i].contains("text") ? 1 : 0;
      counts.refused += python[i].contains("refused") ? 1 : 0;
      counts.error += python[i].contains("error") ? 1 : 0;
      const QString found = difference(
          cases[i], python[i], renderedJson(cases[i]["template"].get<std::string>(), cases[i]["variables"]));
      if (found.isEmpty()) continue;
      if (++different <= 10) differences += found;
    }
    qInfo("%zu cases: %d texts, %d refused, %d errors", cases.size(), counts.text, counts.refused,
          counts.error);
    if (different > 0) fail(QString("%1 differences, the first ones:\n%2").arg(different).arg(differences));
    return counts;
  }
};

QTEST_GUILESS_MAIN(TestJinjaAsPython)
#include "tst_jinja_as_python.moc"
