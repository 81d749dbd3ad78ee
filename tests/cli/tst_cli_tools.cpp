// Tools on the command line: what the template gets, how a call and its result are shown and taken, in chats,
// answers and request lines. The model calls get_weather, and says "Hi!" behind a result.
#include "support/chain_model.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>

#include "cli_runner.h"

using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

constexpr const char* kTools =
    "[{\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"parameters\":{\"type\":\"object\"}}}]";
constexpr const char* kMessages =
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content }}{%- for c in m.tool_calls or "
    "[] %}"
    "{{- c.function.name }}{{- c.function.arguments | tojson }}{%- endfor %}"
    "{{- '<|endoftext|>\n' if m.role == 'assistant' else '<|im_end|>\n' }}{%- endfor %}"
    "{{- '<|endoftext|>' if messages[-1].role == 'tool' else '<|im_start|>assistant\n' }}";
constexpr const char* kCall = "[TOOL_CALLS]get_weather{\"city\": \"Paris\"}";

}  // namespace

class TestCliTools : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  QString m_model, m_tools;

  QString file(const char* name, const std::string& text) {
    const QString path = m_folder.filePath(name);
    std::ofstream(path.toStdString(), std::ios::binary) << text;
    return path;
  }

 private slots:
  // The parts of the call are tokens, since no token stands twice in what the model says.
  void initTestCase() {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ifstream original(kTokenizer / "tokenizer.json");
    auto json = nlohmann::json::parse(original);
    int id = 0;
    for (const auto& token : json["added_tokens"]) id = std::max(id, token["id"].get<int>());
    for (const char* const piece : {"[TOOL_CALLS]", "get_weather", "{\"city\": \"Paris\"}"}) {
      auto token = json["added_tokens"].back();
      token["content"] = piece;
      token["id"] = ++id;
      token["special"] = *piece == '[';
      json["added_tokens"].push_back(token);
    }
    std::filesystem::create_directories(folder / "tokenizer");
    std::ofstream(folder / "tokenizer/tokenizer.json") << json.dump();
    const std::string withTools = std::string("{%- if tools %}{{- tools | tojson }}{%- endif %}") + kMessages;
    const std::string said = std::string(kCall) + "<|endoftext|>Hi!";
    QVERIFY(write({folder / "tokenizer", withTools, "assistant\n", said, "<|im_end|>"}, folder / "model"));
    m_model = m_folder.filePath("model");
    m_tools = file("tools.json", kTools);
  }

  void aChatAsksForTheResultOfACall() {
    const CliResult result = runCli({"chat", "--model", m_model, "--tools", m_tools}, "Weather?\nSunny\n");
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.out, QByteArray("→ get_weather {\"city\":\"Paris\"}\nHi!\n"));
    QVERIFY2(!result.err.contains("note:"), result.err);
    // An empty line is an empty result.
    const CliResult empty =
        runCli({"chat", "--model", m_model, "--tools", m_tools}, "Weather?\n\nWeather?\n");
    QCOMPARE(empty.out,
             QByteArray("→ get_weather {\"city\":\"Paris\"}\nHi!\n→ get_weather {\"city\":\"Paris\"}\n"));
    QCOMPARE(empty.status, 0);
    QVERIFY2(empty.err.contains("ended before the result of get_weather"), empty.err);
    // Without tools the text is what it is.
    QCOMPARE(runCli({"chat", "--model", m_model}, "Weather?\n").out, QByteArray(kCall) + "\n");
  }

  void anAnswerListsItsCalls() {
    const QStringList ask = {"generate", "--model", m_model, "--prompt", "Weather?", "--chat", "--json"};
    const CliResult result = runCli(ask + QStringList{"--tools", m_tools});
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject answer = result.json()["sequences"][0].toObject();
    QCOMPARE(answer["text"].toString(), QString(kCall));
    const QJsonObject call = answer["tool_calls"][0].toObject();
    QCOMPARE(call["id"].toString(), QString("call00001"));
    QCOMPARE(call["function"]["name"].toString(), QString("get_weather"));
    QCOMPARE(call["function"]["arguments"].toString(), QString("{\"city\":\"Paris\"}"));
    QVERIFY(!runCli(ask).json()["sequences"][0].toObject().contains("tool_calls"));
  }

  void aRequestLineHasToolsAndMessages() {
    const QString requests =
        file("requests.jsonl", std::string("{\"id\":\"a\",\"chat\":true,\"prompt\":\"Weather?\",\"tools\":") +
                                   kTools +
                                   "}\n{\"id\":\"b\",\"chat\":true,\"messages\":[{\"role\":\"user\","
                                   "\"content\":\"Weather?\"},{\"role\":"
                                   "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"x\",\"type\":"
                                   "\"function\",\"function\":{\"name\":"
                                   "\"get_weather\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_"
                                   "id\":\"x\",\"content\":\"Sunny\"}],"
                                   "\"tools\":" +
                                   kTools + "}\n");
    const CliResult result = runCli({"run", "--model", m_model, "--requests", requests, "--json"});
    QVERIFY2(result.status == 0, result.err + result.out);
    const QJsonArray answers = result.json()["requests"].toArray();
    QCOMPARE(answers[0]["sequences"][0]["tool_calls"].toArray().size(), 1);
    QCOMPARE(answers[1]["sequences"][0]["text"].toString(), QString("Hi!"));
    QVERIFY(!answers[1]["sequences"][0].toObject().contains("tool_calls"));
  }

  void aTemplateWithoutToolsIsNamed() {
    const QString bare = file("bare.jinja", kMessages);
    const QStringList words = {"--model", m_model, "--template", bare, "--tools", m_tools};
    const CliResult one = runCli(QStringList{"generate", "--prompt", "Weather?", "--chat"} + words);
    QCOMPARE(one.status, 0);
    QVERIFY2(one.err.contains("note: the chat template leaves the tools out"), one.err);
    QVERIFY(runCli(QStringList{"chat"} + words, "Weather?\n").err.contains("leaves the tools out"));
    const QString requests = file(
        "noted.jsonl", std::string("{\"chat\":true,\"prompt\":\"Weather?\",\"tools\":") + kTools + "}\n");
    const CliResult many = runCli({"run", "--model", m_model, "--template", bare, "--requests", requests});
    QCOMPARE(many.err.count("leaves the tools out"), 1);
  }

  void whatIsWrongIsNamed() {
    const QStringList ask = {"generate", "--model", m_model, "--prompt", "Weather?"};
    const CliResult alone = runCli(ask + QStringList{"--tools", m_tools});
    QCOMPARE(alone.status, 2);
    QVERIFY2(alone.err.contains("--tools needs --chat"), alone.err);
    const QString nameless = file("nameless.json", "[{\"type\":\"function\",\"function\":{}}]");
    for (const char* const command : {"generate", "chat"}) {
      QStringList words = {command, "--model", m_model, "--tools", nameless};
      if (words[0] == "generate") words += {"--prompt", "a", "--chat"};
      const CliResult wrong = runCli(words, "Hi\n");
      QCOMPARE(wrong.status, 2);
      QVERIFY2(wrong.err.contains("nameless.json: \"tools\": tool 1 should have a \"name\""), wrong.err);
    }
    // A template is tried with tools of any shape.
    const CliResult tried = runCli({"template", "--model", m_model, "--tools", nameless, "--messages",
                                    file("messages.json", R"([{"role":"user","content":"a"}])")});
    QVERIFY2(tried.status == 0 && tried.out.contains("\"function\""), tried.err);
  }
};

QTEST_GUILESS_MAIN(TestCliTools)
#include "tst_cli_tools.moc"
