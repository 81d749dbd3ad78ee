// Beam searches over the API: the answers are those of the engine's own search, and no token is sent before
// it is final.
#include <QTest>
#include <atomic>
#include <set>
#include <thread>

#include "server/api_answers.h"
#include "server/raw_socket.h"
#include "vitrine/token_text.h"

using namespace vitrine;
using namespace vitrine::server;
using namespace vitrine::test;

namespace {

constexpr const char* kSearch = R"("use_beam_search":true,"return_token_ids":true,)";
// Longer than any test.
constexpr const char* kForEver =
    R"({"prompt":"Go","use_beam_search":true,"n":2,"max_tokens":900,"ignore_eos":true,"stream":true})";

std::string textBody(const std::string& prompt, const std::string& fields) {
  return R"({"prompt":")" + prompt + "\"," + kSearch + fields + "}";
}

std::vector<TokenId> idsOf(const QJsonArray& ids) {
  std::vector<TokenId> list;
  for (const auto& id : ids) list.push_back(id.toInt());
  return list;
}

QJsonArray choicesOf(const RawAnswer& answer) { return answer.json()["choices"].toArray(); }

QString textOfChoice(const QJsonObject& choice) {
  return choice.contains("text") ? choice["text"].toString() : messageOf(choice);
}

}  // namespace

