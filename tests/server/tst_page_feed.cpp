// GET /v1/page: whenever a page comes, it gets the machine; and what becomes of steps that come too fast.
#include <QTest>
#include <algorithm>

#include "page/patched.h"
#include "server/model_service.h"
#include "server/raw_socket.h"
#include "server/stand_in.h"
#include "vitrine/state_digest.h"
#include "vitrine/trace.h"

using namespace vitrine;
using namespace vitrine::server;
using namespace vitrine::test;
using PageJson = page::Json;

namespace {

constexpr const char *kPage = "/v1/page", *kText = "/v1/completions";

std::string hexOf(std::uint64_t digest) {
  return QString("%1").arg(digest, 16, 16, QLatin1Char('0')).toStdString();
}

// A page as the browser's is: it follows what it is sent.
class Page {
 public:
  explicit Page(int port) : socket(port, kPage) {}

  // Reads one message; false at the end of the connection.
  bool read() {
    const auto text = socket.read();
    if (!text) return false;
    const PageJson message = PageJson::parse(*text);
    if (message.contains("begin")) {
      header = message["begin"];
      machine = PageJson();
      steps.clear();
      ++begun;
    }
    if (message.contains("steps"))
      for (const PageJson& entry : message["steps"]) {
        machine = machineOf(entry, machine);
        last = entry;
        steps.push_back(entry["step"]);
      }
    glance = message.contains("now") ? message["now"] : PageJson();
    return true;
  }
  bool readUntil(const std::string& digest) {
    const auto isThere = [&](const PageJson& entry) {
      return entry.is_object() && entry["digest"] == digest;
    };
    while (!isThere(last) && !isThere(glance))
      if (!read()) return false;
    if (isThere(glance)) machine = machineOf(glance, machine);
    return true;
  }

  RawSocket socket;
  PageJson header, machine, last, glance;
  std::vector<int> steps;
  int begun = 0;
};

// The state that the events lead to, when the last of them has this name.
MachineState stateBehind(RawSocket& events, const char* name) {
  MachineState state;
  while (const auto line = events.read()) {
    if (line->find("\"format\"") != std::string::npos) continue;
    const Event event = eventFromJson(*line);
    state.apply(event);
    if (std::string(eventName(event)) == name) break;
  }
  return state;
}

}  // namespace

class TestPageFeed : public QObject {
  Q_OBJECT

 private slots:
  void aPageGetsTheMachine() {
    Service service;
    QCOMPARE(service.post(kText, R"({"prompt":"What was before","max_tokens":4})").status, 200);
    RawSocket events(service.port(), "/v1/events");
    Page early(service.port());
    QCOMPARE(early.socket.answer.status, 101);
    QVERIFY(early.read() && early.read());
    QVERIFY(early.header["format"] == "vitrine-page");
    QCOMPARE(early.header["model"].get<std::string>(), service.engine->description().model.name);
    QCOMPARE(early.steps.size(), std::size_t{1});
    QCOMPARE(service.post(kText, R"({"prompt":"A block is","max_tokens":20,"n":3,"ignore_eos":true})").status,
             200);
    const MachineState state = stateBehind(events, "request_forgotten");
    const std::string digest = hexOf(stateDigest(state));
    QVERIFY(early.readUntil(digest));
    QVERIFY(std::ranges::is_sorted(early.steps));
    QCOMPARE(early.steps.size(), static_cast<std::size_t>(early.steps.back() - early.steps.front() + 1));
    // One that comes late has the same steps to go back through, and the same machine.
    Page late(service.port());
    QVERIFY(late.readUntil(digest));
    QVERIFY(late.steps == early.steps);
    QVERIFY(late.machine == early.machine);
    QCOMPARE(early.begun, 1);
  }

