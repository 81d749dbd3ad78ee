// Arguments written as JSON and as words of a command line: each option comes back as it was.
#include "common/argument_text.h"

#include <nlohmann/json.hpp>

#include "common/option_words.h"
#include "support/other_options.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

class TestArgumentText : public QObject {
  Q_OBJECT

 private slots:
  void defaultsAreNotWritten() {
    RequestLine line;
    line.arguments.request.prompt = "x";
    QCOMPARE(oneLine(requestToJson(line)), std::string(R"({"prompt":"x"})"));
    QVERIFY(engineKeysToJson({}).empty());
    QVERIFY(engineWords({}).empty());
  }

  void everyRequestOptionComesBack() {
    int seen = 0;
    forEachRequestArgument([&](const auto& info, const auto& access) {
      RequestLine line;
      access(line.arguments) = otherValue(info, access(line.arguments));
      const Json json = parseJson(oneLine(requestToJson(line)));
      RequestArguments read;
      for (const auto& [key, value] : json.items())
        if (key != "prompt") QVERIFY2(takeRequestKey(read, key, value), key.c_str());
      QVERIFY2(access(read) == access(line.arguments), info.key);
      QCOMPARE(int(differing(read.request, Request()).size()) + int(read.chat) + int(read.typedMarks), 1);
      ++seen;
    });
    QVERIFY(seen > 15);
  }

  void everyEngineOptionComesBack() {
    int seen = 0;
    forEachEngineOption([&](const auto& info, const auto& access) {
      EngineArguments arguments;
      access(arguments.options) = otherValue(info, access(arguments.options));
      const Json json = parseJson(oneLine(engineKeysToJson(arguments)));
      EngineArguments read;
      for (const auto& [key, value] : json.items()) QVERIFY2(takeEngineKey(read, key, value), key.c_str());
      QVERIFY2(differing(read.options, arguments.options).empty(), info.key);
      const std::vector<std::string> words = engineWords(arguments);
      QCOMPARE(words.at(0), optionName(info));
      constexpr bool kFlag = std::is_same_v<std::decay_t<decltype(access(arguments.options))>, bool>;
      QCOMPARE(words.size(), std::size_t{kFlag ? 1 : 2});
      ++seen;
    });
    QVERIFY(seen > 30);
  }

  void aLineIsReadAsItWasWritten() {
    RequestLine line;
    line.arguments.request.name = "it's \"one\"\n";
    line.arguments.request.prompt = "a\tb\nc";
    line.arguments.request.sampling.topP = 0.1 + 0.2;
    line.arguments.request.stop = {"\n", "the end"};
    line.arrivalStep = 12;
    const std::string text = oneLine(requestToJson(line));
    QCOMPARE(text.find('\n'), std::string::npos);
    const RequestLine read = requestFromJson(parseJson(text));
    QCOMPARE(read.arguments.request.name, line.arguments.request.name);
    QCOMPARE(read.arguments.request.prompt, line.arguments.request.prompt);
    QVERIFY(differing(read.arguments.request, line.arguments.request).empty());
    QCOMPARE(read.arrivalStep, 12);
  }

  void idsWinOverThePrompt() {
    RequestLine line;
    line.arguments.request.prompt = "x";
    line.arguments.request.tokenIds = {3, 4};
    QCOMPARE(oneLine(requestToJson(line)), std::string(R"({"token_ids":[3,4]})"));
  }

  void aShellReadsTheWordBack_data() {
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<QByteArray>("quoted");
    QTest::newRow("plain") << QByteArray("--num-blocks") << QByteArray("--num-blocks");
    QTest::newRow("path") << QByteArray("/a/b-c_1.d") << QByteArray("/a/b-c_1.d");
    QTest::newRow("empty") << QByteArray("") << QByteArray("''");
    QTest::newRow("blank") << QByteArray("a b") << QByteArray("'a b'");
    QTest::newRow("quote") << QByteArray("it's $HOME") << QByteArray("'it'\\''s $HOME'");
  }
  void aShellReadsTheWordBack() {
    QFETCH(QByteArray, word);
    QFETCH(QByteArray, quoted);
    QCOMPARE(QByteArray::fromStdString(shellQuoted(word.toStdString())), quoted);
  }
};

QTEST_GUILESS_MAIN(TestArgumentText)
#include "tst_argument_text.moc"
