// The routes over real connections: with the built-in model, whose answers are compared with those that an
// engine gives alone; and with a stand-in for the engine, which the test drives.
#include "server/api_server.h"

#include <QTest>
#include <atomic>
#include <future>
#include <thread>

#include "server/api_answers.h"
#include "server/stand_in.h"

using namespace vitrine;
using namespace vitrine::server;
using namespace vitrine::test;

class TestApiServer : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_service = std::make_unique<Service>();
    m_alone = std::make_unique<AloneEngine>();
  }
  void cleanupTestCase() { m_service.reset(); }

  void healthAndModelsAreTold() {
    QCOMPARE(ask(m_service->port(), getText("/health")).json()["status"].toString(), QString("ok"));
    const RawAnswer models = ask(m_service->port(), getText("/v1/models"));
    QCOMPARE(QString::fromStdString(models.headers.at("content-type")), QString("application/json"));
    QCOMPARE(models.json()["object"].toString(), QString("list"));
    const QJsonObject model = models.json()["data"].toArray()[0].toObject();
    QCOMPARE(model["id"].toString().toStdString(), m_service->served.model()->name);
    QCOMPARE(model["max_model_len"].toInt(), 1024);
  }

  void aChatIsAnsweredAsTheEngineAloneDoes() {
    for (const char* sampling :
         {R"("temperature":0)", R"("temperature":1.2,"seed":7,"presence_penalty":0.5)"}) {
      const std::string body = chatBody(
          "What is a KV cache?", std::string(sampling) + R"(,"max_tokens":40,"return_token_ids":true)");
      const RequestResult alone = m_alone->answer(kChat, body);
      const RawAnswer answer = m_service->post(kChat, body);
      QVERIFY2(answer.status == 200, answer.body.c_str());
      const QJsonObject json = answer.json(), choice = firstChoice(json);
      QCOMPARE(json["object"].toString(), QString("chat.completion"));
      QVERIFY(json["id"].toString().startsWith("chatcmpl-") && json["created"].toInt() > 0);
      QCOMPARE(messageOf(choice).toStdString(), alone.sequences[0].text);
      QCOMPARE(choice["message"].toObject()["role"].toString(), QString("assistant"));
      QCOMPARE(choice["token_ids"].toArray().size(),
               static_cast<qsizetype>(alone.sequences[0].tokenIds.size()));
      const QJsonObject usage = json["usage"].toObject();
      QCOMPARE(usage["prompt_tokens"].toInt(), alone.promptTokens);
      QCOMPARE(usage["completion_tokens"].toInt(), static_cast<int>(alone.sequences[0].tokenIds.size()));
      QCOMPARE(usage["total_tokens"].toInt(),
               usage["prompt_tokens"].toInt() + usage["completion_tokens"].toInt());
      QVERIFY(usage["prompt_tokens_details"].toObject().contains("cached_tokens"));
    }
  }

  void aStreamIsTheSameAnswer() {
    const std::string fields = R"("temperature":0.9,"seed":3,"max_tokens":30,"n":2,"return_token_ids":true)";
    const QJsonObject whole = m_service->post(kChat, chatBody("Tell me of blocks.", fields)).json();
    const RawAnswer answer = m_service->post(
        kChat,
        chatBody("Tell me of blocks.", fields + R"(,"stream":true,"stream_options":{"include_usage":true})"));
    QCOMPARE(answer.headers.at("content-type"), std::string("text/event-stream"));
    const Streamed streamed(answer);
    QVERIFY(streamed.isWhole && streamed.done);
    QCOMPARE(chunk(answer.events().front())["choices"]
                 .toArray()[0]
                 .toObject()["delta"]
                 .toObject()["role"]
                 .toString(),
             QString("assistant"));
    for (int i = 0; i < 2; ++i) {
      const QJsonObject choice = whole["choices"].toArray()[i].toObject();
      QCOMPARE(streamed.texts.at(i), messageOf(choice));
      QCOMPARE(streamed.reasons.at(i), choice["finish_reason"].toString());
      QCOMPARE(streamed.tokens.at(i), choice["token_ids"].toArray());
    }
    QVERIFY(streamed.texts.at(0) != streamed.texts.at(1));
    QCOMPARE(streamed.usage["completion_tokens"], whole["usage"].toObject()["completion_tokens"]);
  }

  void withoutTheOptionAStreamHasNoUsage() {
    const RawAnswer answer =
        m_service->post(kText, R"({"prompt":"Once","max_tokens":3,"temperature":0,"stream":true})");
    QVERIFY(Streamed(answer).done);
    for (const std::string& event : answer.events()) QVERIFY(!chunk(event).contains("usage"));
  }

  void aCompletionTakesTextIdsAndSeveralPrompts() {
    const std::string fields = R"("temperature":0,"max_tokens":12,"ignore_eos":true)";
    const std::string text = R"({"prompt":"The scheduler",)" + fields + "}";
    const QJsonObject answer = m_service->post(kText, text).json();
    QCOMPARE(answer["object"].toString(), QString("text_completion"));
    QCOMPARE(firstChoice(answer)["text"].toString().toStdString(),
             " " + m_alone->answer(kText, text).sequences[0].text);
    QCOMPARE(firstChoice(answer)["finish_reason"].toString(), QString("length"));

    const QJsonArray ids =
        m_service->post("/tokenize", R"({"prompt":"The scheduler"})").json()["tokens"].toArray();
    const std::string byIds = QJsonDocument(ids).toJson(QJsonDocument::Compact).toStdString();
    QCOMPARE(firstChoice(m_service->post(kText, R"({"prompt":)" + byIds + "," + fields + "}").json())["text"],
             firstChoice(answer)["text"]);

    const QJsonObject several =
        m_service->post(kText, R"({"prompt":["A block","The scheduler"],"n":2,)" + fields + "}").json();
    const QJsonArray choices = several["choices"].toArray();
    QCOMPARE(choices.size(), 4);
    for (int i = 0; i < 4; ++i) QCOMPARE(choices[i].toObject()["index"].toInt(), i);
    QCOMPARE(choices[2].toObject()["text"], firstChoice(answer)["text"]);
    QCOMPARE(several["usage"].toObject()["completion_tokens"].toInt(), 48);
  }

  // Prompt and text, one behind the other, are the text of their tokens: the space between them included.
  void aCompletionGoesOnBehindItsPrompt() {
    const std::string prompt = "The scheduler";
    const std::string body = R"({"prompt":"The scheduler","n":3,"seed":4,"max_tokens":9,"logprobs":1)"
                             R"(,"return_token_ids":true)";
    const QJsonArray choices = m_service->post(kText, body + "}").json()["choices"].toArray();
    const Streamed streamed(m_service->post(kText, body + R"(,"stream":true})"));
    const auto& tokenizer = *m_service->engine->tokenizer();
    const std::vector<TokenId> before = tokenizer.encode(prompt, true);
    QCOMPARE(choices.size(), 3);
    for (int i = 0; i < 3; ++i) {
      const QJsonObject choice = choices[i].toObject();
      const QString text = choice["text"].toString();
      std::vector<TokenId> tokens = before;
      for (const auto& id : choice["token_ids"].toArray()) tokens.push_back(id.toInt());
      QCOMPARE(prompt + text.toStdString(), tokenizer.decode(tokens, true));
      QVERIFY(text.startsWith(u' '));
      QCOMPARE(streamed.texts.at(i), text);
      const QJsonObject logprobs = choice["logprobs"].toObject();
      const QJsonArray pieces = logprobs["tokens"].toArray(), offsets = logprobs["text_offset"].toArray();
      for (int j = 0; j < offsets.size(); ++j)
        QVERIFY(text.mid(offsets[j].toInt()).startsWith(pieces[j].toString()));
    }
    // A grammar speaks of the text from its first letter on.
    const QJsonObject formed =
        m_service->post(kText, R"({"prompt":"Yes or no:","guided_choice":["yes","no"]})").json();
    QVERIFY(QStringList({"yes", "no"}).contains(firstChoice(formed)["text"].toString()));
  }

  void stopStringsEndAnAnswer() {
    const std::string fields = R"("temperature":0,"max_tokens":40)";
    const QString whole =
        messageOf(firstChoice(m_service->post(kChat, chatBody("What is a block?", fields)).json()));
    const QString word = whole.section(' ', 3, 3);
    QVERIFY(!word.isEmpty());
    const QJsonObject choice = firstChoice(
        m_service
            ->post(kChat, chatBody("What is a block?", fields + ",\"stop\":\"" + word.toStdString() + "\""))
            .json());
    QCOMPARE(messageOf(choice), whole.left(whole.indexOf(word)));
    QCOMPARE(choice["finish_reason"].toString(), QString("stop"));
  }

  void aSeedRepeatsAnAnswer() {
    const auto answer = [&](const char* seed) {
      return messageOf(
          firstChoice(m_service
                          ->post(kChat, chatBody("Tell me a story.",
                                                 std::string(R"("temperature":1.5,"max_tokens":30)") + seed))
                          .json()));
    };
    QCOMPARE(answer(R"(,"seed":5)"), answer(R"(,"seed":5)"));
    QVERIFY(answer(R"(,"seed":5)") != answer(R"(,"seed":6)"));
    QVERIFY(answer("") != answer(""));
  }

  void logprobsAreThoseOfTheEngine() {
    const std::string fields =
        R"("temperature":0.8,"seed":2,"max_tokens":10,"logprobs":true,"top_logprobs":3)";
    const RequestResult alone = m_alone->answer(kChat, chatBody("What is a block?", fields));
    const QJsonObject choice =
        firstChoice(m_service->post(kChat, chatBody("What is a block?", fields)).json());
    const QJsonArray content = choice["logprobs"].toObject()["content"].toArray();
    const auto& expected = alone.sequences[0].logprobs;
    QCOMPARE(content.size(), static_cast<qsizetype>(expected.size()));
    QByteArray bytes;
    for (qsizetype i = 0; i < content.size(); ++i) {
      const QJsonObject one = content[i].toObject();
      QCOMPARE(one["logprob"].toDouble(), expected[static_cast<std::size_t>(i)].logprob);
      const QJsonArray top = one["top_logprobs"].toArray();
      QCOMPARE(top.size(), 3);
      QVERIFY(top[0].toObject()["logprob"].toDouble() >= top[1].toObject()["logprob"].toDouble());
      for (const auto& byte : one["bytes"].toArray()) bytes.append(static_cast<char>(byte.toInt()));
    }
    QVERIFY2(QString::fromUtf8(bytes).contains(messageOf(choice).trimmed()), bytes);
    const Streamed streamed(
        m_service->post(kChat, chatBody("What is a block?", fields + R"(,"stream":true)")));
    QCOMPARE(streamed.logprobs.at(0), content);
  }

  void completionsHaveLogprobsOfTheirOwnForm() {
    const std::string body = R"({"prompt":"The","temperature":0,"max_tokens":5,"logprobs":2)";
    const QJsonObject choice = firstChoice(m_service->post(kText, body + "}").json());
    const QJsonObject logprobs = choice["logprobs"].toObject();
    QCOMPARE(logprobs["tokens"].toArray().size(), 5);
    QCOMPARE(logprobs["token_logprobs"].toArray().size(), 5);
    QCOMPARE(logprobs["top_logprobs"].toArray()[0].toObject().size(), 2);
    QJsonArray offsets;
    for (const std::string& event : m_service->post(kText, body + R"(,"stream":true})").events())
      for (const auto& offset : firstChoice(chunk(event))["logprobs"].toObject()["text_offset"].toArray())
        offsets.append(offset);
    QCOMPARE(offsets, logprobs["text_offset"].toArray());
    QCOMPARE(offsets[0].toInt(), 0);
    QCOMPARE(offsets[1].toInt(), static_cast<int>(logprobs["tokens"].toArray()[0].toString().size()));
  }

  void aRepeatedPromptIsCached() {
    const std::string body =
        chatBody("Explain how the scheduler chooses which requests run in the next step, and why, please.",
                 R"("temperature":0,"max_tokens":2)");
    m_service->post(kChat, body);
    const QJsonObject usage = m_service->post(kChat, body).json()["usage"].toObject();
    QVERIFY(usage["prompt_tokens_details"].toObject()["cached_tokens"].toInt() >= 16);
  }

  void textsAndIdsAreTurnedIntoEachOther() {
    const QJsonObject tokens = m_service->post("/tokenize", R"({"prompt":"Blocks are shared."})").json();
    QCOMPARE(tokens["count"].toInt(), static_cast<int>(tokens["tokens"].toArray().size()));
    QCOMPARE(tokens["max_model_len"].toInt(), 1024);
    const QJsonArray bare =
        m_service->post("/tokenize", R"({"prompt":"Blocks are shared.","add_special_tokens":false})")
            .json()["tokens"]
            .toArray();
    const std::string list = QJsonDocument(bare).toJson(QJsonDocument::Compact).toStdString();
    QCOMPARE(m_service->post("/detokenize", R"({"tokens":)" + list + "}").json()["prompt"].toString(),
             QString("Blocks are shared."));
    const std::string chat = R"({"messages":[{"role":"user","content":"What is a block?"}]})";
    const int count = m_service->post("/tokenize", chat).json()["count"].toInt();
    const QJsonObject answer =
        m_service->post(kChat, chatBody("What is a block?", R"("temperature":0,"max_tokens":1)")).json();
    QCOMPARE(count, answer["usage"].toObject()["prompt_tokens"].toInt());
    QCOMPARE(m_service->post("/detokenize", R"({"tokens":[6144]})").status, 400);
    QCOMPARE(m_service->post("/tokenize", R"({"prompt":"a","messages":[]})").status, 400);
  }

  // The law: what else is under way changes no answer, and none gets another's.
  void manyClientsAtOnceGetTheirOwnAnswers() {
    constexpr int kClients = 32;
    std::vector<std::string> bodies;
    std::vector<std::string> expected;
    for (int i = 0; i < kClients; ++i) {
      const std::string seed = std::to_string(i);
      bodies.push_back(chatBody("Question " + seed + ": what is a block?",
                                R"("temperature":1,"max_tokens":24,"seed":)" + seed));
      expected.push_back(m_alone->answer(kChat, bodies.back()).sequences[0].text);
    }
    std::vector<std::string> answers(kClients);
    std::vector<std::thread> clients;
    for (std::size_t i = 0; i < kClients; ++i)
      clients.emplace_back([&, i] {
        if (i % 2 == 0) {
          answers[i] = messageOf(firstChoice(m_service->post(kChat, bodies[i]).json())).toStdString();
          return;
        }
        std::string body = bodies[i];
        body.insert(body.size() - 1, R"(,"stream":true)");
        const Streamed streamed(m_service->post(kChat, body));
        if (streamed.done) answers[i] = streamed.texts.at(0).toStdString();
      });
    for (std::thread& client : clients) client.join();
    for (std::size_t i = 0; i < kClients; ++i) QCOMPARE(answers[i], expected[i]);
    QTRY_COMPARE(m_service->served.underWay(), 0);  // the last one is counted until its answer is sent
  }

  void aClientThatLeavesCancelsItsRequest() {
    const int before = m_service->tally.cancelled;
    const std::string body =
        chatBody("Go on for ever.", R"("max_tokens":900,"ignore_eos":true,"stream":true)");
    RawClient client(m_service->port());
    QVERIFY(client.send(postText(kChat, body)));
    QVERIFY(client.readUntil("assistant"));
    RawClient silent(m_service->port());  // and one that waits for a whole answer
    QVERIFY(silent.send(postText(kText, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true})")));
    while (m_service->served.underWay() < 2) std::this_thread::yield();
    client.close();
    silent.close();
    while (m_service->served.underWay() > 0) std::this_thread::yield();
    QCOMPARE(m_service->tally.cancelled - before, 2);
  }

  void whatTheEngineRefusesIsTold() {
    std::string longer;
    for (int i = 0; i < 2000; ++i) longer += "word ";
    const RawAnswer answer = m_service->post(kChat, chatBody(longer, R"("stream":true)"));
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.error()["code"].toString(), QString("context_length_exceeded"));
    QCOMPARE(m_service->post(kText, R"({"prompt":[6144]})").status, 400);
    QCOMPARE(m_service->post(kText, R"({"prompt":"a","n":1000})").status, 400);
    // Of several prompts none is answered.
    QCOMPARE(m_service->post(kText, R"({"prompt":[[5],[6144]]})").status, 400);
    while (m_service->served.underWay() > 0) std::this_thread::yield();
  }

  void aMachineIsSteered() {
    std::future<RawAnswer> answer, late;  // they end when the service does
    Service service;
    const auto steer = [&](const char* order) {
      const RawAnswer asked = service.post("/v1/steer", std::string(R"({"do":")") + order + "\"}");
      return asked.status == 202 && asked.json()["asked"].toString() == QLatin1String(order);
    };
    const auto isPaused = [&] {
      const QJsonObject machine = ask(service.port(), getText("/v1/machine")).json();
      return machine["paused"].toBool() && machine["may_steer"].toBool();
    };
    const std::string body = chatBody("What is a KV cache?", R"("temperature":0,"max_tokens":20)");
    QVERIFY(!isPaused());
    QVERIFY(steer("pause"));
    QTRY_VERIFY(isPaused());
    answer = std::async(std::launch::async, [&] { return service.post(kChat, body); });
    QTRY_COMPARE(service.served.underWay(), 1);
    for (int step = 1; step <= 3; ++step) {
      QVERIFY(steer("step"));
      QTRY_COMPARE(service.tally.steps.load(), step);
      QVERIFY(isPaused());
    }
    QCOMPARE(answer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    QCOMPARE(service.tally.steps.load(), 3);
    QVERIFY(steer("run"));
    const QJsonObject choice = firstChoice(answer.get().json());
    QCOMPARE(messageOf(choice).toStdString(), m_alone->answer(kChat, body).sequences[0].text);
    QVERIFY(!isPaused());
    // A step without work is not kept for a later request.
    QVERIFY(steer("pause") && steer("step"));
    QTRY_VERIFY(isPaused());
    const int before = service.tally.steps;
    late = std::async(std::launch::async, [&] { return service.post(kChat, body); });
    QTRY_COMPARE(service.served.underWay(), 1);
    QCOMPARE(late.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    QCOMPARE(service.tally.steps.load(), before);
    // A server that ends finishes its paused requests.
    service.served.drain(std::chrono::seconds(20));
    QCOMPARE(late.get().status, 200);
  }

  void steeringNeedsTheRightToken() {
    StandInService service("0123456789abcdef", "fedcba9876543210");
    const int port = service.port();
    const std::string watches = "Authorization: Bearer fedcba9876543210\r\n",
                      steers = "Authorization: Bearer 0123456789abcdef\r\n";
    const std::string body = R"({"do":"run"})";
    QCOMPARE(ask(port, postText("/v1/steer", body)).status, 401);
    QCOMPARE(ask(port, postText("/v1/steer", body, watches)).status, 403);
    QVERIFY(service.served.steered.empty());
    QCOMPARE(ask(port, postText("/v1/steer", body, steers)).status, 202);
    QCOMPARE(service.served.steered, std::vector{Steering::kRun});
    for (const char* wrong : {R"({"do":"stop"})", R"({"do":1})", "{}", R"({"do":"run","steps":2})", "[]"}) {
      const RawAnswer refused = ask(port, postText("/v1/steer", wrong, steers));
      QVERIFY2(refused.status == 400, wrong);
    }
    QCOMPARE(service.served.steered.size(), std::size_t{1});
    const QJsonObject machine = ask(port, getText("/v1/machine", watches)).json();
    QVERIFY(machine["may_steer"].isBool() && !machine["may_steer"].toBool());
    QVERIFY(ask(port, getText("/v1/machine", steers)).json()["may_steer"].toBool());
  }

  void whatIsNoRequestIsRefused() {
    const int port = m_service->port();
    QCOMPARE(ask(port, getText("/favicon.ico")).status, 404);
    QCOMPARE(ask(port, getText("/v1/models/../../etc/passwd")).status, 404);
    const RawAnswer wrongMethod = ask(port, getText(kChat));
    QCOMPARE(wrongMethod.status, 405);
    QCOMPARE(wrongMethod.headers.at("allow"), std::string("POST"));
    const RawAnswer noSocket = ask(port, getText("/v1/stream"));
    QCOMPARE(noSocket.status, 426);
    QCOMPARE(noSocket.headers.at("upgrade"), std::string("websocket"));
    QCOMPARE(ask(port, postText("/health", "{}")).status, 405);
    QCOMPARE(ask(port, postText("/metrics", "{}")).status, 405);
    QCOMPARE(m_service->post(kChat, "no JSON").status, 400);
    QCOMPARE(m_service->post(kChat, R"({"messages":)" + std::string(100000, '[')).status, 400);
    QCOMPARE(m_service->post(kChat, "{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}").status, 400);
    const RawAnswer refused = m_service->post(kChat, chatBody("a", R"("top_p":2)"));
    QCOMPARE(refused.status, 400);
    QCOMPARE(refused.error()["param"].toString(), QString("top_p"));
    QCOMPARE(refused.error()["type"].toString(), QString("invalid_request_error"));
    const RawAnswer large = ask(port, postText(kChat, std::string(std::size_t{5} << 20, ' ')));
    QCOMPARE(large.status, 413);
    QCOMPARE(large.error()["type"].toString(), QString("invalid_request_error"));
  }

  void headersDecideBeforeBodies() {
    const StandInService service("0123456789abcdef");
    const int port = service.http.port();
    const std::string token = "Authorization: Bearer 0123456789abcdef\r\n";
    QCOMPARE(ask(port, getText("/health")).status, 200);
    QCOMPARE(ask(port, getText("/v1/models")).status, 401);
    QCOMPARE(ask(port, getText("/v1/models", "Authorization: Bearer fedcba9876543210\r\n")).status, 401);
    QCOMPARE(ask(port, getText("/v1/models", token)).status, 200);
    QCOMPARE(ask(port, getText("/metrics")).status, 401);
    const RawAnswer metrics = ask(port, getText("/metrics", token));
    QCOMPARE(metrics.body, std::string("up 1\n"));
    QCOMPARE(metrics.headers.at("content-type"), std::string("text/plain; version=0.0.4; charset=utf-8"));
    QCOMPARE(ask(port, getText("/v1/models", token + "Origin: http://evil.example\r\n")).status, 403);
    QCOMPARE(ask(port, "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\n" + token + "\r\n").status, 403);
    QCOMPARE(ask(port, "GET /health HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 403);
    QCOMPARE(ask(port, "GET /v1/models HTTP/1.1\r\n" + token + "\r\n").status, 400);
    RawClient client(port);  // the body never comes
    QVERIFY(client.send("POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"));
    QCOMPARE(client.readAnswer().status, 401);
  }

  void aRequestTooManyIsToldToComeAgain() {
    StandInService service;
    service.served.busy = 2;
    const RawAnswer answer = ask(service.http.port(), postText(kText, R"({"prompt":"a"})"));
    QCOMPARE(answer.status, 429);
    QCOMPARE(answer.error()["type"].toString(), QString("rate_limit_error"));
    QVERIFY(answer.headers.contains("retry-after"));
  }

  void aServerThatEndsTakesNothing() {
    StandInService service;
    service.served.open = false;
    QCOMPARE(ask(service.http.port(), postText(kText, R"({"prompt":"a"})")).status, 503);
    QCOMPARE(ask(service.http.port(), getText("/health")).status, 503);
  }

  void withoutAModelAllIsRefused() {
    StandInService service;
    service.served.hasMetrics = false;  // the model is closed between two looks
    QCOMPARE(ask(service.http.port(), getText("/metrics")).status, 503);
    service.served.hasModel = false;
    for (const char* path : {"/health", "/metrics", "/v1/models"})
      QCOMPARE(ask(service.http.port(), getText(path)).error()["code"].toString(), QString("no_model"));
    const RawAnswer answer = ask(service.http.port(), postText(kText, R"({"prompt":"a"})"));
    QCOMPARE(answer.status, 503);
    QVERIFY(answer.headers.contains("retry-after"));
    QCOMPARE(answer.error()["code"].toString(), QString("no_model"));
  }

  void aRequestForAModelThatIsGoneIsRefused() {
    Service service;
    struct Sink final : AnswerSink {
      void refused(const EngineError& error) override { code.set_value(error.code()); }
      void accepted() override {}
      void wrote(Written) override {}
      void finished(const ServedUsage&) override {}
      void failed(const EngineError&) override {}
      std::promise<ErrorCode> code;
    };
    const auto sink = std::make_shared<Sink>();
    service.served.submit(std::make_shared<const ServedModel>(*service.served.model()), {}, sink);
    QCOMPARE(sink->code.get_future().get(), ErrorCode::kCancelled);
    service.served.drain(std::chrono::milliseconds(0));
    QCOMPARE(service.served.underWay(), 0);
  }

  void aFailureIsToldWhereverItHappens() {
    StandInService service;
    const auto post = [&](RawClient& client, const char* body) {
      client.send(postText(kText, body));
      return service.served.take();
    };
    RawClient whole(service.http.port());
    auto sink = post(whole, R"({"prompt":"a"})");
    sink->accepted();
    sink->wrote({0, "Hel"});
    sink->failed(EngineError(ErrorCode::kIo, "the device is gone"));
    const RawAnswer answer = whole.readAnswer();
    QCOMPARE(answer.status, 500);
    QCOMPARE(answer.error()["message"].toString(), QString("the device is gone"));

    RawClient streaming(service.http.port());
    sink = post(streaming, R"({"prompt":"a","stream":true})");
    sink->accepted();
    sink->wrote({0, "Hel"});
    sink->failed(EngineError(ErrorCode::kCancelled, "the server is shutting down"));
    const auto events = streaming.readAnswer().events();
    QCOMPARE(events.size(), std::size_t{2});
    QCOMPARE(chunk(events[1])["error"].toObject()["code"].toString(), QString("cancelled"));

    RawClient refused(service.http.port());
    post(refused, R"({"prompt":"a","stream":true})")->refused(EngineError(ErrorCode::kCancelled, "ending"));
    QCOMPARE(refused.readAnswer().status, 503);
    RawClient forgotten(service.http.port());
    post(forgotten, R"({"prompt":"a"})").reset();
    QCOMPARE(forgotten.readAnswer().status, 500);
  }

  // wrote() returns at once, however slow the client is.
  void aSlowReaderIsCancelledAndHoldsNothingUp() {
    StandInService service;
    RawClient slow(service.http.port(), 4096);
    QVERIFY(slow.send(postText(kText, R"({"prompt":"a","stream":true})")));
    const auto sink = service.served.take();
    sink->accepted();
    const std::string text(65536, 'x');
    while (!service.served.cancelled.try_acquire()) sink->wrote({0, text});
    sink->failed(EngineError(ErrorCode::kCancelled, "cancelled"));
    QCOMPARE(ask(service.http.port(), getText("/health")).status, 200);
  }

  void drainingEndsWhatIsUnderWay() {
    Service service;
    RawClient client(service.port());
    QVERIFY(
        client.send(postText(kText, R"({"prompt":"Go","max_tokens":900,"ignore_eos":true,"stream":true})")));
    QVERIFY(client.readUntil("data: "));
    service.http.stopListening();
    service.served.drain(std::chrono::milliseconds(0));
    QCOMPARE(service.served.underWay(), 0);
    const RawAnswer answer = client.readAnswer();
    QVERIFY(answer.whole);
    QCOMPARE(chunk(answer.events().back())["error"].toObject()["code"].toString(), QString("cancelled"));
  }

 private:
  std::unique_ptr<Service> m_service;
  std::unique_ptr<AloneEngine> m_alone;
};

QTEST_APPLESS_MAIN(TestApiServer)
#include "tst_api_server.moc"
