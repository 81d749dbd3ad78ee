// Request bodies: what the engine is asked for, and which fields are refused by name.
#include "server/api_plan.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace vitrine;
using namespace vitrine::server;

namespace {

ServedModel model() {
  ServedModel model;
  model.name = "m";
  model.sampling.temperature = 0.6;
  model.sampling.topP = 0.9;
  return model;
}

ApiPlan chatPlan(const std::string& fields, const ServedModel& served = model()) {
  return planOf(ApiKind::kChat, parseJson(R"({"messages":[{"role":"user","content":"Hi"}])" + fields + "}"),
                served);
}
ApiPlan completionPlan(const std::string& fields) {
  return planOf(ApiKind::kCompletion, parseJson("{" + fields + "}"), model());
}
const Request& requestOf(const ApiPlan& plan) { return plan.prompts.front().request; }

HttpRequest posted(const std::string& body, const std::string& type = "application/json") {
  return {"POST", "/v1/completions", "", {{"content-type", type}}, body};
}

}  // namespace

class TestApiPlan : public QObject {
  Q_OBJECT

 private slots:
  void aChatTakesTheModelsDefaults() {
    const ApiPlan plan = chatPlan(R"(,"model":"m","user":"u","metadata":{"a":"b"},"store":false)");
    QVERIFY(plan.prompts.size() == 1 && plan.prompts.front().chat);
    QCOMPARE(plan.prompts.front().messages.front().text, std::string("Hi"));
    QCOMPARE(requestOf(plan).sampling.temperature, 0.6);
    QCOMPARE(requestOf(plan).sampling.topP, 0.9);
    QCOMPARE(requestOf(plan).maxTokens, 0);
    QVERIFY(!plan.streams && !plan.logprobs && !plan.tokenIds);
  }

  void everyOptionIsTaken() {
    const ApiPlan plan = chatPlan(
        R"(,"temperature":1.5,"top_p":0.5,"top_k":7,"min_p":0.1,"typical_p":0.8,"presence_penalty":0.25,
        "frequency_penalty":-0.5,"repetition_penalty":1.1,"seed":42,"n":3,"stop":["a","b"],"ignore_eos":true,
        "max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true},"logprobs":true,
        "top_logprobs":4,"return_token_ids":true)");
    const Request& request = requestOf(plan);
    const SamplingOptions& sampling = request.sampling;
    QCOMPARE(sampling.temperature, 1.5);
    QCOMPARE(sampling.topP, 0.5);
    QCOMPARE(sampling.topK, 7);
    QCOMPARE(sampling.minP, 0.1);
    QCOMPARE(sampling.typicalP, 0.8);
    QCOMPARE(sampling.presencePenalty, 0.25);
    QCOMPARE(sampling.frequencyPenalty, -0.5);
    QCOMPARE(sampling.repetitionPenalty, 1.1);
    QCOMPARE(sampling.seed, std::uint64_t{42});
    QCOMPARE(request.sequences, 3);
    QCOMPARE(request.stop, (std::vector<std::string>{"a", "b"}));
    QVERIFY(request.ignoreEos);
    QCOMPARE(request.maxTokens, 9);
    QCOMPARE(request.logprobs, 4);
    QVERIFY(plan.streams && plan.includesUsage && plan.logprobs && plan.tokenIds);
    QCOMPARE(plan.topLogprobs, 4);
    QCOMPARE(plan.answers(), 3);
  }

  void whatOthersSpellOtherwiseMeansTheSame() {
    QCOMPARE(requestOf(chatPlan(R"(,"top_k":-1)")).sampling.topK, 0);
    QCOMPARE(requestOf(chatPlan(R"(,"stop":"x")")).stop, std::vector<std::string>{"x"});
    QCOMPARE(requestOf(chatPlan(R"(,"seed":-1)")).sampling.seed, ~std::uint64_t{0});
    QCOMPARE(requestOf(chatPlan(R"(,"max_tokens":5,"max_completion_tokens":5)")).maxTokens, 5);
    QCOMPARE(requestOf(chatPlan(R"(,"stop":null,"seed":null,"temperature":null,"tools":null)")).maxTokens, 0);
    // Lower first is vLLM's order, larger first the engine's.
    ServedModel ordered = model();
    ordered.hasPriorities = true;
    QCOMPARE(requestOf(chatPlan(R"(,"priority":-5)", ordered)).priority, 5);
  }

