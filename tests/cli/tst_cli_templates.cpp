// Chat templates on the command line: the model's own, another one, one that cannot be followed, what one
// refuses, and a thought that the prompt opens.
#include "support/chain_model.h"
#include "support/more_tokens.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli_runner.h"

using namespace vitrine::test;

namespace {

const std::filesystem::path kTokenizer =
    std::filesystem::path(VITRINE_SOURCE_DIR) / "tests/golden/tokenizers/qwen2";

constexpr const char* kTurns =
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{%- endfor %}";
constexpr const char* kAnswer = "{{- '<|im_start|>assistant\n' }}";
constexpr const char* kTakesNoSystem =
    "{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}";

}  // namespace

class TestCliTemplates : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString model(const char* name, const std::string& chatTemplate, const char* promptEnd,
                const char* answer) {
    const QString folder = m_folder.filePath(name);
    return write({kTokenizer, chatTemplate, promptEnd, answer, "<|im_end|>"}, folder.toStdString())
               ? folder
               : QString();
  }
  QString file(const char* name, const std::string& text) {
    const QString path = m_folder.filePath(name);
    std::ofstream(path.toStdString(), std::ios::binary) << text;
    return path;
  }

 private slots:
  void aThoughtStandsApart() {
    const QString thinker = model("thinker", std::string(kTurns) + "<|im_start|>assistant\n<think>",
                                  "<think>", "So, help.</think>\n\nHi!");
    QVERIFY(!thinker.isEmpty());
    const CliResult result = runCli({"chat", "--model", thinker}, "Who?\nAnd?\n");
    QCOMPARE(result.status, 0);
    QCOMPARE(result.out, QByteArray("Hi!\nHi!\n"));
    QVERIFY2(result.err.contains("So, help.") && !result.err.contains("think"), result.err);
    const CliResult cut = runCli({"chat", "--model", thinker, "--max-tokens", "2"}, "Who?\n");
    QVERIFY2(cut.err.contains("still thinking") && cut.err.contains("--max-tokens"), cut.err);
  }

  void theMarksOfChannelsAreNotSaid() {
    const std::filesystem::path words = m_folder.filePath("channel-words").toStdString();
    writeTokenizer(kTokenizer, channelTokens(), words);
    const auto saying = [&](const char* name, const char* answer) {
      const QString folder = m_folder.filePath(name);
      return write({words, kChannelTemplate, "<|start|>assistant", answer, "<|return|>"},
                   folder.toStdString())
                 ? folder
                 : QString();
    };
    const QString thinker = saying("channels",
                                   "<|channel|>analysis<|message|>So, help.<|end|><|start|>"
                                   "assistant<|channel|>final<|message|>Hi!");
    QVERIFY(!thinker.isEmpty());
    const CliResult chat = runCli({"chat", "--model", thinker}, "Who?\nAnd?\n");
    QCOMPARE(chat.status, 0);
    QCOMPARE(chat.out, QByteArray("Hi!\nHi!\n"));
    QVERIFY2(chat.err.contains("So, help.") && !chat.err.contains("<|"), chat.err);
    // Nor where a limit cuts them.
    for (const char* tokens : {"1", "2", "3", "5", "7", "8", "9", "10", "11"}) {
      const CliResult cut = runCli({"chat", "--model", thinker, "--max-tokens", tokens}, "Who?\n");
      QVERIFY2(!cut.out.contains("<|") && !cut.err.contains("<|"), cut.out + cut.err);
    }
    const QString blunt = saying("blunt", "<|channel|>final<|message|>Hi!");
    QVERIFY(!blunt.isEmpty());
    QCOMPARE(runCli({"chat", "--model", blunt}, "Who?\n").out, QByteArray("Hi!\n"));
    // One text is what the model wrote, as with other families' marks, to its very end.
    const CliResult one = runCli({"generate", "--prompt", "Who?", "--chat", "--model", thinker});
    QCOMPARE(one.status, 0);
    QVERIFY2(one.out.endsWith("final<|message|>Hi!\n"), one.out);
  }

  void aCallInAChannel() {
    const std::filesystem::path words = m_folder.filePath("call-words").toStdString();
    TokensToAdd added = channelTokens();
    for (const char* mark : {"<|constrain|>", "<|call|>"}) added.special.emplace_back(mark);
    for (const char* word :
         {"commentary", "I look.<|end|><|start|>assistant<|channel|>commentary to=functions.",
          "json<|message|>", "{\"city\": \"Paris\"}"})
      added.words.emplace_back(word);
    writeTokenizer(kTokenizer, added, words);
    const QString caller = m_folder.filePath("caller");
    QVERIFY(write({words, kChannelTemplate, "<|start|>assistant",
                   "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary "
                   "to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Paris\"}",
                   "<|call|>"},
                  caller.toStdString()));
    const QString tools =
        file("tools.json", R"([{"type":"function","function":{"name":"get_weather","parameters":{}}}])");
    const CliResult chat = runCli({"chat", "--model", caller, "--tools", tools}, "Weather?\n");
    QCOMPARE(chat.out, QByteArray("I look.\n\n→ get_weather {\"city\":\"Paris\"}\n"));
    const CliResult one =
        runCli({"generate", "--prompt", "Weather?", "--chat", "--json", "--model", caller, "--tools", tools});
    QVERIFY2(one.status == 0, one.err);
    const QJsonArray calls = one.json()["sequences"][0]["tool_calls"].toArray();
    QCOMPARE(calls.size(), 1);
    QCOMPARE(calls[0]["function"]["name"].toString(), QString("get_weather"));
    // Words before a call have no marks, wherever a limit cuts what follows them.
    for (const char* tokens : {"1", "2", "3", "5"}) {
      const CliResult cut = runCli({"chat", "--model", caller, "--max-tokens", tokens}, "Weather?\n");
      QVERIFY2(!cut.out.contains("<|") && !cut.err.contains("<|"), cut.out + cut.err);
    }
  }

  void aTemplateRefusesInItsOwnWords() {
    const QString strict =
        model("strict", kTakesNoSystem + std::string(kTurns) + kAnswer, "assistant\n", "Hi!");
    QVERIFY(!strict.isEmpty());
    QCOMPARE(runCli({"chat", "--model", strict}, "Who?\n").out, QByteArray("Hi!\n"));
    const CliResult refused = runCli({"chat", "--model", strict, "--system", "Be brief."}, "Who?\n");
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.err.contains("System role not supported"), refused.err);
    QVERIFY2(refused.err.contains("Put the system text before the first question."), refused.err);
    // Another template takes it.
    const QString other = file("other.jinja", std::string(kTurns) + kAnswer);
    const CliResult taken =
        runCli({"chat", "--model", strict, "--system", "Be brief.", "--template", other}, "Who?\n");
    QCOMPARE(taken.out, QByteArray("Hi!\n"));
    const QStringList ask = {"--model", strict, "--template", other, "--json"};
    const CliResult one = runCli(QStringList{"generate", "--prompt", "Who?", "--chat"} + ask);
    QCOMPARE(one.status, 0);
    QVERIFY2(one.out.contains("\"text\":\"Hi!\""), one.out);
    const QString requests = file("requests.jsonl", R"({"id":"a","prompt":"Who?","chat":true})");
    const CliResult many = runCli(QStringList{"run", "--requests", requests} + ask);
    QVERIFY2(many.out.contains("\"text\":\"Hi!\""), many.out);
  }

  void oneThatCannotBeFollowedIsNamed() {
    const QString broken = model("broken", "{% for m in messages %}", "Assistant:", "Hi!");
    QVERIFY(!broken.isEmpty());
    const CliResult plain = runCli({"generate", "--prompt", "Who?", "--chat", "--model", broken});
    QCOMPARE(plain.status, 0);
    QCOMPARE(plain.out, QByteArray("Hi!\n"));
    QVERIFY2(plain.err.contains("template cannot be followed (line 1"), plain.err);
    QVERIFY(!runCli({"generate", "--prompt", "Who?", "--model", broken}).err.contains("template"));
    // A file that a person names is not passed over.
    const CliResult named =
        runCli({"chat", "--model", broken, "--template", file("bad.jinja", "{{ unfinished")}, "Who?\n");
    QCOMPARE(named.status, 1);
    QVERIFY2(named.err.contains("line 1"), named.err);
  }
};

QTEST_GUILESS_MAIN(TestCliTemplates)
#include "tst_cli_templates.moc"
