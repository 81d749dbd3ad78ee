// trace record, verify, show and resume: what is recorded verifies, what is cut does not, it reads as a
// story, and its run goes on.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"
#include "support/on_pretended_gpu.h"

using namespace vitrine::test;

namespace {

// Four requests in six blocks: waiting, preemption, forking and copying all happen.
QByteArray scenario() {
  return R"({"title":"t","model":")" + goldenModel("llama").toUtf8() +
         R"(","options":{"num_blocks":6,"block_size":4,"token_budget":8},"requests":[
    {"id":"A","token_ids":[5,6,7,8,9],"max_tokens":12,"ignore_eos":true},
    {"id":"B","token_ids":[5,6,7,8,9,10],"max_tokens":12,"ignore_eos":true,"temperature":1,"seed":3},
    {"id":"C","token_ids":[5,6,7],"max_tokens":6,"ignore_eos":true,"n":2,"temperature":1,"arrival_step":4},
    {"id":"D","token_ids":[9],"ignore_eos":true,"arrival_step":40,"max_tokens":20}]})";
}

// The events of a trace up to the end of a step, of any run.
QByteArrayList linesUpTo(int step, const QString& trace) {
  QFile file(trace);
  QByteArrayList lines;
  if (!file.open(QIODevice::ReadOnly)) return lines;
  for (bool past = step > 0; past && !file.atEnd();) {
    QJsonObject event = QJsonDocument::fromJson(file.readLine()).object();
    const QString name = event["event"].toString();
    if (name.isEmpty() || name == "engine_loaded" || name == "snapshot") continue;
    past = name != "step_finished" || event["step"].toInt() < step;
    event.remove("run");
    lines.append(QJsonDocument(event).toJson(QJsonDocument::Compact));
  }
  return lines;
}

}  // namespace

