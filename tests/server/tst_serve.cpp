// vitrine-cli serve as a script starts and ends it.
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "cli/cli_runner.h"
#include "server/raw_socket.h"

using namespace vitrine::test;

namespace {

// The program, from the line that says where it listens.
class ServeProcess {
 public:
  explicit ServeProcess(const QStringList& more = {}, const QString& token = {}) {
    QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
    if (!token.isEmpty()) surroundings.insert("VITRINE_SERVE_TOKEN", token);
    m_process.setProcessEnvironment(surroundings);
    m_process.start(QStringLiteral(VITRINE_BINARY_DIR "/bin/vitrine-cli"),
                    QStringList{"serve", "--port", "0", "--json"} + more);
    while (!m_process.canReadLine() && m_process.waitForReadyRead(-1)) {
    }
    m_said = QJsonDocument::fromJson(m_process.readLine()).object();
  }
  ~ServeProcess() {
    m_process.kill();
    m_process.waitForFinished(-1);
  }

  int port() const { return m_said["port"].toInt(); }
  QJsonObject said() const { return m_said; }
  // Its exit status; -1: it crashed.
  int end(int signal) {
    ::kill(static_cast<pid_t>(m_process.processId()), signal);
    m_process.waitForFinished(-1);
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
  }
  QByteArray complaints() { return m_process.readAllStandardError(); }
  QByteArray more() { return m_process.readAllStandardOutput(); }

 private:
  QProcess m_process;
  QJsonObject m_said;
};

}  // namespace

class TestServe : public QObject {
  Q_OBJECT

 private slots:
  void itAnswersAsGenerateDoes() {
    ServeProcess server;
    QVERIFY(server.port() > 0);
    QCOMPARE(server.said().keys(), (QStringList{"host", "model", "port", "url"}));
    const CliResult generated =
        runCli({"generate", "--prompt", "What is a KV cache?", "--chat", "--temperature", "0.9", "--top-p",
                "0.95", "--seed", "11", "--max-tokens", "48", "-n", "2", "--json"});
    QVERIFY2(generated.status == 0, generated.err);
    const RawAnswer answer = ask(
        server.port(),
        postText(
            "/v1/chat/completions",
            R"({"messages":[{"role":"user","content":"What is a KV cache?"}],"temperature":0.9,"top_p":0.95,
                     "seed":11,"max_tokens":48,"n":2,"return_token_ids":true})"));
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonArray choices = answer.json()["choices"].toArray();
    const QJsonArray sequences = generated.json()["sequences"].toArray();
    QCOMPARE(choices.size(), 2);
    for (int i = 0; i < 2; ++i) {
      QCOMPARE(choices[i].toObject()["token_ids"], sequences[i].toObject()["token_ids"]);
      QCOMPARE(choices[i].toObject()["message"].toObject()["content"], sequences[i].toObject()["text"]);
    }
    QCOMPARE(server.end(SIGTERM), 0);
    QCOMPARE(server.complaints(), QByteArray());
    QCOMPARE(server.more(), QByteArray());
  }

  void itSearchesAsGenerateDoes() {
    ServeProcess server;
    QVERIFY(server.port() > 0);
    const CliResult generated =
        runCli({"generate", "--prompt", "What is a KV cache?", "--chat", "--beam-width", "4", "-n", "4",
                "--length-penalty", "0.5", "--max-tokens", "24", "--json"});
    QVERIFY2(generated.status == 0, generated.err);
    const RawAnswer answer =
        ask(server.port(),
            postText("/v1/chat/completions",
                     R"({"messages":[{"role":"user","content":"What is a KV cache?"}],"use_beam_search":true,
                     "n":4,"length_penalty":0.5,"max_tokens":24,"return_token_ids":true})"));
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonArray choices = answer.json()["choices"].toArray();
    const QJsonArray sequences = generated.json()["sequences"].toArray();
    QCOMPARE(choices.size(), 4);
    for (int i = 0; i < 4; ++i)
      QCOMPARE(choices[i].toObject()["token_ids"], sequences[i].toObject()["token_ids"]);
    QCOMPARE(server.end(SIGTERM), 0);
  }

