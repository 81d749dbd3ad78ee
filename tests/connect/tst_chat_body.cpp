// A turn of a chat as each server takes it: nothing in it that the server would refuse, and nothing left out
// unsaid.
#include "connect/chat_body.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include "common/json_files.h"
#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::connect;

namespace {

Dialogue question() {
  Dialogue dialogue;
  dialogue.messages = {{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Why?"}};
  return dialogue;
}

Json bodyFor(const Request& request, ServerKind kind, int alternatives = 5) {
  return parseJson(chatBody({question(), request, "m", kind, alternatives}));
}

// Every sampling option at a value of its own.
Request everything() {
  Request request;
  request.sampling = {.repetitionPenalty = 1.5,
                      .presencePenalty = 0.25,
                      .frequencyPenalty = 0.5,
                      .temperature = 0.75,
                      .topK = 20,
                      .topP = 0.875,
                      .minP = 0.0625,
                      .typicalP = 0.5,
                      .seed = 7};
  request.maxTokens = 12;
  request.stop = {"END"};
  return request;
}

}  // namespace

class TestChatBody : public QObject {
  Q_OBJECT

 private slots:
  void theFieldsOfOpenAiAreSaidToAll() {
    for (const ServerTraits& traits : kServerTraits) {
      const Json body = bodyFor(everything(), traits.kind);
      QVERIFY(body["model"] == "m");
      QVERIFY(body["stream"] == true);
      QVERIFY(body["stream_options"]["include_usage"] == true);
      QVERIFY(body["logprobs"] == true);
      QVERIFY(body["top_logprobs"] == 5);
      QVERIFY(body["messages"].size() == 2);
      QVERIFY(body["messages"][1]["content"] == "Why?");
      QVERIFY(body["temperature"] == 0.75);
      QVERIFY(body["top_p"] == 0.875);
      QVERIFY(body["presence_penalty"] == 0.25);
      QVERIFY(body["frequency_penalty"] == 0.5);
      QVERIFY(body["seed"] == 7);
      QVERIFY(body["max_tokens"] == 12);
      QVERIFY(body["stop"] == Json::array({"END"}));
    }
  }

  // Each option is in the body, or among those that the window says were not sent.
  void everyOptionIsSentOrNamed() {
    for (const ServerTraits& traits : kServerTraits) {
      const Json body = bodyFor(everything(), traits.kind);
      const auto unsent = unsentOptions(everything().sampling, traits.kind);
      const auto isUnsent = [&](const char* key) { return std::ranges::count(unsent, key) == 1; };
      QCOMPARE(isUnsent("top_k"), !body.contains("top_k"));
      QCOMPARE(isUnsent("min_p"), !body.contains("min_p"));
      QCOMPARE(isUnsent("typical_p"), !body.contains("typical_p"));
      QCOMPARE(isUnsent("repetition_penalty"),
               !body.contains("repetition_penalty") && !body.contains("repeat_penalty"));
      QVERIFY(unsentOptions({}, traits.kind).empty());
    }
    QVERIFY(bodyFor(everything(), ServerKind::kLlamaCpp)["repeat_penalty"] == 1.5);
    QVERIFY(!bodyFor(everything(), ServerKind::kUnknown).contains("top_k"));
  }

  void neutralValuesAreLeftOut() {
    const Json body = bodyFor({}, ServerKind::kVllm, -1);
    for (const char* key : {"top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty",
                            "repetition_penalty", "stop", "logprobs", "top_logprobs", "tools"})
      QVERIFY2(!body.contains(key), key);
    Request endless;
    endless.maxTokens = 0;
    QVERIFY(!bodyFor(endless, ServerKind::kVllm).contains("max_tokens"));
  }

  void formsOfAnswersAreSaidAsTheServerNamesThem() {
    Request regex;
    regex.regex = "[0-9]+";
    QVERIFY(bodyFor(regex, ServerKind::kVllm)["structured_outputs"]["regex"] == "[0-9]+");
    QVERIFY(bodyFor(regex, ServerKind::kSglang)["regex"] == "[0-9]+");
    QVERIFY_THROWS_EXCEPTION(EngineError, bodyFor(regex, ServerKind::kOllama));
    Request grammar;
    grammar.grammar = "root ::= \"a\"";
    QVERIFY(bodyFor(grammar, ServerKind::kLlamaCpp)["grammar"] == grammar.grammar);
    Request schema;
    schema.jsonSchema = R"({"type":"object"})";
    for (const ServerTraits& traits : kServerTraits)
      QVERIFY(bodyFor(schema, traits.kind)["response_format"]["json_schema"]["schema"]["type"] == "object");
  }

  void whatCannotBeSaidIsRefused() {
    Request request;
    request.sequences = 2;
    QVERIFY_THROWS_EXCEPTION(EngineError, bodyFor(request, ServerKind::kVllm));
    request = {};
    request.outputIds = {1};
    QVERIFY_THROWS_EXCEPTION(EngineError, bodyFor(request, ServerKind::kVllm));
    request = {};
    request.beamWidth = 2;
    QVERIFY_THROWS_EXCEPTION(EngineError, bodyFor(request, ServerKind::kVllm));
  }

  void bytesThatAreNoTextAreRepaired() {
    Dialogue dialogue;
    dialogue.messages = {{ChatRole::kUser, "a\xff"}};
    QVERIFY(chatBody({dialogue, {}, "m", ServerKind::kVllm}).find("\xef\xbf\xbd") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestChatBody)
#include "tst_chat_body.moc"
