// The window's server, turned on in the window with real keys and clicks, and asked over real connections:
// its answers are those of an engine alone, its requests stand among the window's own, and they end or wait
// as the window's machine does.
#include "gui/serving/serving.h"

#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QTcpServer>
#include <algorithm>
#include <future>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "gui/bars/status_strip.h"
#include "gui/commands/command_palette.h"
#include "gui/key_walk.h"
#include "gui/serving/serve_dialog.h"
#include "gui/window_files.h"
#include "server/api_plan.h"
#include "server/raw_socket.h"
#include "server/served_requests.h"
#include "support/chat_window.h"
#include "support/verified_trace.h"
#include "widgets/requests/request_list_model.h"
#include "widgets/requests/requests_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr const char *kChatRoute = "/v1/chat/completions", *kTextRoute = "/v1/completions",
                     *kStreamRoute = "/v1/stream", *kEventsRoute = "/v1/events";
constexpr const char* kQuestion =
    R"({"messages":[{"role":"user","content":"What is a KV cache?"}],"temperature":1.2,"seed":7,)"
    R"("max_tokens":24,"return_token_ids":true})";
// Longer than any test.
constexpr const char* kLong = R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"stream":true})";

// A client on a thread of its own, so that the window goes on. A test that fails does not wait for it.
class Asked {
 public:
  Asked(int port, const std::string& request) {
    auto answered = std::make_shared<std::promise<RawAnswer>>();
    m_answer = answered->get_future();
    std::thread([answered, port, request] { answered->set_value(ask(port, request)); }).detach();
  }
  bool isThere() { return m_answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  RawAnswer answer() {
    return waitUntil([&] { return isThere(); }) ? m_answer.get() : RawAnswer();
  }

 private:
  std::future<RawAnswer> m_answer;
};

QJsonObject objectIn(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

// A WebSocket whose messages are read on a thread of its own, which ends with the connection.
class SocketClient {
 public:
  SocketClient(int port, const std::string& path, const std::string& headers = {})
      : m_state(std::make_shared<State>(port, path, headers)) {
    std::thread([state = m_state] {
      while (const auto text = state->socket.read()) {
        const std::lock_guard lock(state->mutex);
        state->messages.push_back(*text);
      }
    }).detach();
  }
  int status() const { return m_state->socket.answer.status; }
  bool asks(const std::string& id, const char* url, const std::string& body) {
    return m_state->socket.send(R"({"custom_id":")" + id + R"(","url":")" + url + R"(","body":)" + body +
                                "}");
  }
  std::vector<std::string> messages() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->messages;
  }
  // Waits for a message in which `fits` holds, and returns it.
  template <typename Fits>
  QJsonObject hears(const Fits& fits) const {
    QJsonObject found;
    waitUntil([&] {
      for (const std::string& text : messages())
        if (const QJsonObject json = objectIn(text); fits(json)) found = json;
      return !found.isEmpty();
    });
    return found;
  }
  bool hearsEvent(const char* name) const {
    return !hears([&](const QJsonObject& json) {
              return json["event"].toString() == QLatin1String(name);
            }).isEmpty();
  }
  // The last message of a request.
  QJsonObject end(const char* id) const {
    return hears([&](const QJsonObject& json) {
      return json["custom_id"].toString() == QLatin1String(id) &&
             (json.contains("done") || json.contains("error"));
    });
  }
  // Of /v1/events: the lines from each header on, each list a trace.
  std::vector<std::vector<std::string>> traces() const {
    std::vector<std::vector<std::string>> list;
    for (const std::string& line : messages()) {
      if (objectIn(line).contains("format")) list.emplace_back();
      if (!list.empty()) list.back().push_back(line);
    }
    return list;
  }

 private:
  struct State {
    State(int port, const std::string& path, const std::string& headers) : socket(port, path, headers) {}
    RawSocket socket;
    mutable std::mutex mutex;  // of the messages
    std::vector<std::string> messages;
  };
  const std::shared_ptr<State> m_state;
};

std::vector<int> idsOf(const QJsonArray& ids) {
  std::vector<int> list;
  for (const auto& id : ids) list.push_back(id.toInt());
  return list;
}

// As an engine gives them that has no other request.
std::vector<int> idsAlone(const std::string& body) {
  EventFanOut none;
  const auto engine = Engine::load(builtinModelDirectory(), {}, none);
  const server::ApiPlan plan = server::planOf(server::ApiKind::kChat, parseJson(body),
                                              server::servedModel(*engine, builtinModelDirectory()));
  const RequestId id = engine->submit(plan.prompts.front().toRequest(*engine));
  engine->run();
  return engine->takeResult(id).sequences.front().tokenIds;
}

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(16) {}
  // By the menu's entry; the dialog has appeared.
  bool opensDialog() {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) return false;
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    auto* const palette = window.findChild<CommandPalette*>();
    if (palette == nullptr || !waitUntil([&] { return palette->line()->hasFocus(); })) return false;
    QTest::keyClicks(palette->line(), "serve");
    if (!palette->list()->currentIndex().data().toString().endsWith("Serve")) return false;
    QTest::keyClick(palette->line(), Qt::Key_Return);
    return waitUntil([&] {
      auto* const dialog = window.findChild<ServeDialog*>();
      return dialog != nullptr && dialog->isActiveWindow();
    });
  }
  ServeDialog& dialog() { return *window.findChild<ServeDialog*>(); }
  void type(QWidget* field, const QString& text) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
  }
  // At a port that is free.
  bool turnOn() {
    if (!opensDialog()) return false;
    type(dialog().port(), "0");
    QTest::mouseClick(dialog().turn(), Qt::LeftButton);
    return window.serving().state() == Serving::State::kOn;
  }
  int port() { return window.serving().place().section(':', -1).toInt(); }
  RawAnswer post(const char* path, const std::string& body) {
    return Asked(port(), postText(path, body)).answer();
  }
  RawAnswer get(const char* path) { return Asked(port(), getText(path)).answer(); }
  int cards(RequestGroup group) {
    int count = 0;
    const QAbstractItemModel& model = *window.panels().requests->model();
    for (int row = 0; row < model.rowCount(); ++row)
      count += model.index(row, 0).data(RequestListModel::kGroupRole).toInt() == static_cast<int>(group);
    return count;
  }
};

