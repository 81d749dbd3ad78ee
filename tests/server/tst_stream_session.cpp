// GET /v1/stream: the same answers as over HTTP, several at once, cancelled and torn; and the rules of
// access.
#include <QJsonArray>
#include <QTest>
#include <map>
#include <thread>

#include "server/model_service.h"
#include "server/raw_socket.h"
#include "server/stand_in.h"

using namespace vitrine;
using namespace vitrine::server;
using namespace vitrine::test;

namespace {

constexpr const char *kStream = "/v1/stream", *kChat = "/v1/chat/completions", *kText = "/v1/completions";
constexpr const char* kForEver = R"({"prompt":"Go","max_tokens":900,"ignore_eos":true})";

std::string message(const std::string& id, const char* url, const std::string& body) {
  return R"({"custom_id":")" + id + R"(","url":")" + url + R"(","body":)" + body + "}";
}

// One of several that differ.
std::string question(const std::string& number) {
  return R"({"prompt":"Question )" + number + R"(","temperature":1,"max_tokens":24,"seed":)" + number + "}";
}

QJsonObject objectIn(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

// A chunk without what is another one in each answer.
QJsonObject comparable(QJsonObject chunk) {
  for (const char* key : {"id", "created", "custom_id"}) chunk.remove(QLatin1String(key));
  return chunk;
}

// The messages of each request, up to the end of all of them.
std::map<QString, QList<QJsonObject>> readAll(RawSocket& socket, int requests) {
  std::map<QString, QList<QJsonObject>> all;
  while (requests > 0) {
    const QJsonObject json = socket.json();
    if (json.isEmpty()) break;
    all[json["custom_id"].toString()].append(json);
    if (json.contains("done") || json.contains("error")) --requests;
  }
  return all;
}

}  // namespace

class TestStreamSession : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { m_service = std::make_unique<Service>(); }
  void cleanupTestCase() { m_service.reset(); }

