// Chats with another program's model: our own server, and servers that a test writes. What they tell is in
// every view, what they do not tell is said, and what goes wrong there loses nothing here.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include "connect/kv_publisher.h"
#include "field_server.h"
#include "gui/bars/machine_bar.h"
#include "gui/bars/status_strip.h"
#include "gui/library/connect_dialog.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/run_archive.h"
#include "server/model_service.h"
#include "support/chat_window.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/prefix_tree_model.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

ConnectOrder orderFor(const QString& address, connect::ServerKind kind = connect::ServerKind::kVllm) {
  return {*apiAddress(address, {}), "first", kind, 4096};
}

const ChatEntry& lastOf(ChatWindow& chat) { return chat.chat().at(chat.chat().rowCount() - 1); }

class Connected : public ChatWindow {
 public:
  explicit Connected(const ConnectOrder& order, int maxTokens = 24) : ChatWindow(maxTokens) {
    window.archive().connectTo(order);
  }
  bool isThere() {
    return waitUntil([this] {
      return window.host().isConnected() && window.session().engine() &&
             window.session().engine()->isFromOutside();
    });
  }
  const MessageBar& bar() { return *window.findChild<MessageBar*>(); }
  const ChatEntry& last() { return lastOf(*this); }
};

std::string packed(const nlohmann::json& batch) {
  const auto bytes = nlohmann::json::to_msgpack(batch);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

class TestConnected : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  // The same model, asked here and over the network: the same words.
  void ourOwnServerAnswers() {
    Service service;
    ChatWindow own(24);
    QVERIFY(own.openModel());
    own.ask("What is a KV cache?");
    QVERIFY(own.answered(2));
    ConnectOrder order =
        orderFor(QStringLiteral("127.0.0.1:%1").arg(service.port()), connect::ServerKind::kVitrine);
    order.model = service.engine->description().model.name;
    Connected far(order);
    QVERIFY(far.isThere());
    far.ask("What is a KV cache?");
    QVERIFY(far.answered(2));
    QCOMPARE(far.last().text, lastOf(own).text);
    const std::vector<AnswerToken> mine = own.desk().history().tokens(lastOf(own).message),
                                   theirs = far.desk().history().tokens(far.last().message);
    QCOMPARE(theirs.size(), mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      QVERIFY(qAbs(theirs[i].logprob - mine[i].logprob) < 1e-4F && theirs[i].id < 0);
    const Session& session = far.window.session();
    QCOMPARE(session.lastStep(), static_cast<int>(theirs.size()));
    QVERIFY(session.candidates(session.selectedSequence()) != nullptr);
  }

  void whatIsToldIsShown() {
    FieldServer server;
    server.answer = [](const QByteArray&) {
      return FieldServer::stream({FieldServer::token("Hi"), FieldServer::token(" you", -1),
                                  FieldServer::end(), FieldServer::usage(), "[DONE]"});
    };
    Connected far(orderFor(server.address()));
    QVERIFY(far.isThere());
    far.ask("Hello");
    QVERIFY(far.answered(2));
    QCOMPARE(far.last().text, QString("Hi you"));
    QVERIFY(server.bodies.at(0).contains("\"model\":\"first\"") && server.bodies.at(0).contains("Hello"));
    const RequestFinished& ended = *[&] {
      const RequestFinished* found = nullptr;
      for (const Event& event : far.window.session().recording().eventsFrom(0))
        if (const auto* finished = bodyOf<RequestFinished>(event)) found = finished;
      return found;
    }();
    QVERIFY(ended.promptTokens == 7 && ended.cachedTokens == 4 && ended.reason == FinishReason::kStop);
    // A second turn has the first in it.
    far.ask("And?");
    QVERIFY(far.answered(4));
    QVERIFY(server.bodies.at(1).contains("Hi you") && server.bodies.at(1).contains("And?"));
    // Its machine takes no commands, and the window says why; what is not told is not drawn.
    MachineBar& bar = far.window.bar();
    far.window.showPerspective(Perspective::kStep);
    QVERIFY(waitUntil([&] { return far.window.session().isLive(); }));
    QVERIFY(!bar.step->isEnabled() && !bar.runPause->isEnabled() && !bar.reset->isEnabled());
    QVERIFY(bar.step->toolTip().contains("another program's"));
    QVERIFY(far.window.status().modeText().contains("CONNECTED to " + server.address()));
    QVERIFY(far.window.session().unseenWords().contains("vLLM at http://" + server.address()));
    // The past of it can be looked at.
    bar.back->trigger();
    QVERIFY(!far.window.session().isLive());
    QCOMPARE(far.window.session().step(), 3);
  }

  void stopHangsUp() {
    FieldServer server;
    server.closes = false;
    server.answer = [](const QByteArray&) { return FieldServer::stream({FieldServer::token("Hi")}); };
    Connected far(orderFor(server.address()));
    QVERIFY(far.isThere());
    far.ask("Hello");
    QVERIFY(waitUntil([&] { return far.chat().rowCount() == 2 && far.last().text == "Hi"; }));
    QTest::keyClick(far.input(), Qt::Key_Escape);
    QVERIFY(waitUntil([&] { return !far.chat().isAnswering() && server.gone == 1; }));
    QVERIFY(far.last().status == AnswerStatus::kStopped);
    QCOMPARE(far.last().text, QString("Hi"));
  }

  void whatGoesWrongIsSaid_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("text");
    QTest::newRow("refused") << FieldServer::refusal(401, R"({"error":{"message":"no such key"}})")
                             << "no such key (HTTP 401)"
                             << "";
    QTest::newRow("no words") << FieldServer::refusal(502, "") << "HTTP 502"
                              << "";
    QTest::newRow("cut") << FieldServer::stream({FieldServer::token("Hi")})
                         << "the answer ended before the server said so"
                         << "Hi";
    QTest::newRow("its error") << FieldServer::stream(
                                      {FieldServer::token("Hi"), R"({"error":{"message":"too hot"}})"})
                               << "the server says: too hot"
                               << "Hi";
    QTest::newRow("garbage") << FieldServer::stream({FieldServer::token("Hi"), "<html>"})
                             << "no chat completion"
                             << "Hi";
    QTest::newRow("a page") << QByteArray("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<html>Welcome</html>")
                            << "the answer ended before"
                            << "";
    QTest::newRow("elsewhere") << QByteArray(
                                      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nConnection: "
                                      "close\r\nContent-Length: 0\r\n\r\n")
                               << "HTTP 302"
                               << "";
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0\r\n") << "did not finish"
                             << "";
  }
  void whatGoesWrongIsSaid() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, words);
    QFETCH(QString, text);
    FieldServer server;
    server.answer = [&](const QByteArray&) { return answer; };
    Connected far(orderFor(server.address()));
    QVERIFY(far.isThere());
    far.ask("Hello");
    QVERIFY(waitUntil([&] { return far.bar().text().contains(words); }));
    QVERIFY(waitUntil([&] { return far.chat().rowCount() == 2 && !far.chat().isAnswering(); }));
    QVERIFY(far.last().status == AnswerStatus::kFailed);
    QCOMPARE(far.last().text, text);
    // The next question is answered.
    server.answer = [](const QByteArray&) {
      return FieldServer::stream({FieldServer::text("Yes"), FieldServer::end(), "[DONE]"});
    };
    far.ask("Again");
    QVERIFY(far.answered(4));
    QCOMPARE(far.last().text, QString("Yes"));
  }

  void aServerWithoutProbabilitiesIsAskedAgain() {
    FieldServer server;
    server.answer = [](const QByteArray& body) {
      if (body.contains("\"logprobs\""))
        return FieldServer::refusal(400, R"({"error":"logprobs are unsupported"})");
      return FieldServer::stream({FieldServer::text("Yes"), FieldServer::end(), "[DONE]"});
    };
    Connected far(orderFor(server.address(), connect::ServerKind::kUnknown));
    QVERIFY(far.isThere());
    far.ask("Hello");
    QVERIFY(far.answered(2));
    QCOMPARE(far.last().text, QString("Yes"));
    QVERIFY(std::isnan(far.desk().history().tokens(far.last().message).at(0).logprob));
    QCOMPARE(server.bodies.size(), 2);
    far.ask("And?");
    QVERIFY(far.answered(4));
    QCOMPARE(server.bodies.size(), 3);  // it is known now
  }

  // An answer under way ends with the connection, and a model of this computer takes its place.
  void aModelTakesItsPlace() {
    FieldServer server;
    server.closes = false;
    server.answer = [](const QByteArray&) { return FieldServer::stream({FieldServer::token("Hi")}); };
    Connected far(orderFor(server.address()));
    QVERIFY(far.isThere());
    far.ask("Hello");
    QVERIFY(waitUntil([&] { return far.chat().rowCount() == 2 && far.last().text == "Hi"; }));
    far.window.openModel({});
    QMessageBox* question = nullptr;
    QVERIFY(waitUntil([&] {
      question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      return question != nullptr;
    }));
    for (QAbstractButton* button : question->buttons())
      if (question->buttonRole(button) == QMessageBox::AcceptRole) button->click();
    QVERIFY(waitForMode(far.window, MachineMode::kPaused));
    QVERIFY(!far.window.host().isConnected() && !far.window.session().engine()->isFromOutside());
    QVERIFY(waitUntil([&] { return server.gone == 1 && !far.chat().isAnswering(); }));
    QCOMPARE(far.last().text, QString("Hi"));
  }

  // The prefix cache of a server that tells of it: chains, evictions, and a beginning anew.
  void kvEventsAreBlocks() {
    using Tree = nlohmann::json;
    FieldServer server;
    Publisher publisher(Again::kAll);
    const auto stored = [](std::vector<int> hashes, const Tree& parent) {
      const Tree tokens(std::vector<int>(16 * hashes.size(), 1));
      return Tree::array({"BlockStored", hashes, parent, tokens, 16, nullptr, "GPU"});
    };
    // What was stored before the window came is sent again.
    publisher.keep(0, packed({1.0, Tree::array({stored({11, 12, 13}, nullptr)})}));
    ConnectOrder order = orderFor(server.address());
    order.kvEvents = publisher.endpoint().toStdString();
    order.kvReplay = publisher.replayEndpoint().toStdString();
    Connected far(order);
    const auto blocks = [&] { return far.window.session().state().blocks.size(); };
    QVERIFY(waitUntil([&] { return far.isThere() && blocks() == 3; }));
    QCOMPARE(far.window.session().state().blockSize, 16);
    publisher.publish(1, packed({2.0, Tree::array({stored({21, 22}, 12)})}));
    QVERIFY(waitUntil([&] { return blocks() == 5; }));
    far.window.showPerspective(Perspective::kStep);
    const PrefixTreeModel& tree = *far.window.findChild<PrefixTreeModel*>();
    QVERIFY(waitUntil([&] { return tree.cachedBlocks() == 5; }));
    QCOMPARE(tree.rowCount(), 3);  // two blocks, and a branch behind them
    QCOMPARE(tree.at(0).blocks.size(), std::size_t{2});
    publisher.publish(
        2, packed({3.0, Tree::array({Tree::array({"BlockRemoved", std::vector<int>{13}, "GPU"})})}));
    QVERIFY(waitUntil([&] {
      return std::ranges::count_if(far.window.session().state().blocks, &BlockState::cached) == 4;
    }));
    publisher.publish(3, packed({4.0, Tree::array({Tree::array({"AllBlocksCleared"})})}));
    QVERIFY(waitUntil(
        [&] { return std::ranges::none_of(far.window.session().state().blocks, &BlockState::cached); }));
  }

  void theDialogListsTheModels() {
    FieldServer server("sglang");
    ConnectDialog dialog({}, nullptr);
    dialog.show();
    auto* const address = dialog.findChild<QLineEdit*>();
    auto* const models = dialog.findChild<QComboBox*>();
    QVERIFY(!dialog.order());
    QTest::keyClicks(address, server.address() + "/v1");
    QVERIFY(waitUntil([&] { return models->count() == 2; }));
    models->setCurrentIndex(1);
    const auto order = dialog.order();
    QVERIFY(order && order->model == "second" && order->kind == connect::ServerKind::kSglang);
    QCOMPARE(order->server.text(), "http://" + server.address());
    // Another address: the models are those of none.
    QTest::keyClicks(address, "x");
    QVERIFY(!dialog.order() && !models->isEnabled());
  }

  void addressesAreChecked_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("base");
    QTest::newRow("port") << " 10.0.0.5:8000 "
                          << "http://10.0.0.5:8000";
    QTest::newRow("clients' base") << "https://host.example/v1/"
                                   << "https://host.example";
    QTest::newRow("path") << "http://host/llm/v1"
                          << "http://host/llm";
    QTest::newRow("fragment") << "http://host:1/#token=x"
                              << "http://host:1";
    QTest::newRow("file") << "file:///etc/passwd"
                          << "";
    QTest::newRow("name in it") << "http://user:word@host"
                                << "";
    QTest::newRow("nothing") << "http://"
                             << "";
    QTest::newRow("blank") << " "
                           << "";
  }
  void addressesAreChecked() {
    QFETCH(QString, typed);
    QFETCH(QString, base);
    const auto address = apiAddress(typed, {});
    QCOMPARE(address ? address->text() : QString(), base);
    QVERIFY(!apiAddress("host", "a\r\nX: b"));
  }
};

QTEST_MAIN(TestConnected)
#include "tst_connected.moc"
