// GET /v1/events: what a client gets is a trace, whenever it comes; and what becomes of one that reads
// slowly.
#include <QTest>
#include <array>
#include <thread>

#include "server/model_service.h"
#include "server/raw_socket.h"
#include "server/stand_in.h"
#include "support/verified_trace.h"

using namespace vitrine;
using namespace vitrine::server;
using namespace vitrine::test;

namespace {

constexpr const char *kEvents = "/v1/events", *kText = "/v1/completions";

QJsonObject objectIn(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

// Messages up to one that has the event's name, or up to the end of the connection.
std::vector<std::string> readUntil(RawSocket& socket, const char* event) {
  std::vector<std::string> lines;
  while (auto line = socket.read()) {
    lines.push_back(*line);
    if (objectIn(*line)["event"].toString() == QLatin1String(event)) break;
  }
  return lines;
}

const MachineState& stateIn(const Event& event) { return *std::get<Snapshot>(event.body).state; }

}  // namespace

class TestEventFeed : public QObject {
  Q_OBJECT

 private slots:
  void messagesAreTheLinesOfATrace() {
    Service service;
    QCOMPARE(service.post(kText, R"({"prompt":"What was before","max_tokens":4})").status, 200);
    RawSocket socket(service.port(), kEvents);
    QCOMPARE(socket.answer.status, 101);
    std::vector<std::string> lines = readUntil(socket, "snapshot");
    QCOMPARE(lines.size(), std::size_t{3});
    QCOMPARE(objectIn(lines[0])["format"].toString(), QString("vitrine-trace"));
    QCOMPARE(objectIn(lines[1])["event"].toString(), QString("engine_loaded"));
    const std::string folder = builtinModelDirectory().string();
    QVERIFY(lines[0].find(folder) == std::string::npos && lines[1].find(folder) == std::string::npos);
    QCOMPARE(service.post(kText, R"({"prompt":"A block is","max_tokens":20,"n":3,"ignore_eos":true})").status,
             200);
    const std::vector<std::string> more = readUntil(socket, "request_forgotten");
    lines.insert(lines.end(), more.begin(), more.end());

    const TraceReport report = verified(lines);
    QVERIFY(report.steps >= 20);
    QCOMPARE(report.events, static_cast<std::int64_t>(lines.size()) - 1);
    QCOMPARE(report.skipped, std::int64_t{0});
    // The state that it leads to is the one that the next client begins with.
    MachineState state;
    for (std::size_t i = 1; i < lines.size(); ++i) state.apply(eventFromJson(lines[i]));
    RawSocket later(service.port(), kEvents);
    const Event snapshot = eventFromJson(readUntil(later, "snapshot").back());
    QCOMPARE(snapshot.number, eventFromJson(lines.back()).number);
    QVERIFY(stateIn(snapshot) == state);
    // Which the first does not hear of.
    QCOMPARE(service.post(kText, R"({"prompt":"a","max_tokens":1})").status, 200);
    for (RawSocket* one : {&socket, &later})
      QCOMPARE(objectIn(readUntil(*one, "request_forgotten").front())["number"].toInteger(),
               snapshot.number + 1);
  }

