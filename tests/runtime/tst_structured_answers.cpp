// Structured output by the built-in model, at a temperature at which it writes nonsense: of random grammars
// and random JSON schemas, every answer that ends belongs to its grammar or is valid by its schema, alone and
// in one batch.
#include "grammar/derive.h"
#include "grammar/random_grammar.h"
#include "grammar/random_schema.h"
#include "grammar/schema_check.h"
#include "vitrine/engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Silence final : EventSink {
  void publish(const Event&) override {}
};

Request hotRequest(std::uint64_t seed, int maxTokens) {
  Request request;
  request.prompt = "The fox and the lighthouse";
  request.maxTokens = maxTokens;
  request.sampling = {.temperature = 1.5, .seed = seed};
  return request;
}

}  // namespace

class TestStructuredAnswers : public QObject {
  Q_OBJECT

  Silence m_silence;

  std::unique_ptr<Engine> engine() {
    EngineOptions options;
    options.threads = 1;
    options.maxSequences = 8;
    return Engine::load(builtinModelDirectory(), options, m_silence);
  }

 private slots:
  void answersBelongToTheirGrammars() {
    const auto machine = engine();
    Random random(4);
    std::vector<std::pair<RequestId, Grammar>> asked;
    while (asked.size() < 100) {
      Grammar grammar = someGrammar(random);
      Request request = hotRequest(asked.size(), 60);
      request.grammar = toGbnf(grammar);
      try {
        asked.emplace_back(machine->submit(request), std::move(grammar));
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kInvalidArgument);  // of no use, as random grammars may be
      }
    }
    machine->run();
    int ended = 0;
    for (const auto& [id, grammar] : asked) {
      const SequenceResult answer = machine->takeResult(id).sequences.front();
      if (answer.reason != FinishReason::kStop) continue;
      QVERIFY2(Recogniser(grammar).accepts(answer.text), (toGbnf(grammar) + "\n" + answer.text).c_str());
      ++ended;
    }
    QVERIFY2(ended > 60, QByteArray::number(ended).constData());
  }

  void answersAreValidByTheirSchemas() {
    const auto machine = engine();
    std::vector<std::pair<RequestId, nlohmann::ordered_json>> asked;
    for (std::uint32_t seed = 1; asked.size() < 120; ++seed) {
      nlohmann::ordered_json schema = RandomSchema(seed).schema();
      Request request = hotRequest(seed, 120);
      request.jsonSchema = schema.dump();
      try {
        asked.emplace_back(machine->submit(request), std::move(schema));
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kInvalidArgument);  // it has a keyword that is not followed
      }
    }
    machine->run();
    int ended = 0;
    for (const auto& [id, schema] : asked) {
      const SequenceResult answer = machine->takeResult(id).sequences.front();
      if (answer.reason != FinishReason::kStop) continue;
      const auto json = nlohmann::ordered_json::parse(answer.text, nullptr, false);
      const bool isValid = !json.is_discarded() && SchemaCheck(schema).isValid(json);
      QVERIFY2(isValid, (schema.dump() + "\n" + answer.text).c_str());
      ++ended;
    }
    QVERIFY2(ended > 40, QByteArray::number(ended).constData());
  }
};

QTEST_GUILESS_MAIN(TestStructuredAnswers)
#include "tst_structured_answers.moc"