  void aRequestWithoutASeedIsDrawnAnew() {
    QVERIFY(requestOf(chatPlan("")).sampling.seed != requestOf(chatPlan("")).sampling.seed);
  }

  void aCompletionTakesTextIdsAndListsOfThem() {
    QCOMPARE(requestOf(completionPlan(R"("prompt":"Once")")).prompt, std::string("Once"));
    QCOMPARE(requestOf(completionPlan(R"("prompt":"Once")")).maxTokens, 16);
    QCOMPARE(requestOf(completionPlan(R"("prompt":[1,2])")).tokenIds, (std::vector<TokenId>{1, 2}));
    const ApiPlan two = completionPlan(R"("prompt":["a","b"],"n":2,"logprobs":0,"best_of":2)");
    QCOMPARE(two.prompts.size(), std::size_t{2});
    QCOMPARE(two.prompts[1].request.prompt, std::string("b"));
    QCOMPARE(two.answers(), 4);
    QVERIFY(two.logprobs && two.topLogprobs == 0 && requestOf(two).logprobs == 1);
    QCOMPARE(completionPlan(R"("prompt":[[1],[2,3]])").prompts[1].request.tokenIds,
             (std::vector<TokenId>{2, 3}));
  }

  void whatAsksForNothingIsTaken() {
    chatPlan(R"(,"tools":[],"tool_choice":"none","response_format":{"type":"text"},"logit_bias":{},"n":1,
      "modalities":["text"],"parallel_tool_calls":true,"service_tier":"auto","min_tokens":0)");
    completionPlan(R"("prompt":"a","echo":false,"suffix":"","best_of":1,"use_beam_search":false)");
  }