  void aClientMayComeInTheMiddle() {
    Service service;
    RawClient busy(service.port());
    QVERIFY(busy.send(
        postText(kText, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"n":2,"stream":true})")));
    QVERIFY(busy.readUntil("data: "));
    RawSocket first(service.port(), kEvents), second(service.port(), kEvents);
    std::array<std::vector<std::string>, 2> lines;
    const std::array sockets = {&first, &second};
    for (std::size_t i = 0; i < 2; ++i) lines[i] = readUntil(*sockets[i], "step_finished");
    busy.close();
    for (std::size_t i = 0; i < 2; ++i) {
      const std::vector<std::string> more = readUntil(*sockets[i], "request_forgotten");
      lines[i].insert(lines[i].end(), more.begin(), more.end());
      QVERIFY(verified(lines[i]).steps >= 1);
      QCOMPARE(stateIn(eventFromJson(lines[i][2])).requests.size(), std::size_t{1});
    }
  }

  void nothingIsWatchedWithoutAClient() {
    StandInService service;
    QVERIFY(!service.served.watched.try_acquire());
    {
      RawSocket first(service.port(), kEvents);
      service.served.watched.acquire();
      QCOMPARE(readUntil(first, "snapshot").size(), std::size_t{3});
      {
        RawSocket second(service.port(), kEvents);
        service.served.watched.acquire();
        QCOMPARE(readUntil(second, "snapshot").size(), std::size_t{3});
      }
      service.served.publish(PhaseStarted{});
      QCOMPARE(readUntil(first, "phase_started").size(), std::size_t{1});
      QVERIFY(!service.served.unwatched.try_acquire());
    }
    service.served.unwatched.acquire();
    service.served.publish(StepFinished{});  // to none
    RawSocket third(service.port(), kEvents);
    const std::vector<std::string> lines = readUntil(third, "snapshot");
    QCOMPARE(lines.size(), std::size_t{3});
    QCOMPARE(objectIn(lines[2])["number"].toInt(), 2);
  }

  void aRunThatBeginsAnewIsFollowed() {
    StandInService service;
    RawSocket socket(service.port(), kEvents);
    QCOMPARE(readUntil(socket, "snapshot").size(), std::size_t{3});
    service.served.beginRun(5);
    service.served.publish(PhaseStarted{});
    const std::vector<std::string> lines = readUntil(socket, "phase_started");
    QCOMPARE(lines.size(), std::size_t{3});
    QVERIFY(objectIn(lines[0]).contains("format"));
    QCOMPARE(objectIn(lines[2])["run"].toInt(), 5);
  }

  // publish() returns at once, however slow the client is. Every event is accounted for.
  void aSlowReaderLosesDetailFirstAndThenSteps() {
    StandInService service;
    RawSocket slow(service.port(), kEvents, {}, 4096);
    QCOMPARE(readUntil(slow, "snapshot").size(), std::size_t{3});
    TokenCandidates detail;
    detail.pieces.assign(40, std::string(100, 'x'));
    constexpr int kSteps = 8000;
    for (int step = 0; step < kSteps; ++step) {
      service.served.publish(StepStarted{});
      service.served.publish(detail);
      service.served.publish(StepFinished{});
      if (step % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::int64_t next = 1, details = 0, dropped = 0;
    // On a busy machine it may be told of steps that it lost before the last ones are published.
    while (next <= std::int64_t{3} * kSteps) {
      const QJsonObject json = slow.json();
      QVERIFY(!json.isEmpty());
      if (json.contains("dropped")) {
        const QJsonObject told = json["dropped"].toObject();
        QCOMPARE(told["number"].toInteger(), next);
        dropped += told["events"].toInteger();
        next += told["events"].toInteger();
        const QJsonObject snapshot = slow.json();
        QCOMPARE(snapshot["event"].toString(), QString("snapshot"));
        QCOMPARE(snapshot["number"].toInteger(), next - 1);
      } else {
        QCOMPARE(json["number"].toInteger(), next);
        const bool stands = json["event"].toString() == "events_dropped";
        const std::int64_t count = stands ? json["data"].toObject()["details"].toInteger() : 1;
        if (stands) details += count;
        next += count;
      }
    }
    QVERIFY2(details > 100, qPrintable(QString::number(details)));
    QVERIFY2(dropped > 100, qPrintable(QString::number(dropped)));
    QCOMPARE(next, std::int64_t{3 * kSteps + 1});
    service.served.publish(StepStarted{});  // and it follows again, with all details
    service.served.publish(detail);
    service.served.publish(StepFinished{});
    for (const char* name : {"step_started", "token_candidates", "step_finished"})
      QCOMPARE(slow.json()["event"].toString(), QString(name));
  }

  void whoWatchesSendsNothing() {
    StandInService service;
    RawSocket socket(service.port(), kEvents);
    QVERIFY(socket.send("hello"));
    QVERIFY(readUntil(socket, "never").size() <= 3);
    QCOMPARE(socket.closeCode, 1008);
    QCOMPARE(socket.closeReason, std::string("a client that watches sends no messages"));
  }

  void aServerThatEndsSaysSo() {
    StandInService service;
    RawSocket socket(service.port(), kEvents);
    QCOMPARE(readUntil(socket, "snapshot").size(), std::size_t{3});
    service.http.stopListening();
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1001);
  }
};

QTEST_APPLESS_MAIN(TestEventFeed)
#include "tst_event_feed.moc"