class TestApiBeams : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_service = std::make_unique<Service>();
    m_alone = std::make_unique<AloneEngine>();
  }
  void cleanupTestCase() { m_service.reset(); }

  void aSearchIsTheEnginesOwn_data() {
    QTest::addColumn<bool>("chat");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("lengthPenalty");
    QTest::newRow("a chat") << true << 4 << 1.0;
    QTest::newRow("a chat of long answers") << true << 3 << 2.0;
    QTest::newRow("a completion") << false << 5 << 0.0;
    QTest::newRow("as wide as it may be") << false << kMaxBeams << 1.0;
  }
  void aSearchIsTheEnginesOwn() {
    QFETCH(bool, chat);
    QFETCH(int, width);
    QFETCH(double, lengthPenalty);
    RequestArguments asked;
    asked.chat = chat;
    asked.request.prompt = "What is a KV cache?";
    asked.request.beamWidth = asked.request.sequences = width;
    asked.request.lengthPenalty = lengthPenalty;
    asked.request.maxTokens = 20;
    asked.request.logprobs = 2;
    asked.request.sampling.frequencyPenalty = 0.25;
    const RequestResult alone = m_alone->answer(asked);
    QCOMPARE(static_cast<int>(alone.sequences.size()), width);

    const std::string fields = std::string(kSearch) + R"("max_tokens":20,"frequency_penalty":0.25,"n":)" +
                               std::to_string(width) + R"(,"length_penalty":)" +
                               std::to_string(lengthPenalty);
    const RawAnswer answer =
        chat ? m_service->post(
                   kChat, chatBody("What is a KV cache?", fields + R"(,"logprobs":true,"top_logprobs":2)"))
             : m_service->post(kText, R"({"prompt":"What is a KV cache?",)" + fields + R"(,"logprobs":2})");
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonArray choices = choicesOf(answer);
    QCOMPARE(choices.size(), width);
    int tokens = 0;
    for (int i = 0; i < width; ++i) {
      const SequenceResult& expected = alone.sequences[static_cast<std::size_t>(i)];
      const QJsonObject choice = choices[i].toObject();
      QCOMPARE(choice["index"].toInt(), i);
      QCOMPARE(idsOf(choice["token_ids"].toArray()), expected.tokenIds);
      // A completion keeps the space between its prompt and itself.
      const std::string first = tokenText(*m_service->engine->tokenizer(), expected.tokenIds.front());
      const bool isApart = !chat && first.starts_with(' ');
      QCOMPARE(textOfChoice(choice), QString::fromStdString((isApart ? " " : "") + expected.text));
      QCOMPARE(choice["finish_reason"].toString(),
               QString(expected.reason == FinishReason::kStop ? "stop" : "length"));
      const QJsonObject logprobs = choice["logprobs"].toObject();
      const QJsonArray each = chat ? logprobs["content"].toArray() : logprobs["token_logprobs"].toArray();
      QCOMPARE(static_cast<std::size_t>(each.size()), expected.tokenIds.size());
      for (qsizetype at = 0; at < each.size(); ++at)
        QCOMPARE(chat ? each[at].toObject()["logprob"].toDouble() : each[at].toDouble(),
                 expected.logprobs[static_cast<std::size_t>(at)].logprob);
      tokens += static_cast<int>(expected.tokenIds.size());
    }
    const QJsonObject usage = answer.json()["usage"].toObject();
    QCOMPARE(usage["prompt_tokens"].toInt(), alone.promptTokens);
    QCOMPARE(usage["completion_tokens"].toInt(), tokens);
  }

  // Each answer in one piece: what is sent is never taken back.
  void aStreamGivesEachAnswerAtItsEnd() {
    const std::string fields = std::string(kSearch) + R"("n":4,"max_tokens":20,"logprobs":true)";
    const QJsonArray whole = choicesOf(m_service->post(kChat, chatBody("Tell me of blocks.", fields)));
    QCOMPARE(whole.size(), 4);
    const RawAnswer answer = m_service->post(
        kChat,
        chatBody("Tell me of blocks.", fields + R"(,"stream":true,"stream_options":{"include_usage":true})"));
    const std::vector<std::string> events = answer.events();
    QCOMPARE(events.size(), std::size_t{10});  // a role and a text each, the usage, and the end
    for (int i = 0; i < 4; ++i) {
      const QJsonObject opening = firstChoice(chunk(events[static_cast<std::size_t>(2 * i)]));
      QCOMPARE(opening["index"].toInt(), i);
      QCOMPARE(opening["delta"].toObject()["role"].toString(), QString("assistant"));
      QCOMPARE(firstChoice(chunk(events[static_cast<std::size_t>(2 * i + 1)]))["index"].toInt(), i);
    }
    const Streamed streamed(answer);
    QVERIFY(streamed.isWhole && streamed.done);
    int tokens = 0;
    for (int i = 0; i < 4; ++i) {
      const QJsonObject choice = whole[i].toObject();
      QCOMPARE(streamed.texts.at(i), messageOf(choice));
      QCOMPARE(streamed.reasons.at(i), choice["finish_reason"].toString());
      QCOMPARE(streamed.tokens.at(i), choice["token_ids"].toArray());
      QCOMPARE(streamed.logprobs.at(i), choice["logprobs"].toObject()["content"].toArray());
      tokens += static_cast<int>(choice["token_ids"].toArray().size());
    }
    QCOMPARE(streamed.usage["completion_tokens"].toInt(), tokens);
  }

  void everyPromptIsSearched() {
    const std::string fields = R"("n":3,"max_tokens":10)";
    const RawAnswer both = m_service->post(
        kText, R"({"prompt":["A block","The scheduler"],)" + std::string(kSearch) + fields + "}");
    const QJsonArray choices = choicesOf(both);
    QCOMPARE(choices.size(), 6);
    const char* const prompts[] = {"A block", "The scheduler"};
    for (int i = 0; i < 6; ++i) {
      QCOMPARE(choices[i].toObject()["index"].toInt(), i);
      const QJsonArray alone = choicesOf(m_service->post(kText, textBody(prompts[i / 3], fields)));
      QCOMPARE(choices[i].toObject()["token_ids"], alone[i % 3].toObject()["token_ids"]);
    }
  }

  void oneBeamIsTheGreedyAnswer() {
    const std::string fields = R"("max_tokens":12)";
    QCOMPARE(choicesOf(m_service->post(kText, textBody("The scheduler", fields))),
             choicesOf(m_service->post(kText, R"({"prompt":"The scheduler","temperature":0,)"
                                              R"("return_token_ids":true,)" +
                                                  fields + "}")));
  }

  void aStopStringEndsABeam() {
    const std::string fields = R"("n":3,"max_tokens":30)";
    const QString whole =
        textOfChoice(choicesOf(m_service->post(kText, textBody("A block is", fields)))[0].toObject());
    const QString word = whole.section(' ', 3, 3);
    QVERIFY(!word.isEmpty());
    const QJsonArray choices = choicesOf(
        m_service->post(kText, textBody("A block is", fields + ",\"stop\":\"" + word.toStdString() + "\"")));
    int stopped = 0;
    for (const auto& choice : choices) {
      QVERIFY(!textOfChoice(choice.toObject()).contains(word));
      stopped += choice.toObject()["finish_reason"].toString() == "stop" ? 1 : 0;
    }
    QVERIFY(stopped > 0);
  }

  void aSchemaGoesWithASearch() {
    const std::string body = chatBody(
        "Which colour has the sky?",
        std::string(kSearch) +
            R"("n":4,"max_tokens":40,"response_format":{"type":"json_schema","json_schema":{"name":"c",
                     "schema":{"type":"object","properties":{"colour":{"enum":["red","green","blue"]},
                     "sure":{"type":"boolean"}},"required":["colour","sure"],"additionalProperties":false}}})");
    const QJsonArray choices = choicesOf(m_service->post(kChat, body));
    QCOMPARE(choices.size(), 4);
    for (const auto& choice : choices) {
      QCOMPARE(choice.toObject()["finish_reason"].toString(), QString("stop"));
      const QString text = messageOf(choice.toObject());
      const QJsonObject said = QJsonDocument::fromJson(text.toUtf8()).object();
      QVERIFY2(said.size() == 2 && said["sure"].isBool(), qPrintable(text));
      QVERIFY2((QStringList{"red", "green", "blue"}.contains(said["colour"].toString())), qPrintable(text));
    }
  }

  // There are three ways to write the only letter.
  void aGrammarMayLeaveFewerAnswers() {
    const std::string fields = R"("n":8,"max_tokens":4,"structured_outputs":{"choice":["a"]})";
    const RawAnswer answer = m_service->post(kText, textBody("Hi", fields));
    QVERIFY2(answer.status == 200, answer.body.c_str());
    const QJsonArray choices = choicesOf(answer);
    QVERIFY2(choices.size() > 0 && choices.size() < 8, answer.body.c_str());
    int tokens = 0;
    for (const auto& choice : choices) {
      QCOMPARE(choice.toObject()["text"].toString(), QString("a"));
      QCOMPARE(choice.toObject()["finish_reason"].toString(), QString("stop"));
      tokens += static_cast<int>(choice.toObject()["token_ids"].toArray().size());
    }
    QCOMPARE(answer.json()["usage"].toObject()["completion_tokens"].toInt(), tokens);
    const Streamed streamed(m_service->post(kText, textBody("Hi", fields + R"(,"stream":true)")));
    QVERIFY(streamed.done);
    QCOMPARE(static_cast<qsizetype>(streamed.reasons.size()), choices.size());
    QCOMPARE(streamed.texts.size(), streamed.reasons.size());
  }

  void aClientThatLeavesCancelsTheSearch() {
    const int before = m_service->tally.cancelled;
    RawClient client(m_service->port());
    QVERIFY(client.send(postText(kText, kForEver)));
    QVERIFY(client.readUntil("\r\n\r\n"));
    const int steps = m_service->tally.steps;
    while (m_service->tally.steps < steps + 4) std::this_thread::yield();
    client.close();
    while (m_service->served.underWay() > 0) std::this_thread::yield();
    QCOMPARE(m_service->tally.cancelled - before, 1);
    QCOMPARE(m_service->tally.events.metrics().figures().running.read(), std::int64_t{0});
  }

  // Its beams are no answers, so none is sent.
  void aCancelledSearchSaysNothingMore() {
    RawSocket socket(m_service->port(), "/v1/stream");
    QVERIFY(socket.send(R"({"custom_id":"a","url":"/v1/completions","body":)" + std::string(kForEver) + "}"));
    const int steps = m_service->tally.steps;
    while (m_service->tally.steps < steps + 4) std::this_thread::yield();
    QVERIFY(socket.send(R"({"cancel":"a"})"));
    QCOMPARE(socket.json(), (QJsonObject{{"custom_id", "a"}, {"done", true}, {"cancelled", true}}));
  }

  void whatTheEngineRefusesIsTold() {
    EngineOptions options;
    options.maxSequences = 3;
    const Service narrow(options);
    QCOMPARE(narrow.post(kText, textBody("a", R"("n":4,"max_tokens":2)")).status, 400);
    QCOMPARE(narrow.post(kText, textBody("a", R"("n":4,"max_tokens":2,"stream":true)")).status, 400);
    QCOMPARE(narrow.post(kText, textBody("a", R"("n":3,"max_tokens":2)")).status, 200);
    const RawAnswer drawn = narrow.post(kText, textBody("a", R"("n":2,"temperature":0.7)"));
    QCOMPARE(drawn.status, 400);
    QCOMPARE(drawn.error()["param"].toString(), QString("temperature"));
    QVERIFY2(drawn.error()["message"].toString().contains("beam search"), drawn.body.c_str());
  }

  // The law: beside others, in a pool that is too small for all of them, each search is as it is alone.
  void searchesAndDrawsShareTheBatch() {
    constexpr std::size_t kClients = 8;
    EngineOptions options;
    options.numBlocks = 16;
    options.maxSequences = 8;
    Service service(options);
    std::vector<std::string> bodies;
    std::vector<QJsonArray> expected, given(kClients);
    for (std::size_t i = 0; i < kClients; ++i) {
      const std::string number = std::to_string(i);
      const std::string prompt = "Question " + number + ": what is a block?";
      bodies.push_back(i % 2 == 0
                           ? textBody(prompt, R"("n":3,"max_tokens":40,"ignore_eos":true)")
                           : R"({"prompt":")" + prompt +
                                 R"(","max_tokens":90,"ignore_eos":true,"return_token_ids":true,"seed":)" +
                                 number + "}");
      expected.push_back(choicesOf(m_service->post(kText, bodies.back())));
    }
    std::vector<std::thread> clients;
    for (std::size_t i = 0; i < kClients; ++i)
      clients.emplace_back([&, i] { given[i] = choicesOf(service.post(kText, bodies[i])); });
    for (std::thread& client : clients) client.join();
    QVERIFY(service.tally.preempted > 0);
    for (std::size_t i = 0; i < kClients; ++i) {
      QVERIFY(!given[i].isEmpty());
      QCOMPARE(given[i], expected[i]);
    }
    QCOMPARE(service.tally.wrong.load(), 0);
  }

 private:
  std::unique_ptr<Service> m_service;
  std::unique_ptr<AloneEngine> m_alone;
};

QTEST_APPLESS_MAIN(TestApiBeams)
#include "tst_api_beams.moc"
