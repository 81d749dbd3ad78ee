// tokenize, detokenize, generate from text, and the terminal chat on a pipe.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "cli/cli_runner.h"

using namespace vitrine::test;

namespace {

QString tokenizerFolder(const char* name) {
  return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/tokenizers/") + name;
}

// The id of the first ordinary text: ids below 320, which the small golden model knows.
constexpr const char* kText = "ab";

}  // namespace

class TestCliText : public QObject {
  Q_OBJECT

 private slots:
  // A model that can read and write: the golden llama beside a tokenizer whose ordinary ids it knows.
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    m_model = m_folder.filePath("speaking");
    QVERIFY(QDir().mkpath(m_model));
    for (const char* file : {"config.json", "model.safetensors"})
      QVERIFY(QFile::copy(goldenModel("llama") + "/" + file, m_model + "/" + file));
    for (const char* file : {"tokenizer.json", "tokenizer_config.json"})
      QVERIFY(QFile::copy(tokenizerFolder("pre-whitespace") + "/" + file, m_model + "/" + file));
  }

  void tokenizeAndDetokenizeAreInverse() {
    const QString text = QString::fromUtf8("Hello,  w\xC3\xB6rld \xF0\x9F\x98\x80\n");
    const QStringList model = {"--model", tokenizerFolder("gpt2")};
    const CliResult result = runCli(QStringList{"tokenize", "--text", text, "--json"} + model);
    QVERIFY2(result.status == 0, result.err);
    const QJsonArray ids = result.json()["token_ids"].toArray();
    QVERIFY(ids.size() > 5);
    QCOMPARE(result.json()["pieces"].toArray().size(), ids.size());
    QStringList list;
    for (const QJsonValue& id : ids) list << QString::number(id.toInt());
    QCOMPARE(runCli(QStringList{"detokenize", "--token-ids", list.join(','), "--json"} + model)
                 .json()["text"]
                 .toString(),
             text);

    const QString file = writeTo(m_folder.filePath("text"), text.toUtf8());
    QCOMPARE(runCli(QStringList{"tokenize", "--file", file, "--json"} + model).json()["token_ids"].toArray(),
             ids);
  }

  void aConversationIsWrittenAsItsTemplateSays() {
    const QString file =
        writeTo(m_folder.filePath("template.jinja"),
                "{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('No tools here') }}"
                "{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}"
                "{% if add_generation_prompt %}[{{ answers }}]{% endif %}");
    const QString messages =
        writeTo(m_folder.filePath("messages.json"), "[{\"role\":\"user\",\"content\":\"ab\"}]");
    const QStringList words = {"template", "--template", file, "--messages", messages};
    const CliResult text = runCli(words);
    QVERIFY2(text.status == 0, text.err);
    QCOMPARE(text.out, QByteArray("[user]ab[]"));
    const QJsonObject json = runCli(words + QStringList{"--model", tokenizerFolder("gpt2"), "--variables",
                                                        "{\"answers\":\"me\"}", "--json"})
                                 .json();
    QCOMPARE(json["text"].toString(), "[user]ab[me]");
    QVERIFY(json["token_ids"].toArray().size() > 4);
    QVERIFY(json["spans"].toArray().size() >= 3);
    int tokens = 0;
    for (const QJsonValue& span : json["spans"].toArray()) {
      QCOMPARE(span["first"].toInt(), tokens);
      tokens += span["tokens"].toInt();
    }
    QCOMPARE(tokens, json["token_ids"].toArray().size());
    QCOMPARE(json["spans"][0]["role"].toString(), "user");
    QVERIFY(json["spans"][0]["template"].toBool());

    const QString refused =
        writeTo(m_folder.filePath("tool.json"), "[{\"role\":\"tool\",\"content\":\"1\"}]");
    const CliResult refusal = runCli({"template", "--template", file, "--messages", refused, "--json"});
    QCOMPARE(refusal.status, 1);
    QVERIFY2(refusal.out.contains("No tools here"), refusal.out);
  }

  // A text is not cut at a NUL, on its way in or out.
  void aNulIsACharacterOfAText() {
    const QStringList model = {"--model", tokenizerFolder("gpt2")};
    const QString file = writeTo(m_folder.filePath("nul"), QByteArray("ab\0cd", 5));
    const QJsonArray ids =
        runCli(QStringList{"tokenize", "--file", file, "--json"} + model).json()["token_ids"].toArray();
    QStringList list;
    for (const QJsonValue& id : ids) list << QString::number(id.toInt());
    QCOMPARE(runCli(QStringList{"detokenize", "--token-ids", list.join(',')} + model).out,
             QByteArray("ab\0cd\n", 6));
  }

  // A lone tokenizer.model: every space comes back.
  void leadingSpacesComeBack() {
    for (const QString& text :
         {QStringLiteral("  leading"), QStringLiteral(" a  b "), QStringLiteral("   ")}) {
      const CliResult result = runCli({"tokenize", "--text", text, "--json"});  // the built-in model
      QVERIFY2(result.status == 0, result.err);
      QCOMPARE(textOf(result.json()["token_ids"].toArray(), {}), text);
    }
  }

  // As decode() in transformers: special tokens are written out unless they are not wanted.
  void detokenizeKeepsSpecialTokens() {
    const QJsonArray ids =
        runCli({"tokenize", "--text", "Hi", "--add-special", "--json"}).json()["token_ids"].toArray();
    QCOMPARE(ids.first().toInt(), 1);
    QCOMPARE(textOf(ids, {}), QString("<s> Hi"));
    QCOMPARE(textOf(ids, {"--keep-special"}), QString("<s> Hi"));
    QCOMPARE(textOf(ids, {"--skip-special"}), QString("Hi"));
    QCOMPARE(textOf(ids, {"--skip-special", "--keep-special"}), QString("Hi"));
  }

  void idsOutsideTheVocabularyAreNoText() {
    const QStringList model = {"--model", tokenizerFolder("gpt2"), "--json"};
    for (const char* ids : {"1,99999999", "1,-1", "-2147483648"}) {
      const CliResult result = runCli(QStringList{"detokenize", "--token-ids", ids} + model);
      QCOMPARE(result.status, 1);
      const QJsonObject error = result.json()["error"].toObject();
      QCOMPARE(error["code"].toString(), QString("invalid_argument"));
      QVERIFY(error["message"].toString().contains(QString(ids).section(',', -1)));
      QVERIFY(error["hint"].toString().contains("from 0 to"));
    }
  }

  void textThatIsNotUtf8IsRefused() {
    const QString file = writeTo(m_folder.filePath("broken"), "ab\xFF\xFE");
    const CliResult result =
        runCli({"tokenize", "--file", file, "--json", "--model", tokenizerFolder("gpt2")});
    QCOMPARE(result.status, 1);
    QCOMPARE(result.json()["error"][u"code"].toString(), QString("invalid_argument"));
    QCOMPARE(runCli({"generate", "--prompt-file", file, "--model", m_model}).status, 1);
  }

  // Half a character by itself: the answer is still JSON.
  void halfACharacterIsStillJson() {
    const QStringList model = {"--model", tokenizerFolder("gpt2")};
    const QJsonArray ids =
        runCli(QStringList{"tokenize", "--text", QString::fromUtf8("\xF0\x9F\x98\x80"), "--json"} + model)
            .json()["token_ids"]
            .toArray();
    QVERIFY(ids.size() > 1);
    const CliResult half =
        runCli(QStringList{"detokenize", "--token-ids", QString::number(ids[0].toInt()), "--json"} + model);
    QCOMPARE(half.status, 0);
    QVERIFY(half.json()["text"].toString().contains(QChar(0xFFFD)));
  }

  void streamedTextIsTheText() {
    const QStringList ask = {"generate", "--prompt",     kText,     "--max-tokens",
                             "20",       "--ignore-eos", "--model", m_model};
    const CliResult json = runCli(ask + QStringList{"--json"});
    QVERIFY2(json.status == 0, json.err);
    const QString text = json.json()["sequences"][0][u"text"].toString();
    QVERIFY(!text.isEmpty());
    QCOMPARE(QString::fromUtf8(runCli(ask).out), text + "\n");
  }

  void aStopStringEndsTheText() {
    const QStringList ask = {"generate",     "--prompt", kText,     "--max-tokens", "20",
                             "--ignore-eos", "--json",   "--model", m_model};
    const QString text = runCli(ask).json()["sequences"][0][u"text"].toString();
    const QString stop = text.mid(text.size() / 2, 1);
    const QJsonObject stopped =
        runCli(ask + QStringList{"--stop", "never this", "--stop", stop}).json()["sequences"][0].toObject();
    QCOMPARE(stopped["finish_reason"].toString(), QString("stop"));
    QCOMPARE(stopped["text"].toString(), text.left(text.indexOf(stop)));
  }

  void aChatIsWrittenInTheModelsFormat() {
    const auto promptTokens = [&](const QStringList& extra) {
      return runCli(QStringList{"generate", "--prompt", kText, "--max-tokens", "1", "--json", "--model",
                                m_model} +
                    extra)
          .json()["usage"][u"prompt_tokens"]
          .toInt();
    };
    const int plain = promptTokens({}), chat = promptTokens({"--chat"});
    QVERIFY2(plain > 0 && chat > plain, qPrintable(QString("%1 %2").arg(plain).arg(chat)));
  }

  void chatOnAPipeAnswersEachLine() {
    const QStringList chat = {"chat", "--max-tokens", "5", "--ignore-eos", "--model", m_model};
    const CliResult result =
        runCli(chat,
               "ab\n\n/set temperature 0.7\n/set top-k five\n/set nonsense 1\n/dance\n/stats\n"
               "/system ab\nab\n/reset\n/help\n/quit\nnever read\n");
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(result.err.contains("1 answers"));
    QVERIFY(result.err.contains("nonsense"));
    QVERIFY(result.err.contains("\"top_k\" must be"));
    QVERIFY(result.err.contains("there is no command /dance"));
    QVERIFY(result.err.contains("/help lists") || result.err.contains("/reset"));
    QVERIFY(result.out.endsWith('\n'));
    QVERIFY(!result.out.contains("command"));
    const CliResult nothing = runCli(chat, "");
    QCOMPARE(nothing.status, 0);
    QCOMPARE(nothing.out, QByteArray());
    QCOMPARE(runCli(chat, "ab").status, 0);  // the last line needs no end
  }

  // An answer that the model did not end says so; without a limit only the context ends one.
  void aChatSaysThatALimitEndedAnAnswer() {
    const CliResult cut = runCli({"chat", "--max-tokens", "5", "--ignore-eos", "--model", m_model}, "ab\n");
    QVERIFY2(cut.err.contains("(stopped at 5 tokens: --max-tokens)"), cut.err);
    const CliResult full = runCli({"chat", "--ignore-eos", "--model", m_model}, "ab\n/stats\n");
    QVERIFY2(full.err.contains("(the context is full)"), full.err);
    QVERIFY2(!full.err.contains("stopped at"), full.err);
  }

  // The small model's context holds 256 tokens, a few of these lines.
  void aLongChatForgetsAndGoesOn() {
    const QStringList chat = {"chat", "--max-tokens", "8", "--ignore-eos", "--model", m_model};
    QByteArray lines;
    for (int i = 0; i < 30; ++i) lines += "a b c d e f g h a b c d e f g h a b c d e f g h\n";
    const CliResult result = runCli(chat, lines + "/stats\n");
    QVERIFY2(result.status == 0, result.err);
    QVERIFY2(result.err.contains("30 answers"), result.err);
    QVERIFY2(result.err.contains("(The context is full: 4 older messages were forgotten.)"), result.err);
    const CliResult first = runCli(chat, "a b c\n");
    QVERIFY(!first.err.contains("forgotten"));
  }

  void aMessageLongerThanTheContextIsRefusedWithItsLength() {
    const CliResult result =
        runCli({"chat", "--max-tokens", "8", "--model", m_model}, QByteArray("a b c ").repeated(300) + "\n");
    QCOMPARE(result.status, 1);
    QVERIFY2(
        result.err.contains("the message has ") && result.err.contains("context of 256 has room for 255"),
        result.err);
  }

  void chatNeedsATokenizer() {
    const CliResult result = runCli({"chat", "--model", goldenModel("llama")}, "hello\n");
    QCOMPARE(result.status, 1);
    QVERIFY(result.err.contains("tokenizer"));
  }

  void aRandomModelIsAModel() {
    const QString folder = m_folder.filePath("random");
    const CliResult made = runCli({"make-random-model", "--like", "tiny", "--out", folder, "--json"});
    QVERIFY2(made.status == 0, made.err);
    QCOMPARE(made.json()["like"].toString(), QString("tiny"));
    const CliResult asked = runCli(
        {"generate", "--token-ids", "1,2", "--max-tokens", "3", "--ignore-eos", "--json", "--model", folder});
    QVERIFY2(asked.status == 0, asked.err);
    QCOMPARE(asked.json()["sequences"][0][u"token_ids"].toArray().size(), 3);
    QCOMPARE(runCli({"make-random-model", "--like", "tiny", "--out", folder}).status,
             1);  // it is not empty now
  }

 private:
  // What detokenize makes of ids of the built-in model.
  static QString textOf(const QJsonArray& ids, const QStringList& options) {
    QStringList list;
    for (const QJsonValue& id : ids) list << QString::number(id.toInt());
    return runCli(QStringList{"detokenize", "--token-ids", list.join(','), "--json"} + options)
        .json()["text"]
        .toString();
  }

  QTemporaryDir m_folder;
  QString m_model;
};

QTEST_GUILESS_MAIN(TestCliText)
#include "tst_cli_text.moc"