  void theFormOfTheAnswerIsTaken() {
    const auto schemaOf = [](const char* fields) { return requestOf(chatPlan(fields)).jsonSchema; };
    QCOMPARE(schemaOf(R"(,"response_format":{"type":"json_object"})"), R"({"type":"object"})");
    // The order of properties is that of the request.
    QCOMPARE(schemaOf(R"(,"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,
             "schema":{"properties":{"z":{},"a":{}}}}})"),
             R"({"properties":{"z":{},"a":{}}})");
    QCOMPARE(schemaOf(R"(,"structured_outputs":{"json":{"type":"null"},"regex":null})"),
             R"({"type":"null"})");
    QCOMPARE(schemaOf(R"(,"structured_outputs":{"json":"{}"})"), "{}");
    QCOMPARE(schemaOf(R"(,"structured_outputs":{"json_object":true,"disable_any_whitespace":false})"),
             R"({"type":"object"})");
    QCOMPARE(schemaOf(R"(,"guided_json":{"type":"null"})"), R"({"type":"null"})");
    QCOMPARE(requestOf(chatPlan(R"(,"structured_outputs":{"regex":"a+"})")).regex, "a+");
    QCOMPARE(requestOf(completionPlan(R"("prompt":"a","guided_regex":"a+")")).regex, "a+");
    QCOMPARE(requestOf(chatPlan(R"(,"guided_choice":["a","b"])")).choice,
             (std::vector<std::string>{"a", "b"}));
    QCOMPARE(requestOf(chatPlan(R"(,"structured_outputs":{"grammar":"root ::= [a]"})")).grammar,
             "root ::= [a]");
  }

  // Penalties change a search; the model's other recommendations are for draws.
  void aSearchHasAsManyBeamsAsAnswers() {
    ServedModel served = model();
    served.sampling.repetitionPenalty = 1.25;
    served.sampling.topK = 20;
    const ApiPlan plan = chatPlan(
        R"(,"use_beam_search":true,"n":4,"length_penalty":0.5,"temperature":0,"top_p":1,"top_k":-1,"min_p":0,
        "typical_p":1,"seed":3,"presence_penalty":0.5,"best_of":4,"beam_width":4,"early_stopping":null)",
        served);
    QVERIFY(plan.searches());
    const Request& request = requestOf(plan);
    QCOMPARE(request.beamWidth, 4);
    QCOMPARE(request.sequences, 4);
    QCOMPARE(request.lengthPenalty, 0.5);
    SamplingOptions penalties;
    penalties.repetitionPenalty = 1.25;
    penalties.presencePenalty = 0.5;
    penalties.seed = 3;
    QVERIFY(request.sampling == penalties);
    const ApiPlan bare = chatPlan(R"(,"use_beam_search":true,"n":2)", served);
    QCOMPARE(requestOf(bare).sampling.temperature, 0.0);
    QCOMPARE(requestOf(bare).sampling.topP, 1.0);
    QCOMPARE(requestOf(bare).sampling.topK, 0);
    // One beam is the greedy answer.
    const ApiPlan one = completionPlan(R"("prompt":"a","use_beam_search":true)");
    QVERIFY(!one.searches() && requestOf(one).sampling.temperature == 0);
    QVERIFY(!chatPlan(R"(,"use_beam_search":false,"n":2,"beam_width":1,"length_penalty":1)").searches());
  }

  void whatWouldChangeTheAnswerIsRefusedByName_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QByteArray>("param");
    const auto row = [](const char* fields, const char* param) {
      QTest::newRow(fields) << QByteArray(fields) << QByteArray(param);
    };
    row(R"("tools":[{"type":"function"}])", "tools");
    row(R"("tool_choice":"required")", "tool_choice");
    row(R"("response_format":{"type":"xml"})", "response_format");
    row(R"("response_format":{"type":"json_schema"})", "response_format");
    row(R"("response_format":"json")", "response_format");
    row(R"("structured_outputs":{"structural_tag":"x"})", "structured_outputs.structural_tag");
    row(R"("structured_outputs":{"choice":[]})", "structured_outputs.choice");
    row(R"("structured_outputs":{"choice":["a",1]})", "structured_outputs.choice");
    row(R"("structured_outputs":{"regex":""})", "structured_outputs.regex");
    row(R"("structured_outputs":[])", "structured_outputs");
    row(R"("guided_json":5)", "guided_json");
    row(R"("guided_decoding_backend":"x")", "guided_decoding_backend");
    row(R"("logit_bias":{"5":1})", "logit_bias");
    row(R"("reasoning_effort":"low")", "reasoning_effort");
    row(R"("chat_template_kwargs":{"enable_thinking":true})", "chat_template_kwargs");
    row(R"("best_of":2)", "best_of");
    row(R"("something":1)", "something");
    row(R"("temperature":-1)", "temperature");
    row(R"("temperature":"hot")", "temperature");
    row(R"("top_p":0)", "top_p");
    row(R"("top_p":1.1)", "top_p");
    row(R"("top_k":-2)", "top_k");
    row(R"("n":0)", "n");
    row(R"("n":1.5)", "n");
    row(R"("n":99999999999)", "n");
    row(R"("max_tokens":0)", "max_tokens");
    row(R"("max_tokens":5,"max_completion_tokens":6)", "max_completion_tokens");
    row(R"("stop":[""])", "stop");
    row(R"("stop":["1","2","3","4","5","6","7","8","9","0","a","b","c","d","e","f","g"])", "stop");
    row(R"("stop":5)", "stop");
    row(R"("seed":1.5)", "seed");
    row(R"("stream":"yes")", "stream");
    row(R"("stream":true,"stream_options":{"more":true})", "stream_options.more");
    row(R"("stream_options":{"include_usage":true})", "stream_options");
    row(R"("top_logprobs":2)", "top_logprobs");
    row(R"("logprobs":true,"top_logprobs":21)", "top_logprobs");
    row(R"("logprobs":3)", "logprobs");
    row(R"("priority":1)", "priority");
    row(R"("prompt":"x")", "prompt");
    row(R"("use_beam_search":"yes")", "use_beam_search");
    row(R"("use_beam_search":true,"n":17)", "n");
    row(R"("use_beam_search":true,"n":2,"temperature":0.5)", "temperature");
    row(R"("use_beam_search":true,"n":2,"top_p":0.9)", "top_p");
    row(R"("use_beam_search":true,"n":2,"top_k":5)", "top_k");
    row(R"("use_beam_search":true,"n":2,"min_p":0.1)", "min_p");
    row(R"("use_beam_search":true,"n":2,"typical_p":0.9)", "typical_p");
    row(R"("use_beam_search":true,"n":2,"length_penalty":11)", "length_penalty");
    row(R"("use_beam_search":true,"n":2,"best_of":3)", "best_of");
    row(R"("use_beam_search":true,"n":2,"beam_width":3)", "beam_width");
    row(R"("length_penalty":0.5)", "length_penalty");
    row(R"("n":2,"beam_width":2)", "beam_width");
  }
  void whatWouldChangeTheAnswerIsRefusedByName() {
    QFETCH(QByteArray, fields);
    QFETCH(QByteArray, param);
    try {
      chatPlan("," + fields.toStdString());
      QFAIL("it was taken");
    } catch (const ApiError& error) {
      const Json said = error.toJson()["error"];
      QCOMPARE(error.status(), 400);
      QCOMPARE(said["param"].dump(), '"' + param.toStdString() + '"');
      QCOMPARE(said["type"].dump(), std::string("\"invalid_request_error\""));
      QVERIFY(said["message"].dump().find("--") == std::string::npos || param == "priority");
    }
  }

  void promptsThatAreNoneAreRefused_data() {
    QTest::addColumn<QByteArray>("fields");
    for (const char* fields :
         {"", R"("prompt":"")", R"("prompt":[])", R"("prompt":5)", R"("prompt":[1,"a"])", R"("prompt":[-1])",
          R"("prompt":[4294967296])", R"("prompt":[[]])", R"("prompt":["a",""])", R"("prompt":null)"})
      QTest::newRow(*fields == '\0' ? "none" : fields) << QByteArray(fields);
  }
  void promptsThatAreNoneAreRefused() {
    QFETCH(QByteArray, fields);
    QVERIFY_EXCEPTION_THROWN(completionPlan(fields.toStdString()), ApiError);
  }

  void messagesThatAreNoneAreRefused() {
    for (const char* messages : {"[]", "5", R"([{"role":"robot","content":"a"}])", R"([{"role":"user"}])",
                                 R"([{"role":"user","content":[{"type":"image_url"}]}])"})
      QVERIFY_EXCEPTION_THROWN(
          planOf(ApiKind::kChat, parseJson(std::string(R"({"messages":)") + messages + "}"), model()),
          ApiError);
  }

  void anotherModelIsNotThere() {
    try {
      chatPlan(R"(,"model":"gpt")");
      QFAIL("it was taken");
    } catch (const ApiError& error) {
      QCOMPARE(error.status(), 404);
      QCOMPARE(error.toJson()["error"]["code"].dump(), std::string("\"model_not_found\""));
    }
  }

  void bodiesOutsideTheBoundsAreRefused() {
    const std::string deep = R"({"a":)" + std::string(40, '[') + std::string(40, ']') + "}";
    for (const std::string& body :
         {std::string(), std::string("["), std::string("[]"), std::string("5"), deep,
          std::string(R"({"a":1,"a":2})"), std::string("{\"a\":\"\xff\"}"), std::string(R"({"a":"\ud800"})"),
          std::string("{}\0", 3), std::string(R"({"a":1} x)")}) {
      try {
        jsonBodyOf(posted(body));
        QFAIL(body.c_str());
      } catch (const ApiError& error) {
        QCOMPARE(error.status(), 400);
      }
    }
    QVERIFY(jsonBodyOf(posted(R"({"a":1})", "application/json; charset=utf-8")).contains("a"));
    for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded"}) {
      try {
        jsonBodyOf(posted("{}", type));
        QFAIL(type);
      } catch (const ApiError& error) {
        QCOMPARE(error.status(), 415);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestApiPlan)
#include "tst_api_plan.moc"