  void chunksAreThoseOfHttp_data() {
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("chat") << QByteArray(kChat)
                          << QByteArray(R"({"messages":[{"role":"user","content":"What is a KV cache?"}],
                               "temperature":1.2,"seed":7,"max_tokens":40,"n":2,"return_token_ids":true,
                               "logprobs":true,"stream":true,"stream_options":{"include_usage":true}})");
    QTest::newRow("completion") << QByteArray(kText)
                                << QByteArray(R"({"prompt":"A block is","temperature":1,"seed":3,
                               "max_tokens":24,"logprobs":2,"return_token_ids":true,"stream":true})");
    QTest::newRow("beams") << QByteArray(kChat)
                           << QByteArray(R"({"messages":[{"role":"user","content":"What is a KV cache?"}],
                               "use_beam_search":true,"n":6,"max_tokens":12,"return_token_ids":true,
                               "logprobs":true,"stream":true,"stream_options":{"include_usage":true}})");
  }
  void chunksAreThoseOfHttp() {
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, body);
    const RawAnswer overHttp = m_service->post(url.constData(), body.toStdString());
    const std::vector<std::string> events = overHttp.events();
    QVERIFY2(events.size() > 10, overHttp.body.c_str());
    QCOMPARE(events.back(), std::string("[DONE]"));
    RawSocket socket(m_service->port(), kStream);
    QCOMPARE(socket.answer.status, 101);
    QVERIFY(socket.send(message("one", url.constData(), body.toStdString())));
    const QList<QJsonObject> chunks = readAll(socket, 1)["one"];
    QCOMPARE(chunks.size(), static_cast<qsizetype>(events.size()));
    for (qsizetype i = 0; i + 1 < chunks.size(); ++i)
      QCOMPARE(comparable(chunks[i]), comparable(objectIn(events[static_cast<std::size_t>(i)])));
    QCOMPARE(chunks.back(), (QJsonObject{{"custom_id", "one"}, {"done", true}}));
  }

  // A request says "stream": false to have its answer whole.
  void anAnswerMayComeWhole() {
    const std::string body = R"({"prompt":"A block is","temperature":0,"max_tokens":8,"stream":false})";
    RawSocket socket(m_service->port(), kStream);
    QVERIFY(socket.send(message("w", kText, body)));
    const QList<QJsonObject> all = readAll(socket, 1)["w"];
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0]["choices"].toArray(), m_service->post(kText, body).json()["choices"].toArray());
    QVERIFY(all[1]["done"].toBool());
  }

  void severalRequestsRunAtOnce() {
    constexpr int kRequests = 8;
    RawSocket socket(m_service->port(), kStream);
    std::map<QString, QString> expected;
    for (int i = 0; i < kRequests; ++i) {
      const std::string number = std::to_string(i);
      const std::string body = question(number);
      expected[QString::number(i)] =
          m_service->post(kText, body).json()["choices"].toArray().at(0).toObject()["text"].toString();
      QVERIFY(socket.send(message(number, kText, body)));
    }
    auto all = readAll(socket, kRequests);
    for (const auto& [id, text] : expected) {
      QString given;
      for (const QJsonObject& chunk : all[id])
        given += chunk["choices"].toArray().at(0).toObject()["text"].toString();
      QCOMPARE(given, text);
    }
    // An id that has ended may be used again.
    QVERIFY(socket.send(message("0", kText, R"({"prompt":"a","max_tokens":1})")));
    QVERIFY(readAll(socket, 1)["0"].back()["done"].toBool());
  }

  void aRequestIsCancelled() {
    const int before = m_service->tally.cancelled;
    RawSocket socket(m_service->port(), kStream);
    QVERIFY(socket.send(message("long", kText, kForEver)));
    QVERIFY(!socket.json()["choices"].toArray().isEmpty());
    QVERIFY(socket.send(R"({"cancel":"nothing"})"));  // it has no effect
    QVERIFY(socket.send(R"({"cancel":"long"})"));
    const QJsonObject last = readAll(socket, 1)["long"].back();
    QCOMPARE(last, (QJsonObject{{"custom_id", "long"}, {"done", true}, {"cancelled", true}}));
    QCOMPARE(m_service->tally.cancelled - before, 1);
    QVERIFY(socket.send(message("next", kText, R"({"prompt":"a","max_tokens":1})")));
    QVERIFY(readAll(socket, 1)["next"].back()["done"].toBool());
  }

  void aClientThatLeavesCancelsAll() {
    const int before = m_service->tally.cancelled;
    for (const bool says : {true, false}) {
      RawSocket socket(m_service->port(), kStream);
      for (const char* id : {"a", "b", "c"}) QVERIFY(socket.send(message(id, kText, kForEver)));
      while (m_service->served.underWay() < 3) std::this_thread::yield();
      if (says) QVERIFY(socket.client.send(frameOf(kCloseFrame, "\x03\xe8")));
      socket.client.close();
      while (m_service->served.underWay() > 0) std::this_thread::yield();
    }
    QCOMPARE(m_service->tally.cancelled - before, 6);
  }

  void whatIsWrongIsTold_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QJsonValue>("id");
    QTest::addColumn<QByteArray>("param");
    const auto row = [](const char* name, const std::string& text, const QJsonValue& id, const char* param) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << id << QByteArray(param);
    };
    row("no JSON", "hello", QJsonValue::Null, "");
    row("no object", "[]", QJsonValue::Null, "");
    row("no id", R"({"url":"/v1/completions","body":{"prompt":"a"}})", QJsonValue::Null, "custom_id");
    row("an id that is a number", R"({"custom_id":1,"url":"/v1/completions","body":{"prompt":"a"}})",
        QJsonValue::Null, "custom_id");
    row("a long id", message(std::string(129, 'x'), kText, R"({"prompt":"a"})"), QJsonValue::Null,
        "custom_id");
    row("another url", message("a", "/health", "{}"), "a", "url");
    row("another method", R"({"custom_id":"a","method":"GET","url":"/v1/completions","body":{}})", "a",
        "method");
    row("no body", R"({"custom_id":"a","url":"/v1/completions"})", "a", "body");
    row("another field", R"({"custom_id":"a","urls":"/v1/completions"})", "a", "urls");
    row("a body that is wrong", message("a", kText, R"({"prompt":"a","top_p":2})"), "a", "top_p");
    row("what the engine refuses", message("a", kText, R"({"prompt":[6144]})"), "a", "");
    row("a cancellation with more", R"({"cancel":"a","url":"b"})", QJsonValue::Null, "url");
    row("a cancellation of nothing", R"({"cancel":7})", QJsonValue::Null, "cancel");
  }
  void whatIsWrongIsTold() {
    QFETCH(QByteArray, text);
    QFETCH(QJsonValue, id);
    QFETCH(QByteArray, param);
    RawSocket socket(m_service->port(), kStream);
    QVERIFY(socket.send(text.toStdString()));
    const QJsonObject json = socket.json(), error = json["error"].toObject();
    QCOMPARE(json["custom_id"], id);
    QCOMPARE(error["type"].toString(), QString("invalid_request_error"));
    QCOMPARE(error["param"].toString(), QString::fromUtf8(param));
    QVERIFY(socket.send(message("next", kText, R"({"prompt":"a","max_tokens":1})")));  // it goes on
    QVERIFY(readAll(socket, 1)["next"].back()["done"].toBool());
  }

  void anIdIsUsedOnceAtATime() {
    StandInService service;
    RawSocket socket(service.port(), kStream);
    QVERIFY(socket.send(message("a", kText, R"({"prompt":"a"})")));
    const auto sink = service.served.take();
    QVERIFY(socket.send(message("a", kText, R"({"prompt":"a"})")));
    QCOMPARE(socket.json()["error"].toObject()["code"].toString(), QString("duplicate_id"));
    sink->accepted();
    sink->wrote({0, "text"});
    QCOMPARE(socket.json()["choices"].toArray().at(0).toObject()["text"].toString(), QString("text"));
    sink->finished({});
    QVERIFY(socket.json()["done"].toBool());
  }

  void failuresAreTold() {
    StandInService service;
    RawSocket socket(service.port(), kStream);
    const auto begin = [&] {
      socket.send(message("a", kText, R"({"prompt":"a"})"));
      return service.served.take();
    };
    begin()->failed(EngineError(ErrorCode::kIo, "the device is gone"));
    QCOMPARE(socket.json()["error"].toObject()["message"].toString(), QString("the device is gone"));
    begin()->refused(EngineError(ErrorCode::kCancelled, "ending"));
    QCOMPARE(socket.json()["error"].toObject()["code"].toString(), QString("cancelled"));
    begin().reset();  // forgotten
    QCOMPARE(socket.json()["error"].toObject()["type"].toString(), QString("server_error"));
    service.served.busy = 2;
    QVERIFY(socket.send(message("a", kText, R"({"prompt":"a"})")));
    QCOMPARE(socket.json()["error"].toObject()["type"].toString(), QString("rate_limit_error"));
  }

  // The connection waits for the next one.
  void withoutAModelRequestsAreRefused() {
    StandInService service;
    service.served.hasModel = false;
    RawSocket socket(service.port(), kStream);
    QVERIFY(socket.send(message("a", kText, R"({"prompt":"a"})")));
    const QJsonObject json = socket.json();
    QCOMPARE(json["custom_id"].toString(), QString("a"));
    QCOMPARE(json["error"].toObject()["code"].toString(), QString("no_model"));
    service.served.hasModel = true;
    QVERIFY(socket.send(message("a", kText, R"({"prompt":"a"})")));
    service.served.take()->finished({});
    QVERIFY(socket.json()["done"].toBool());
  }

  // wrote() returns at once, however slow the client is.
  void aSlowReaderIsCancelled() {
    StandInService service;
    RawSocket slow(service.port(), kStream, {}, 4096);
    QVERIFY(slow.send(message("a", kText, R"({"prompt":"a"})")));
    const auto sink = service.served.take();
    sink->accepted();
    const std::string text(65536, 'x');
    while (!service.served.cancelled.try_acquire()) sink->wrote({0, text});
    sink->failed(EngineError(ErrorCode::kCancelled, "cancelled"));
    QCOMPARE(ask(service.port(), getText("/health")).status, 200);
  }

  void aServerThatEndsFinishesFirst() {
    StandInService service;
    RawSocket idle(service.port(), kStream), busy(service.port(), kStream);
    QVERIFY(busy.send(message("a", kText, R"({"prompt":"a"})")));
    const auto sink = service.served.take();
    service.http.stopListening();
    QVERIFY(!idle.read());
    QCOMPARE(idle.closeCode, 1001);
    QVERIFY(busy.send(message("b", kText, R"({"prompt":"a"})")));
    QCOMPARE(busy.json()["error"].toObject()["code"].toString(), QString("shutting_down"));
    sink->finished({});
    QVERIFY(busy.json()["done"].toBool());
    QVERIFY(!busy.read());
    QCOMPARE(busy.closeCode, 1001);
    QVERIFY(!busy.closeReason.empty());
  }

  void drainingEndsWhatIsUnderWay() {
    Service service;
    RawSocket socket(service.port(), kStream);
    QVERIFY(socket.send(message("a", kText, kForEver)));
    QVERIFY(!socket.json()["choices"].toArray().isEmpty());
    service.http.stopListening();
    service.served.drain(std::chrono::milliseconds(0));
    QCOMPARE(readAll(socket, 1)["a"].back()["error"].toObject()["code"].toString(), QString("cancelled"));
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1001);
  }

  void headersDecide() {
    const std::string steers = "0123456789abcdef", watches = "fedcba9876543210";
    const StandInService service(steers, watches);
    const int port = service.port();
    const auto bearer = [](const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; };
    const auto protocols = [](const std::string& token) {
      return "Sec-WebSocket-Protocol: vitrine.v1, vitrine.token." + token + "\r\n";
    };
    const auto statusOf = [&](const char* path, const std::string& headers) {
      return RawSocket(port, path, headers).answer.status;
    };
    for (const char* path : {kStream, "/v1/events"}) {
      QCOMPARE(statusOf(path, ""), 401);
      QCOMPARE(statusOf(path, bearer("0000000000000000")), 401);
      QCOMPARE(statusOf(path, bearer(steers)), 101);
      QCOMPARE(statusOf(path, protocols(steers)), 101);
      QCOMPARE(statusOf(path, protocols("0000000000000000")), 401);
      QCOMPARE(statusOf(path, bearer(steers) + "Origin: http://evil.example\r\n"), 403);
      QCOMPARE(statusOf(path, bearer(steers) + "Origin: http://localhost\r\n"), 101);
      QCOMPARE(ask(port, std::string("GET ") + path + " HTTP/1.1\r\nHost: evil.example\r\n" +
                             socketHeaders(bearer(steers)) + "\r\n")
                   .status,
               403);
    }
    QCOMPARE(statusOf(kStream, bearer(watches)), 403);
    QCOMPARE(statusOf(kStream, protocols(watches)), 403);
    QCOMPARE(statusOf("/v1/events", bearer(watches)), 101);
    QCOMPARE(statusOf("/v1/events", protocols(watches)), 101);
    const RawSocket chosen(port, kStream, protocols(steers));
    QCOMPARE(chosen.answer.headers.at("sec-websocket-protocol"), std::string("vitrine.v1"));
    // And of the routes of HTTP.
    QCOMPARE(ask(port, getText("/v1/models", bearer(watches))).status, 200);
    QCOMPARE(ask(port, getText("/metrics", bearer(watches))).status, 200);
    const RawAnswer refused = ask(port, postText(kText, R"({"prompt":"a"})", bearer(watches)));
    QCOMPARE(refused.status, 403);
    QCOMPARE(refused.error()["code"].toString(), QString("watch_only"));
    QCOMPARE(ask(port, postText("/tokenize", R"({"prompt":"a"})", bearer(watches))).status, 403);
  }

  void aServerThatHasEndedTakesNone() {
    StandInService service;
    service.served.open = false;
    QCOMPARE(RawSocket(service.port(), kStream).answer.status, 503);
  }

 private:
  std::unique_ptr<Service> m_service;
};

QTEST_APPLESS_MAIN(TestStreamSession)
#include "tst_stream_session.moc"