  void aSignalEndsWhatIsUnderWay_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
  }
  // The answer is finished, or the client is told that it will not be.
  void aSignalEndsWhatIsUnderWay() {
    QFETCH(int, signal);
    ServeProcess server;
    RawClient client(server.port()), idle(server.port());
    QVERIFY(client.send(
        postText("/v1/completions", R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"stream":true})")));
    QVERIFY(client.readUntil("data: "));
    QCOMPARE(server.end(signal), 0);
    const RawAnswer answer = client.readAnswer();
    QVERIFY(answer.whole);
    const std::string last = answer.events().back();
    QVERIFY2(last == "[DONE]" || last.find("\"cancelled\"") != std::string::npos, last.c_str());
    QVERIFY(idle.isClosedByServer());
    QVERIFY(!RawClient(server.port()).isConnected());
  }

  void anAddressBeyondThisMachineNeedsAToken() {
    const CliResult open = runCli({"serve", "--host", "0.0.0.0", "--port", "0", "--json"});
    QCOMPARE(open.status, 2);
    QVERIFY2(open.err.contains("token"), open.err);
    QCOMPARE(runCli({"serve", "--token", "short"}).status, 2);
    QCOMPARE(runCli({"serve", "--host", "somewhere"}).status, 2);
    QCOMPARE(runCli({"serve", "--port", "65536"}).status, 2);
  }

  void theTokenMayComeFromAFileOrAVariable() {
    const QString token = "correct-horse-battery";
    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    const QString file = writeTo(folder.filePath("token"), token.toUtf8() + "\n");
    const std::string authorized = "Authorization: Bearer " + token.toStdString() + "\r\n";
    const auto check = [&](ServeProcess& server) {
      QCOMPARE(ask(server.port(), getText("/v1/models")).status, 401);
      QCOMPARE(ask(server.port(), getText("/v1/models", authorized)).status, 200);
      QCOMPARE(server.end(SIGTERM), 0);
      QVERIFY(!server.complaints().contains(token.toUtf8()) && !server.more().contains(token.toUtf8()));
    };
    ServeProcess byFile({"--host", "0.0.0.0", "--token-file", file});
    check(byFile);
    ServeProcess byVariable({}, token);
    check(byVariable);
  }

  void aSecondTokenWatches() {
    const QString token = "correct-horse-battery", watches = "staple-correct-horse";
    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    const QString file = writeTo(folder.filePath("token"), watches.toUtf8() + "\n");
    const std::string authorized = "Authorization: Bearer " + watches.toStdString() + "\r\n";
    ServeProcess server({"--watch-token-file", file}, token);
    QCOMPARE(ask(server.port(), getText("/v1/models")).status, 401);
    QCOMPARE(ask(server.port(), getText("/v1/models", authorized)).status, 200);
    QCOMPARE(ask(server.port(), postText("/v1/completions", R"({"prompt":"a"})", authorized)).status, 403);
    QCOMPARE(RawSocket(server.port(), "/v1/stream", authorized).answer.status, 403);
    RawSocket socket(server.port(), "/v1/events", authorized);
    for (int i = 0; i < 3; ++i) QVERIFY(socket.read());
    QCOMPARE(server.end(SIGTERM), 0);
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1001);
    QVERIFY(!server.complaints().contains(watches.toUtf8()) && !server.more().contains(watches.toUtf8()));
    // By itself it would keep no client from anything.
    const CliResult alone = runCli({"serve", "--port", "0", "--watch-token-file", file});
    QCOMPARE(alone.status, 2);
    QVERIFY2(alone.err.contains("steers"), alone.err);
    QCOMPARE(runCli({"serve", "--port", "0", "--token", watches, "--watch-token-file", file}).status, 2);
  }

  void aPortThatIsTakenIsAFailure() {
    ServeProcess server;
    const CliResult second = runCli({"serve", "--port", QString::number(server.port()), "--json"});
    QCOMPARE(second.status, 1);
    QCOMPARE(second.json()["error"].toObject()["code"].toString(), QString("unavailable"));
    QCOMPARE(server.end(SIGTERM), 0);
  }

  // Prompts as ids need no tokenizer; text does.
  void aModelWithoutATokenizerIsServed() {
    ServeProcess server({"--model", goldenModel("llama")});
    const RawAnswer answer = ask(server.port(), postText("/v1/completions",
                                                         R"({"prompt":[1,2,3],"temperature":0,"max_tokens":4,
                                                             "ignore_eos":true,"return_token_ids":true,"logprobs":1})"));
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonObject choice = answer.json()["choices"].toArray()[0].toObject();
    QCOMPARE(choice["token_ids"].toArray().size(), 4);
    QVERIFY(choice["logprobs"].toObject()["tokens"].toArray()[0].toString().startsWith("token_id:"));
    QCOMPARE(ask(server.port(), postText("/v1/completions", R"({"prompt":"a"})")).status, 400);
    QCOMPARE(ask(server.port(), postText("/detokenize", R"({"tokens":[1]})")).status, 400);
  }
};

QTEST_GUILESS_MAIN(TestServe)
#include "tst_serve.moc"