  // In the middle of a fast run each page has the newest state again and again, and at the end the last.
  void fastStepsArePassedOver() {
    Service service;
    RawSocket events(service.port(), "/v1/events");
    Page first(service.port());
    RawClient busy(service.port());
    QVERIFY(busy.send(
        postText(kText, R"({"prompt":"Go","max_tokens":1500,"ignore_eos":true,"n":2,"stream":true})")));
    QVERIFY(busy.readUntil("data: "));
    Page second(service.port());
    QVERIFY(busy.readUntil("[DONE]"));
    const MachineState state = stateBehind(events, "request_forgotten");
    const std::string digest = hexOf(stateDigest(state));
    QVERIFY(first.readUntil(digest) && second.readUntil(digest));
    QVERIFY(first.machine == second.machine);
    QVERIFY(std::ranges::is_sorted(first.steps));
    const int passed = first.steps.back() - first.steps.front() + 1 - static_cast<int>(first.steps.size());
    QVERIFY2(passed > 0 || service.tally.steps < 200, QByteArray::number(passed));
  }

  void aMachineThatStandsIsSeen() {
    StandInService service;
    Page page(service.port());
    QVERIFY(page.read() && page.read());
    service.served.publish(StepStarted{});
    service.served.publish(PhaseStarted{Phase::kAdmit});
    while (page.glance.is_null()) QVERIFY(page.read());
    QVERIFY(page.glance["phase"] == 0);
    // Which a page that comes now sees, too.
    Page late(service.port());
    while (late.glance.is_null()) QVERIFY(late.read());
    QVERIFY(late.glance == page.glance);
    service.served.publish(StepFinished{});
    while (page.steps.size() < 2) QVERIFY(page.read());
    QVERIFY(!page.last.contains("phase"));
  }

  void anotherModelBeginsAnew() {
    StandInService service;
    Page page(service.port());
    QVERIFY(page.read() && page.read());
    service.served.beginRun(5);
    service.served.publish(Snapshot{StandIn::emptyMachine()});
    while (page.begun < 2) QVERIFY(page.read());
    QVERIFY(page.header["run"] == 5);
  }

  void nothingIsWatchedWithoutAPage() {
    StandInService service;
    QVERIFY(!service.served.watched.try_acquire());
    {
      Page page(service.port());
      QVERIFY(page.read() && page.read());
      service.served.watched.acquire();
      QVERIFY(!service.served.unwatched.try_acquire());
    }
    service.served.unwatched.acquire();
    Page again(service.port());
    QVERIFY(again.read() && again.read());
    service.served.watched.acquire();
    QVERIFY(!again.header.is_null());
  }

  void aPageThatSpeaksIsClosed() {
    StandInService service;
    Page page(service.port());
    QVERIFY(page.read() && page.read());
    QVERIFY(page.socket.send("{\"step\":1}"));
    while (page.read()) {
    }
  }

  // The page is is open, and what it shows is for clients that may watch.
  void theTokenGuardsTheMachineAlone() {
    const std::string steers(20, 's'), watches(20, 'w');
    StandInService service(steers, watches);
    for (const auto& [path, type] : {std::pair{"/", "text/html; charset=utf-8"},
                                     {"/page.css", "text/css; charset=utf-8"},
                                     {"/page.js", "text/javascript; charset=utf-8"}}) {
      const RawAnswer answer = ask(service.port(), getText(path));
      QCOMPARE(answer.status, 200);
      QCOMPARE(answer.headers.at("content-type"), std::string(type));
      QVERIFY(answer.headers.at("content-security-policy").starts_with("default-src 'none'"));
    }
    QCOMPARE(RawSocket(service.port(), kPage).answer.status, 401);
    for (const std::string& token : {steers, watches})
      QCOMPARE(RawSocket(service.port(), kPage,
                         "Sec-WebSocket-Protocol: vitrine.v1, vitrine.token." + token + "\r\n")
                   .answer.status,
               101);
    QCOMPARE(RawSocket(service.port(), kPage, "Origin: http://elsewhere.example\r\n").answer.status, 403);
    QCOMPARE(ask(service.port(), getText(kPage)).status, 401);
  }
};

QTEST_APPLESS_MAIN(TestPageFeed)
#include "tst_page_feed.moc"