QString codeOf(const RawAnswer& answer) { return answer.error()["code"].toString(); }
QString lastCode(const RawAnswer& stream) {
  const auto events = stream.events();
  if (events.empty()) return {};
  return QJsonDocument::fromJson(QByteArray::fromStdString(events.back()))
      .object()["error"]
      .toObject()["code"]
      .toString();
}

}  // namespace

class TestServing : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  WindowFiles m_files;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
    QVERIFY(m_files.make());
  }
  void init() { QSettings().clear(); }

  // One batch with a chat, and the law.
  void anAnswerIsThatOfAnEngineAlone() {
    Window w;
    QVERIFY(w.openModel());
    QCOMPARE(w.window.serving().state(), Serving::State::kOff);
    QVERIFY(w.turnOn());
    QCOMPARE(w.dialog().stateText(), QString("Listening at http://127.0.0.1:%1/v1").arg(w.port()));
    QCOMPARE(w.window.status().serverText(), QString("serving on 127.0.0.1:%1").arg(w.port()));
    QTest::mouseClick(w.dialog().copy(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), w.window.serving().url());
    QCOMPARE(w.dialog().pageText(), QString("Browsers watch at http://127.0.0.1:%1/").arg(w.port()));
    QTest::mouseClick(w.dialog().copyPage(), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), w.window.serving().pageUrl());
    QVERIFY(w.get("/").body.find("page.js") != std::string::npos);
    w.ask("Why are blocks shared?");
    const RawAnswer answer = w.post(kChatRoute, kQuestion);
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonObject choice = answer.json()["choices"].toArray().at(0).toObject();
    QCOMPARE(idsOf(choice["token_ids"].toArray()), idsAlone(kQuestion));
    QVERIFY(w.answered(2));
    // It stands among the window's requests as the chat's does.
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    w.window.showPerspective(Perspective::kStep);
    QTRY_COMPARE(w.cards(RequestGroup::kFinished), 2);
    const QString text = choice["message"].toObject()["content"].toString();
    const auto& sequence = w.live().sequences.rbegin()->second;
    QCOMPARE(sequence.promptTokens, answer.json()["usage"].toObject()["prompt_tokens"].toInt());
    QVERIFY(!text.isEmpty());
    QVERIFY(QString::fromStdString(w.get("/metrics").body).contains("vllm:request_success_total"));
    // A search with beams as well.
    const std::string search =
        R"({"messages":[{"role":"user","content":"What is a block?"}],"use_beam_search":true,"n":3,)"
        R"("max_tokens":12,"return_token_ids":true})";
    const QJsonArray beams = w.post(kChatRoute, search).json()["choices"].toArray();
    QCOMPARE(beams.size(), 3);
    QCOMPARE(idsOf(beams.at(0).toObject()["token_ids"].toArray()), idsAlone(search));
  }

  void aWebSocketHasTheSameAnswers() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    SocketClient socket(w.port(), kStreamRoute);
    QCOMPARE(socket.status(), 101);
    QTRY_COMPARE(w.dialog().clientsText(), QString("1 connection, 0 requests under way"));
    QVERIFY(socket.asks("a", kChatRoute, kQuestion));
    QVERIFY(socket.asks("b", kTextRoute, R"({"prompt":"Go","max_tokens":3})"));
    for (const char* id : {"a", "b"}) QVERIFY(socket.end(id)["done"].toBool());
    std::vector<int> ids;
    for (const std::string& text : socket.messages()) {
      const QJsonObject json = objectIn(text);
      if (json["custom_id"].toString() != "a") continue;
      for (const int id : idsOf(json["choices"].toArray().at(0).toObject()["token_ids"].toArray()))
        ids.push_back(id);
    }
    QCOMPARE(ids, idsAlone(kQuestion));
  }

  // A client that watches sees the steps of a person, also from the middle of one on.
  void stepsOfAPersonAreWatched() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    QTRY_COMPARE(w.dialog().pace()->text(), QString("&Let requests wait"));
    QTest::mouseClick(w.dialog().pace(), Qt::LeftButton);
    SocketClient first(w.port(), kEventsRoute);
    QVERIFY(first.hearsEvent("snapshot"));
    QCOMPARE(first.messages().size(), std::size_t{3});
    QCOMPARE(objectIn(first.messages()[1])["event"].toString(), QString("engine_loaded"));
    Asked asked(w.port(), postText(kChatRoute, kQuestion));
    QVERIFY(first.hearsEvent("request_submitted"));
    QVERIFY(waitUntil([&] { return w.live().waiting.size() == 1; }));
    QVERIFY(std::ranges::none_of(first.messages(), [](const std::string& line) {
      return objectIn(line)["event"].toString() == "step_started";
    }));
    QVERIFY(w.stepTimes(1));
    QVERIFY(first.hearsEvent("step_finished"));
    QCOMPARE(verified(first.messages()).steps, 1);
    w.window.stepPhase();
    QVERIFY(waitForMode(w.window, MachineMode::kHeld));
    SocketClient second(w.port(), kEventsRoute);
    QVERIFY(second.hearsEvent("snapshot"));
    QTRY_COMPARE(w.dialog().pace()->text(), QString("&Run"));
    QTest::mouseClick(w.dialog().pace(), Qt::LeftButton);
    QCOMPARE(asked.answer().status, 200);
    for (const SocketClient* one : {&first, &second}) {
      QVERIFY(one->hearsEvent("request_finished"));
      QVERIFY(verified(one->messages()).steps > 1);
    }
  }

  // Connections outlive a model: requests end with it, and a client that watches gets a trace of each.
  void anotherModelIsServedOverTheSameWebSockets() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    SocketClient stream(w.port(), kStreamRoute), events(w.port(), kEventsRoute);
    QVERIFY(events.hearsEvent("snapshot"));
    w.window.host().setStepsPerSecond(20);
    QVERIFY(stream.asks("long", kTextRoute, kLong));
    QVERIFY(waitUntil([&] { return w.live().running.size() == 1; }));
    w.window.openModel(m_files.model());
    QCOMPARE(stream.end("long")["error"].toObject()["code"].toString(), QString("cancelled"));
    QVERIFY(waitUntil([&] { return events.traces().size() == 2; }));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    w.window.host().setStepsPerSecond(0);
    QVERIFY(stream.asks("next", kTextRoute, R"({"prompt":"Go","max_tokens":3})"));
    QVERIFY(stream.end("next")["done"].toBool());
    QVERIFY(events.hearsEvent("request_finished"));
    // Without a model they wait.
    w.window.open(m_files.trace());
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QVERIFY(stream.asks("none", kTextRoute, R"({"prompt":"Go","max_tokens":3})"));
    QCOMPARE(stream.end("none")["error"].toObject()["code"].toString(), QString("no_model"));
    SocketClient later(w.port(), kEventsRoute);
    QCOMPARE(later.status(), 101);
    QVERIFY(w.openModel());
    QVERIFY(waitUntil([&] { return events.traces().size() == 3 && events.traces().back().size() >= 3; }));
    QVERIFY(later.hearsEvent("snapshot"));
    const auto traces = events.traces();
    for (const std::vector<std::string>& lines : traces) {
      verified(lines);
      QCOMPARE(objectIn(lines[1])["event"].toString(), QString("engine_loaded"));
      QCOMPARE(objectIn(lines[2])["event"].toString(), QString("snapshot"));
    }
    QVERIFY(verified(traces[1]).steps >= 3);
  }

  void turnedOffItHearsNothing() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    const int port = w.port();
    w.window.host().setStepsPerSecond(20);
    Asked stream(port, postText(kTextRoute, kLong));
    QTRY_COMPARE_WITH_TIMEOUT(w.window.serving().underWay(), 1, kPatience);
    QTRY_COMPARE(w.dialog().clientsText(), QString("1 connection, 1 request under way"));
    QVERIFY(!w.dialog().port()->isEnabled());
    QTest::keyClick(&w.dialog(), Qt::Key_S, Qt::AltModifier);  // Stop serving
    QCOMPARE(lastCode(stream.answer()), QString("cancelled"));
    QTRY_COMPARE(w.window.serving().state(), Serving::State::kOff);
    QVERIFY(!RawClient(port).isConnected());
    QCOMPARE(w.dialog().stateText(), QString("Off"));
    QVERIFY(w.window.status().serverText().isEmpty());
    QVERIFY(waitUntil([&] { return w.isIdle() && w.isPaused(); }));
    // And on again.
    QTest::keyClick(&w.dialog(), Qt::Key_S, Qt::AltModifier);
    QTRY_COMPARE(w.window.serving().state(), Serving::State::kOn);
    QCOMPARE(w.post(kChatRoute, kQuestion).status, 200);
  }

  void aClientThatGoesIsCancelled() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    w.window.host().setStepsPerSecond(20);
    auto client = std::make_unique<RawClient>(w.port());
    QVERIFY(client->send(postText(kTextRoute, kLong)));
    QVERIFY(waitUntil([&] { return w.live().running.size() == 1; }));
    client.reset();
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    QCOMPARE(w.live().sequences.begin()->second.finishReason, FinishReason::kCancelled);
    QTRY_COMPARE(w.window.serving().underWay(), 0);
  }

  void aPersonAtTheWindowCancels() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    w.window.host().setStepsPerSecond(20);
    Asked whole(w.port(), postText(kTextRoute, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true})"));
    QVERIFY(waitUntil([&] { return w.live().running.size() == 1; }));
    emit w.window.panels().requests->cancelRequested(w.live().requests.begin()->first);
    const RawAnswer answer = whole.answer();
    QCOMPARE(answer.status, 503);
    QCOMPARE(codeOf(answer), QString("cancelled"));
  }

  // They wait in sight, and the dialog says why. What is asked of the tokenizer alone does not.
  void aPausedMachineLetsClientsWait() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    QTRY_VERIFY(!w.window.serving().isHeld());
    QTRY_COMPARE(w.dialog().pace()->text(), QString("&Let requests wait"));
    QTest::mouseClick(w.dialog().pace(), Qt::LeftButton);
    QVERIFY(w.window.serving().isHeld());
    Asked asked(w.port(), postText(kChatRoute, kQuestion));
    QVERIFY(waitUntil([&] { return w.live().waiting.size() == 1; }));
    w.window.showPerspective(Perspective::kStep);
    QTRY_COMPARE(w.cards(RequestGroup::kWaiting), 1);
    QTRY_VERIFY(w.dialog().noteText().contains("paused"));
    QTRY_VERIFY(w.window.status().serverText().endsWith("1 request waits"));
    QCOMPARE(w.post("/tokenize", R"({"prompt":"Go"})").status, 200);
    QCOMPARE(w.live().step, 0);
    // A step at a time; also one that is held in its middle.
    QVERIFY(w.stepTimes(2));
    w.window.stepPhase();
    QVERIFY(waitForMode(w.window, MachineMode::kHeld));
    QCOMPARE(w.post("/tokenize", R"({"prompt":"Go"})").status, 200);
    QVERIFY(!asked.isThere());
    QTRY_COMPARE(w.dialog().pace()->text(), QString("&Run"));
    QTest::mouseClick(w.dialog().pace(), Qt::LeftButton);
    const RawAnswer answer = asked.answer();
    QCOMPARE(idsOf(answer.json()["choices"].toArray().at(0).toObject()["token_ids"].toArray()),
             idsAlone(kQuestion));
  }

  // A machine that a person steps through is not run by turning the server on.
  void turningOnRunsNoRequestOfALesson() {
    Window w;
    w.window.showPerspective(Perspective::kStep);
    QVERIFY(w.openModel());
    QVERIFY(waitUntil([&] { return w.live().waiting.size() == 3; }));
    QVERIFY(w.turnOn());
    QTRY_VERIFY(w.dialog().noteText().contains("paused"));
    Asked asked(w.port(), postText(kChatRoute, kQuestion));
    QVERIFY(waitUntil([&] { return w.live().waiting.size() == 4; }));
    QCOMPARE(w.live().step, 0);
    QTRY_COMPARE(w.dialog().pace()->text(), QString("&Run"));
    QTest::mouseClick(w.dialog().pace(), Qt::LeftButton);
    QCOMPARE(asked.answer().status, 200);
  }

  void anotherModelIsServedInItsPlace() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    w.window.host().setStepsPerSecond(20);
    Asked stream(w.port(), postText(kTextRoute, kLong));
    Asked whole(w.port(), postText(kTextRoute, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true})"));
    QVERIFY(waitUntil([&] { return w.live().running.size() == 2; }));
    w.window.openModel(m_files.model());
    QCOMPARE(lastCode(stream.answer()), QString("cancelled"));
    const RawAnswer ended = whole.answer();
    QCOMPARE(ended.status, 503);
    QVERIFY2(ended.error()["message"].toString().contains("another model"), ended.body.c_str());
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    QTRY_COMPARE(w.window.serving().underWay(), 0);
    w.window.host().setStepsPerSecond(0);
    const QString name = w.get("/v1/models").json()["data"].toArray().at(0).toObject()["id"].toString();
    QCOMPARE(name, w.window.serving().model());
    QCOMPARE(w.post(kTextRoute, R"({"prompt":"Go","max_tokens":3})").status, 200);
    // One that cannot be opened leaves the one that is.
    w.window.openModel(m_files.path("nowhere"));
    QTRY_COMPARE(w.window.serving().model(), name);
    QVERIFY(waitUntil([&] { return w.isPaused() && w.window.host().goesOn(); }));
    QCOMPARE(w.post(kTextRoute, R"({"prompt":"Go","max_tokens":3})").status, 200);
  }

  void aScenarioIsStepped() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    w.window.openScenario("six-blocks");
    QVERIFY(waitUntil([&] { return w.live().waiting.size() > 1; }));
    const std::size_t own = w.live().waiting.size();
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
    Asked asked(w.port(), postText(kTextRoute, R"({"prompt":"Go","max_tokens":3})"));
    QVERIFY(waitUntil([&] { return w.live().waiting.size() == own + 1; }));
    QCOMPARE(w.live().step, 0);
    w.window.run();
    QCOMPARE(asked.answer().status, 200);
  }

  void withARecordingNoModelIsOpen() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.turnOn());
    w.window.host().setStepsPerSecond(20);
    Asked stream(w.port(), postText(kTextRoute, kLong));
    QVERIFY(waitUntil([&] { return w.live().running.size() == 1; }));
    w.window.open(m_files.trace());
    QCOMPARE(lastCode(stream.answer()), QString("cancelled"));
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    for (const char* path : {"/health", "/v1/models", "/metrics"})
      QCOMPARE(codeOf(w.get(path)), QString("no_model"));
    const RawAnswer refused = w.post(kChatRoute, kQuestion);
    QCOMPARE(refused.status, 503);
    QCOMPARE(codeOf(refused), QString("no_model"));
    QTRY_VERIFY(w.dialog().noteText().startsWith("No model is open"));
    // Turned off and on without a machine, it serves the next one.
    w.window.serving().stop();
    QTRY_COMPARE(w.window.serving().state(), Serving::State::kOff);
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QVERIFY(w.openModel(m_files.model()));
    QVERIFY(waitUntil([&] { return w.window.host().goesOn(); }));
    w.window.host().setStepsPerSecond(0);
    QCOMPARE(w.post(kTextRoute, R"({"prompt":"Go","max_tokens":3})").status, 200);
  }

  void aPortThatIsTakenIsNamed() {
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.opensDialog());
    w.type(w.dialog().port(), QString::number(other.serverPort()));
    QTest::keyClick(w.dialog().port(), Qt::Key_Return);
    QCOMPARE(w.window.serving().state(), Serving::State::kOff);
    const QString problem = w.dialog().problemText();
    QVERIFY2(problem.contains(QString::number(other.serverPort())) && problem.contains("another port"),
             qPrintable(problem));
    QCOMPARE(w.dialog().stateText(), QString("Off"));
    w.type(w.dialog().port(), "0");
    QTest::keyClick(w.dialog().port(), Qt::Key_Return);
    QCOMPARE(w.window.serving().state(), Serving::State::kOn);
    QVERIFY(w.dialog().problemText().isEmpty());
  }

  void anAddressBeyondThisComputerNeedsAToken() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.opensDialog());
    w.type(w.dialog().port(), "0");
    for (const char* address : {"0.0.0.0", "no address"}) {
      w.type(w.dialog().address()->lineEdit(), address);
      QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
      QCOMPARE(w.window.serving().state(), Serving::State::kOff);
      QVERIFY(!w.dialog().problemText().isEmpty());
    }
    w.type(w.dialog().address()->lineEdit(), "0.0.0.0");
    w.type(w.dialog().token(), "short");
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QVERIFY2(w.dialog().problemText().contains("16"), qPrintable(w.dialog().problemText()));
    QTest::mouseClick(w.dialog().newToken(), Qt::LeftButton);
    const QString token = w.dialog().token()->text();
    QCOMPARE(token.size(), qsizetype{48});
    QVERIFY(token != Serving::newToken());
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QCOMPARE(w.window.serving().state(), Serving::State::kOn);
    QCOMPARE(w.get("/v1/models").status, 401);
    const std::string header = "Authorization: Bearer " + token.toStdString() + "\r\n";
    QCOMPARE(Asked(w.port(), getText("/v1/models", header)).answer().status, 200);
    // The place is kept, the token is not.
    QCOMPARE(QSettings().value("server/address").toString(), QString("0.0.0.0"));
    for (const QString& key : QSettings().allKeys()) QVERIFY(QSettings().value(key).toString() != token);
  }

  void aWatchTokenWatches() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.opensDialog());
    w.type(w.dialog().port(), "0");
    // Alone, or as the token itself, it would keep no client from anything.
    QTest::mouseClick(w.dialog().newWatchToken(), Qt::LeftButton);
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QVERIFY2(w.dialog().problemText().contains("Without a token"), qPrintable(w.dialog().problemText()));
    w.dialog().token()->setText(w.dialog().watchToken()->text());
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QVERIFY2(w.dialog().problemText().contains("another"), qPrintable(w.dialog().problemText()));
    QTest::mouseClick(w.dialog().newToken(), Qt::LeftButton);
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QCOMPARE(w.window.serving().state(), Serving::State::kOn);
    const std::string header =
        "Authorization: Bearer " + w.dialog().watchToken()->text().toStdString() + "\r\n";
    QCOMPARE(Asked(w.port(), getText("/v1/models", header)).answer().status, 200);
    QCOMPARE(Asked(w.port(), postText(kTextRoute, R"({"prompt":"Go"})", header)).answer().status, 403);
    QCOMPARE(SocketClient(w.port(), kStreamRoute, header).status(), 403);
    const SocketClient events(w.port(), kEventsRoute, header);
    QVERIFY(events.hearsEvent("snapshot"));
  }

  void thePlaceIsKeptAndNotThatItWasOn() {
    int port = 0;
    {
      QTcpServer free;
      QVERIFY(free.listen(QHostAddress::LocalHost));
      port = free.serverPort();
    }
    {
      Window w;
      QVERIFY(w.openModel());
      QVERIFY(w.opensDialog());
      w.type(w.dialog().port(), QString::number(port));
      QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
      QCOMPARE(w.port(), port);
    }
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.opensDialog());
    QCOMPARE(w.window.serving().state(), Serving::State::kOff);
    QCOMPARE(w.dialog().port()->value(), port);
    QVERIFY(w.dialog().token()->text().isEmpty());
  }

  void aWindowThatClosesEndsIt() {
    auto w = std::make_unique<Window>();
    QVERIFY(w->openModel());
    QVERIFY(w->turnOn());
    const int port = w->port();
    w->window.host().setStepsPerSecond(20);
    Asked stream(port, postText(kTextRoute, kLong));
    QVERIFY(waitUntil([&] { return w->live().running.size() == 1; }));
    w.reset();
    QVERIFY(!stream.answer().whole);
    QVERIFY(!RawClient(port).isConnected());
  }

  void itsPartsHaveNamesAndFit() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.opensDialog());
    w.type(w.dialog().token(), "short");
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QStringList nameless = namelessParts(w.dialog());
    w.dialog().token()->clear();
    w.type(w.dialog().port(), "0");
    QTest::mouseClick(w.dialog().turn(), Qt::LeftButton);
    QCOMPARE(w.window.serving().state(), Serving::State::kOn);
    nameless += namelessParts(w.dialog());
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    for (const auto* label : w.dialog().findChildren<QLabel*>())
      if (label->isVisible() && label->wordWrap())
        QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    for (const auto* button : w.dialog().findChildren<QPushButton*>())
      if (button->isVisible())
        QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
  }
};

QTEST_MAIN(TestServing)
#include "tst_serving.moc"
