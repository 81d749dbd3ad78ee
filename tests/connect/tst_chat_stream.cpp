// Answers of OpenAI-compatible servers, as each of them writes its chunks; and what is no answer.
#include "connect/chat_stream.h"

#include <QTest>
#include <algorithm>
#include <string>

#include "connect/model_list.h"
#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::connect;

namespace {

std::vector<ChatChunk> chunksOf(const std::string& bytes) {
  std::vector<ChatChunk> chunks;
  ChatStream().take(bytes, chunks);
  return chunks;
}

// The JSON may stand on several lines here.
std::string message(std::string json) {
  std::ranges::replace(json, '\n', ' ');
  return "data: " + json + "\n\n";
}

// The code of what the bytes end with; nothing when all are taken.
std::optional<ErrorCode> codeOf(const std::string& bytes) {
  try {
    chunksOf(bytes);
    return std::nullopt;
  } catch (const EngineError& error) {
    return error.code();
  }
}

}  // namespace

class TestChatStream : public QObject {
  Q_OBJECT

 private slots:
  // As vLLM writes them: the role first, then a token a chunk, the usage behind the end.
  void theChunksOfAnAnswerAreRead() {
    ChatStream stream;
    std::vector<ChatChunk> chunks;
    stream.take(
        message(R"({"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,
                    "delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]})") +
            message(R"({"choices":[{"index":0,"delta":{"content":"Hi"},"logprobs":{"content":[{"token":"Hi",
                    "logprob":-0.25,"bytes":[72,105],"top_logprobs":[{"token":"Hi","logprob":-0.25,"bytes":
                    [72,105]},{"token":"Yo","logprob":-1.75,"bytes":[89,111]}]}]},"finish_reason":null}]})") +
            message(R"({"choices":[{"index":0,"delta":{"content":""},"finish_reason":"length"}]})") +
            message(R"({"choices":[],"usage":{"prompt_tokens":9,"total_tokens":10,"completion_tokens":1,
                    "prompt_tokens_details":{"cached_tokens":8}}})") +
            "data: [DONE]\n\n",
        chunks);
    QCOMPARE(chunks.size(), std::size_t{3});
    QCOMPARE(chunks[0].text, std::string("Hi"));
    QCOMPARE(chunks[0].tokens.size(), std::size_t{1});
    QCOMPARE(chunks[0].tokens[0].logprob, -0.25);
    QCOMPARE(chunks[0].tokens[0].alternatives.size(), std::size_t{2});
    QCOMPARE(chunks[0].tokens[0].alternatives[1].text, std::string("Yo"));
    QCOMPARE(chunks[1].end, std::optional(FinishReason::kLength));
    QVERIFY(chunks[2].usage == ChatUsage({9, 1, 8}));
    QVERIFY(stream.hasEnded());
  }

  void aPartOfACharacterHasItsBytes() {
    const auto chunks =
        chunksOf(message(R"({"choices":[{"delta":{"content":""},"logprobs":{"content":[{"token":"\ufffd",
                    "logprob":-1,"bytes":[240,159]}]}}]})"));
    QCOMPARE(chunks.at(0).tokens.at(0).text, std::string("\xf0\x9f"));
  }

  void thoughtsStandBesideTheAnswer() {
    for (const char* key : {"reasoning_content", "reasoning"}) {
      const auto chunks =
          chunksOf(message(R"({"choices":[{"delta":{"content":null,")" + std::string(key) + R"(":"Hm"}}]})"));
      QCOMPARE(chunks.at(0).thought, std::string("Hm"));
      QVERIFY(chunks.at(0).text.empty());
    }
  }

  void wordsOfAnErrorAreHandedOn() {
    try {
      chunksOf(message(R"({"error":{"message":"the model is overloaded","code":503}})"));
      QFAIL("no error");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kUnavailable);
      QVERIFY(QString(error.what()).contains("the model is overloaded"));
    }
    QCOMPARE(errorWords(R"({"error":{"message":"no"}})"), std::string("no"));
    QCOMPARE(errorWords(R"({"error":"no"})"), std::string("no"));
    QCOMPARE(errorWords(R"({"object":"error","message":"no"})"), std::string("no"));
    QCOMPARE(errorWords(R"({"detail":"Not Found"})"), std::string("Not Found"));
    QCOMPARE(errorWords("Bad Gateway"), std::string("Bad Gateway"));
    QVERIFY(errorWords(std::string(10000, 'x')).size() < 400);
  }

  void whatCameBeforeAnErrorIsThere() {
    ChatStream stream;
    std::vector<ChatChunk> chunks;
    const std::string bytes = message(R"({"choices":[{"delta":{"content":"Hi"}}]})") + message("<");
    QVERIFY_THROWS_EXCEPTION(EngineError, stream.take(bytes, chunks));
    QCOMPARE(chunks.size(), std::size_t{1});
  }

  void whatIsNoChunkIsRefused_data() {
    QTest::addColumn<QString>("json");
    for (const char* json :
         {"{", "[]", "3", "{}", R"({"choices":{}})", R"({"choices":[{"delta":{"content":3}}]})",
          R"({"choices":[{"delta":{},"logprobs":{"content":[{"token":"a"}]}}]})",
          R"({"choices":[{"delta":{},"logprobs":{"content":[{"token":"a","logprob":"b"}]}}]})",
          R"({"choices":[{"delta":{},"logprobs":{"content":[{"token":"a","logprob":-1,"bytes":[256]}]}}]})",
          R"({"choices":[{"delta":{},"logprobs":{"content":[3]}}]})"})
      QTest::newRow(json) << json;
  }
  void whatIsNoChunkIsRefused() {
    QFETCH(QString, json);
    QCOMPARE(codeOf(message(json.toStdString())), std::optional(ErrorCode::kFileCorrupt));
  }

  // Values of other kinds where nothing depends on them.
  void whatMattersNotIsPassedOver() {
    QVERIFY(chunksOf(message(R"({"choices":[3]})")).empty());
    QVERIFY(chunksOf(message(R"({"choices":[{"delta":null,"logprobs":[],"finish_reason":3}]})")).empty());
    QVERIFY(chunksOf(message(R"({"choices":[],"usage":{"prompt_tokens":-3}})")).at(0).usage == ChatUsage());
  }

  void modelsAreListed() {
    const ModelList vllm = modelListOf(
        R"({"object":"list","data":[{"id":"Qwen/Qwen3-8B","object":"model","created":1,"owned_by":"vllm",
            "root":"Qwen/Qwen3-8B","parent":null,"max_model_len":40960}]})");
    QCOMPARE(vllm.kind, ServerKind::kVllm);
    QVERIFY(vllm.models == std::vector<ServedModelName>({{"Qwen/Qwen3-8B", 40960}}));
    const ModelList llama = modelListOf(
        R"({"models":[],"object":"list","data":[{"id":"q.gguf","owned_by":"llamacpp","meta":{"n_ctx_train":
            32768}}]})");
    QCOMPARE(llama.kind, ServerKind::kLlamaCpp);
    QCOMPARE(llama.models.at(0).contextLength, 32768);
    QCOMPARE(modelListOf(R"({"data":[{"id":"gpt","owned_by":"system"}]})").kind, ServerKind::kUnknown);
    for (const char* bad : {"", "{}", "[]", R"({"data":3})", R"({"data":[]})", R"({"data":[{"id":3}]})"})
      QVERIFY_THROWS_EXCEPTION(EngineError, modelListOf(bad));
  }
};

QTEST_APPLESS_MAIN(TestChatStream)
#include "tst_chat_stream.moc"