class TestCliTrace : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    m_scenario = writeTo(m_folder.filePath("s.json"), scenario());
    m_trace = m_folder.filePath("t.vitrine");
    const CliResult result = runCli(
        {"trace", "record", "--scenario", m_scenario, "--out", m_trace, "--candidates", "2", "--json"});
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(result.json()["stats"][u"preemptions"].toInt() > 0);
    m_steps = result.json()["stats"][u"engine_steps"].toInt();
    QFile file(m_trace);
    QVERIFY(file.open(QIODevice::ReadOnly));
    m_bytes = file.readAll();
  }

  // The trace says where it ran, so it goes on there.
  void aRunOfAGpuIsResumedOnIt() {
    const OnPretendedGpu gpu;
    const QString trace = m_folder.filePath("gpu.vitrine"),
                  onGpu = writeTo(m_folder.filePath("gpu.json"),
                                  scenario().replace("\"num_blocks\"", "\"device\":\"cuda\",\"num_blocks\""));
    const CliResult recorded =
        runCli({"trace", "record", "--scenario", onGpu, "--out", trace, "--operations"});
    QVERIFY2(recorded.status == 0, recorded.err);
    QFile file(trace);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.contains("\"forward_measured\"") && bytes.contains("\"launches_measured\""));
    const qsizetype limits = bytes.indexOf("{\"event\":\"roof_measured\"");
    QVERIFY(limits > 0 && limits < bytes.indexOf("{\"event\":\"step_started\""));
    QVERIFY(bytes.indexOf("\"instructions\":\"Pretended GPU\"", limits) > 0);
    const CliResult resumed =
        runCli({"trace", "resume", trace, "--model", goldenModel("llama"), "--step", "5", "--json"});
    QVERIFY2(resumed.status == 0, resumed.err);
    QVERIFY(resumed.json()["compared_steps"].toInt() > 0);
  }

  void whatIsRecordedVerifies() {
    const CliResult result = runCli({"trace", "verify", m_trace, "--json"});
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.json()["steps"].toInt(), m_steps);
    QCOMPARE(result.json()["events"].toInt(), static_cast<int>(m_bytes.count('\n')) - 2);
    QVERIFY(result.json()["whole"].toBool());
    const QJsonObject header = QJsonDocument::fromJson(m_bytes.left(m_bytes.indexOf('\n'))).object();
    QCOMPARE(header["format"].toString(), QString("vitrine-trace"));
    QCOMPARE(header["version"].toInt(), 3);
    QCOMPARE(header["model"][u"family"].toString(), QString("llama"));
    QCOMPARE(header["engine"][u"num_blocks"].toInt(), 6);
    QVERIFY(header.contains("seed"));
    const QByteArray said = runCli({"trace", "verify", m_trace}).out;
    QVERIFY(said.contains("sound") && !said.contains("cut short"));
  }

  void theCommandLineHasTheLastWord() {
    const QString roomy = m_folder.filePath("roomy.vitrine");
    const CliResult result = runCli({"trace", "record", "--scenario", m_scenario, "--out", roomy,
                                     "--num-blocks", "64", "--candidates", "3", "--json"});
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.json()["stats"][u"preemptions"].toInt(-1), 0);
    QCOMPARE(runCli({"trace", "verify", roomy}).status, 0);
    QFile file(roomy);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"token_candidates\""));
  }

  void aCutTraceIsRefused() {
    for (qsizetype cut : {m_bytes.size() / 2, m_bytes.size() - 1, qsizetype{40}, qsizetype{0}}) {
      while (cut > 0 && m_bytes[cut - 1] == '\n') --cut;
      const QString file = writeTo(m_folder.filePath("cut.vitrine"), m_bytes.left(cut));
      const CliResult result = runCli({"trace", "verify", file, "--json"});
      QCOMPARE(result.status, 1);
      QCOMPARE(result.json()["error"][u"code"].toString(), QString("file_corrupt"));
      const auto line = QByteArray::number(m_bytes.left(cut).count('\n') + 1);
      QVERIFY2(result.err.contains("line " + line), result.err);
    }
  }

  void aLineWithANulIsRefusedWithItsNumber() {
    QByteArray bytes = m_bytes;
    bytes.insert(bytes.indexOf('\n', bytes.indexOf('\n') + 1), QByteArray("\0 garbage", 9));
    const QString file = writeTo(m_folder.filePath("nul.vitrine"), bytes);
    for (const char* how : {"verify", "show"}) {
      const CliResult result = runCli({"trace", how, file});
      QCOMPARE(result.status, 1);
      QVERIFY2(result.err.contains("line 2") && result.err.contains("a NUL character"), result.err);
    }
  }

  // As a program leaves it that was killed between two steps.
  void aTraceCutAtALinesEndIsReadAndSaidToBeCut() {
    const qsizetype end = m_bytes.lastIndexOf("{\"end\"");
    const QString file = writeTo(m_folder.filePath("short.vitrine"), m_bytes.left(end));
    const QByteArray said = "cut short after step " + QByteArray::number(m_steps);
    for (const char* how : {"verify", "show"}) {
      const CliResult result = runCli({"trace", how, file});
      QCOMPARE(result.status, 0);
      QVERIFY2(result.out.contains(said), result.out.right(300));
    }
    const QJsonObject json = runCli({"trace", "verify", file, "--json"}).json();
    QVERIFY(!json["whole"].toBool(true));
    QCOMPARE(json["last_step"].toInt(), m_steps);
  }

  // As a newer program may write it.
  void eventsThatAreNotKnownAreSkippedAndNamed() {
    QByteArray newer = m_bytes;
    newer.replace(R"("data":{"phase":"commit"})", R"("data":{"phase":"reflect"})");
    const QString file = writeTo(m_folder.filePath("newer.vitrine"), newer);
    for (const char* how : {"verify", "show"}) {
      const CliResult result = runCli({"trace", how, file});
      QVERIFY2(result.status == 0, result.err);
      QVERIFY2(result.out.contains(QByteArray::number(m_steps) + " of its events were skipped") &&
                   result.out.contains("phase_started (phase \"reflect\")"),
               result.out.right(300));
    }
    const QJsonObject json = runCli({"trace", "verify", file, "--json"}).json();
    QCOMPARE(json["skipped"].toInt(), m_steps);
    QCOMPARE(json["unknown"].toObject().size(), 1);
    QCOMPARE(runCli({"trace", "verify", m_trace, "--json"}).json()["skipped"].toInt(-1), 0);
  }

  void version2IsRefusedWithItsHint() {
    const CliResult result =
        runCli({"trace", "verify", goldenModel("llama") + "/../../traces/version-2.vitrine"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("version-2.vitrine: trace version 2") &&
                 result.err.contains("record the trace again"),
             result.err);
  }

  void showPrintsTheDecisions() {
    const CliResult result = runCli({"trace", "show", m_trace});
    QCOMPARE(result.status, 0);
    for (const char* said : {"Step 1:", "A is admitted", "A prefills 5 tokens, positions 0 to 4",
                             "is preempted:", "resumes with", "C/2 forks from C", "samples token ",
                             "enters the prefix index", "A finishes after", "The step took"})
      QVERIFY2(result.out.contains(said), said);
    QVERIFY2(result.out.contains("A allocates 2 blocks: 0-1."), result.out.left(2000));
  }

  // Of the recording nothing but its inputs, tokens and clock is taken, and the rest comes out the same.
  void aRunGoesOnFromAnyStep() {
    for (const int step : {0, 1, m_steps / 2, m_steps}) {
      const QString branch = m_folder.filePath("branch.vitrine");
      const CliResult result = runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step",
                                       QString::number(step), "--out", branch, "--json"});
      QVERIFY2(result.status == 0, result.err);
      const QJsonObject json = result.json();
      QCOMPARE(json["step"].toInt(), step);
      QCOMPARE(json["skimmed_steps"].toInt(), step);
      QCOMPARE(json["compared_steps"].toInt(), m_steps - step);
      QVERIFY(json["differs_at"].isNull() && !json["changed"].toBool(true));
      const CliResult verified = runCli({"trace", "verify", branch, "--json"});
      QVERIFY2(verified.status == 0, verified.err);
      QCOMPARE(verified.json()["steps"].toInt(), m_steps);
      QCOMPARE(linesUpTo(step, branch), linesUpTo(step, m_trace));  // with times and candidates
      QCOMPARE(linesUpTo(step, branch).join().contains("token_candidates"), step > 0);
    }
    const CliResult said =
        runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step", "5"});
    QVERIFY2(said.out.contains("equal the recording's"), said.out);
  }

  void otherOptionsBranchTheRun() {
    const CliResult later =
        runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step", "3", "--policy",
                "shortest", "--token-budget", "3", "--no-prefix-cache", "--json"});
    QVERIFY2(later.status == 0, later.err);
    QVERIFY(later.json()["changed"].toBool() && later.json()["differs_at"].toInt() > 3);
    const CliResult inside = runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step",
                                     "3", "--block-size", "8", "--json"});
    QCOMPARE(inside.status, 1);
    QVERIFY2(inside.err.contains("--block-size cannot change"), inside.err);
    const CliResult fromStart = runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step",
                                        "0", "--block-size", "8", "--json"});
    QVERIFY2(fromStart.status == 0, fromStart.err);
    QVERIFY(fromStart.json()["changed"].toBool());
  }

  void whatCannotBeResumedIsSaid() {
    const CliResult far =
        runCli({"trace", "resume", m_trace, "--model", goldenModel("llama"), "--step", "100000"});
    QCOMPARE(far.status, 1);
    QVERIFY2(far.err.contains("ends after step " + QByteArray::number(m_steps)), far.err);
    const CliResult old = runCli({"trace", "resume", goldenModel("llama") + "/../../traces/version-3.vitrine",
                                  "--step", "1", "--model", goldenModel("llama")});
    QCOMPARE(old.status, 1);
    QVERIFY2(old.err.contains("record it again"), old.err);
    QCOMPARE(runCli({"trace", "resume", m_trace}).status, 2);
  }

  void wrongScenariosAreNamed() {
    for (const auto& [text, named] : std::vector<std::pair<QByteArray, QByteArray>>{
             {"{", "JSON"},
             {"[]", "object"},
             {R"({"requests":[]})", "requests"},
             {R"({"options":{}})", "requests"},
             {R"({"options":{"num_blokcs":6},"requests":[{"token_ids":[1]}]})", "num_blokcs"},
             {R"({"options":{"policy":"mine"},"requests":[{"token_ids":[1]}]})", "policy"},
             {R"({"wishes":1,"requests":[{"token_ids":[1]}]})", "wishes"},
             {R"({"requests":[{"token_ids":[1]},{"toke_ids":[1]}]})", "item 2"}}) {
      const QString file = writeTo(m_folder.filePath("wrong.json"), text);
      const CliResult result =
          runCli({"trace", "record", "--scenario", file, "--out", m_folder.filePath("w.vitrine")});
      QCOMPARE(result.status, 2);
      QVERIFY2(result.err.contains(named), result.err);
    }
    QVERIFY(!QFile::exists(m_folder.filePath("w.vitrine")));
  }

  void unwritablePlacesAreNamed() {
    const CliResult result = runCli({"trace", "record", "--scenario", m_scenario, "--out",
                                     m_folder.filePath("no/such/folder/t.vitrine"), "--json"});
    QCOMPARE(result.status, 1);
    QCOMPARE(result.json()["error"][u"code"].toString(), QString("io"));
  }

  void runPlaysAScenarioToo() {
    const QString file = writeTo(m_folder.filePath("played.json"), scenario().replace("\"title\":\"t\",", R"(
      "commands":[{"step":6,"cancel":"C"}],
      "look_at":[{"words":"gone","panel":"requests","event":"request_cancelled","request":"C"},
                 {"words":"never","event":"engine_failed"}],)"));
    const CliResult result = runCli({"run", "--scenario", file, "--json"});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject json = result.json();
    QCOMPARE(json["requests"].toArray().size(), 4);
    QCOMPARE(json["requests"][2][u"sequences"][0][u"finish_reason"].toString(), QString("cancelled"));
    QCOMPARE(json["look_at"][0][u"step"].toInt(), 6);
    QCOMPARE(json["look_at"][0][u"panel"].toString(), QString("requests"));
    QVERIFY(json["look_at"][1][u"step"].isNull());
    QVERIFY(json["stats"][u"preemptions"].toInt() > 0);
    const CliResult roomy = runCli({"run", "--scenario", file, "--num-blocks", "64"});
    QCOMPARE(roomy.status, 0);
    QVERIFY2(roomy.err.contains("step 6: gone") && roomy.err.contains("not in this run: never") &&
                 roomy.err.contains(" 0 preemptions"),
             roomy.err);
    QCOMPARE(runCli({"run", "--scenario", file, "--requests", file}).status, 2);
    QCOMPARE(runCli({"run"}).status, 2);
  }

  // The scenarios that ship are read by name; whether their prompts can be tokenized is the built-in model's
  // matter.
  void shippedScenariosAreWellFormed() {
    for (const char* name : {"one-request", "four-together", "six-blocks"}) {
      const CliResult result = runCli({"trace", "record", "--scenario", name, "--model", goldenModel("llama"),
                                       "--out", m_folder.filePath("shipped.vitrine"), "--json"});
      QCOMPARE(result.status, 1);  // read and understood; this model has no tokenizer
      QCOMPARE(result.json()["error"][u"code"].toString(), QString("unavailable"));
    }
  }

  // Each value "before" of a later comparison is the value "after" of the one that ends there.
  void aTraceIsExportedInOneForm() {
    const QString page = m_folder.filePath("t.html"), timeline = m_folder.filePath("t.json");
    for (const auto& [form, out] : {std::pair{"--html", page}, {"--perfetto", timeline}}) {
      const CliResult result = runCli({"trace", "export", m_trace, form, out, "--json"});
      QVERIFY2(result.status == 0, result.err);
      QCOMPARE(result.json()["steps"].toInt(), m_steps);
      QFile file(out);
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray text = file.readAll();
      QCOMPARE(text.startsWith("<!doctype html>"), out == page);
      QCOMPARE(text.count("\"digest\":"), out == page ? m_steps + 1 : 0);
    }
    QCOMPARE(runCli({"trace", "export", m_trace}).status, 2);
    QCOMPARE(runCli({"trace", "export", m_trace, "--html", page, "--perfetto", timeline}).status, 2);
    const CliResult nowhere =
        runCli({"trace", "export", m_trace, "--html", m_folder.filePath("none/t.html")});
    QCOMPARE(nowhere.status, 1);
    QVERIFY(nowhere.err.contains("none/t.html"));
  }

  void aClassIsAsked() {
    const QString sheet = m_folder.filePath("sheet.md");
    const QStringList quiz = {m_trace, "--questions", "8", "--seed", "3"};
    const CliResult asked =
        runCli(QStringList{"trace", "quiz"} + quiz + QStringList{"--out", sheet, "--json"});
    QCOMPARE(asked.status, 0);
    const QJsonArray questions = asked.json()["questions"].toArray();
    QCOMPARE(questions.size(), 8);
    QFile file(sheet);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QByteArray headings = "Name", right = "Right", wrong = "Wrong";
    double most = 0;
    for (int i = 0; i < questions.size(); ++i) {
      const QJsonObject question = questions[i].toObject();
      QVERIFY(text.contains("## " + QByteArray::number(i + 1) + ". Before step " +
                            QByteArray::number(question["step"].toInt())));
      QString answer = QString::number(question["answer"].toInt());
      if (question["answer"].isArray()) {
        answer.clear();
        for (const QJsonValue letter : question["answer"].toArray()) answer += letter.toString();
        if (answer.isEmpty()) answer = "none";
      }
      headings += "," + QByteArray::number(i + 1);
      right += "," + answer.toUtf8();
      wrong += ",";
      most += question["most_points"].toDouble();
    }
    const QString answers =
        writeTo(m_folder.filePath("a.csv"), headings + "\n" + right + "\n" + wrong + "\n");
    const CliResult marked =
        runCli(QStringList{"trace", "grade", m_trace, answers} + quiz.mid(1) + QStringList{"--json"});
    QCOMPARE(marked.status, 0);
    const QJsonArray papers = marked.json()["papers"].toArray();
    QCOMPARE(papers.size(), 2);
    QCOMPARE(marked.json()["most_points"].toDouble(), most);
    double earned = 0;
    for (int i = 0; i < questions.size(); ++i) {
      const double points = papers[0].toObject()["points"].toArray()[i].toDouble();
      if (questions[i].toObject()["kind"] != "next_token") QCOMPARE(points, 1.0);
      QVERIFY(points > 0);
      earned += points;
      QCOMPARE(marked.json()["questions"][i]["mean"].toDouble(), points / 2);
    }
    QCOMPARE(papers[0].toObject()["total"].toDouble(), earned);
    QCOMPARE(papers[1].toObject()["total"].toDouble(), 0.0);
    // Another quiz has other answers; what cannot be read is named.
    const QString bad = writeTo(m_folder.filePath("b.csv"), "Name,1\nAnn,?\n");
    const CliResult refused = runCli(QStringList{"trace", "grade", m_trace, bad} + quiz.mid(1));
    QCOMPARE(refused.status, 1);
    QVERIFY(refused.err.contains("b.csv: \"Ann\", question 1: \"?\" is no answer"));
    QCOMPARE(runCli({"trace", "quiz", m_trace, "--kind", "weather"}).status, 2);
    const QString bare = m_folder.filePath("bare.vitrine");
    QCOMPARE(runCli({"trace", "record", "--scenario", m_scenario, "--out", bare}).status, 0);
    const CliResult none = runCli({"trace", "quiz", bare, "--kind", "next_token"});
    QCOMPARE(none.status, 1);
    QVERIFY(none.err.contains("--candidates"));
    QVERIFY(runCli(QStringList{"trace", "quiz"} + quiz).out.startsWith("# Predict, then step"));
  }

  void stepsAreCompared() {
    const auto changes = [this](int from, int to) {
      const CliResult result = runCli({"trace", "compare", m_trace, "--from", QString::number(from), "--to",
                                       QString::number(to), "--json"});
      QMap<QString, QPair<QString, QString>> rows;
      for (const QJsonValue& row : result.json()["changes"].toArray())
        rows[row["subject"].toString() + ", " + row["what"].toString()] = {row["before"].toString(),
                                                                           row["after"].toString()};
      return rows;
    };
    QCOMPARE(changes(7, 7).size(), 0);
    const auto early = changes(0, 3), whole = changes(0, m_steps);
    QCOMPARE(early["A, status"].first, QString("waiting"));
    QCOMPARE(early["A, status"].second, QString("running"));
    QCOMPARE(whole["A, status"].second, QString("finished: length limit"));
    QCOMPARE(whole["A, tokens"], qMakePair(QString("5"), QString("17")));
    QVERIFY(whole["A, first token"].first == "none yet");
    const CliResult text = runCli({"trace", "compare", m_trace, "--from", "0", "--to", "3"});
    QVERIFY2(text.out.contains("  status: waiting -> running\n"), text.out);
    const CliResult wrong = runCli({"trace", "compare", m_trace, "--from", "0", "--to", "100000"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains("--to: the trace has no step 100000; its steps are 0 to"), wrong.err);
  }

 private:
  QTemporaryDir m_folder;
  QString m_scenario, m_trace;
  QByteArray m_bytes;
  int m_steps = 0;
};

QTEST_GUILESS_MAIN(TestCliTrace)
#include "tst_cli_trace.moc"
