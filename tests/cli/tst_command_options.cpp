// Every option of the schema is reached from the command line, and the documents made of the schema are true.
#include "command_options.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <sstream>

#include "common/option_words.h"
#include "option_listing.h"
#include "support/other_options.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QFile>
#include <QTest>

using namespace vitrine;
using namespace vitrine::cli;
using namespace vitrine::test;

namespace {

using Words = std::vector<std::string>;

std::string dashed(std::string key) {
  std::ranges::replace(key, '_', '-');
  return "--" + key;
}

// The words after the option's name.
template <typename Value>
Words wordsFor(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return {};
  } else if constexpr (Named<Value>) {
    return {nameOf(value)};
  } else if constexpr (std::is_same_v<Value, Words>) {
    return value;
  } else {
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << value;
    return {text.str()};
  }
}

template <typename Value>
Words commandLine(const OptionInfo<Value>& info, const Value& value) {
  Words line;
  for (const std::string& word : wordsFor(value)) {
    line.push_back(dashed(spelledKey(info)));
    line.push_back(word);
  }
  if (line.empty()) line.push_back(dashed(spelledKey(info)));
  std::ranges::reverse(line);  // as the library takes a list
  return line;
}

}  // namespace

class TestCommandOptions : public QObject {
  Q_OBJECT

 private slots:
  void everyEngineOptionIsReached() {
    int seen = 0;
    forEachEngineOption([&](const auto& info, const auto& access) {
      CLI::App app;
      EngineArguments arguments, target;
      target.options.blockSize = 77;  // stays, unless it is given
      const auto copyGiven = addEngineOptions(app, arguments);
      const auto copySeed = addEngineSeed(app, arguments);
      const auto wanted = otherValue(info, access(arguments.options));
      app.parse(commandLine(info, wanted));
      QVERIFY2(access(arguments.options) == wanted, info.key);
      QCOMPARE(differing(arguments.options, {}), Words{info.key});
      copyGiven(target);
      copySeed(target);
      QVERIFY2(access(target.options) == wanted, info.key);
      QVERIFY(target.options.blockSize == 77 || std::string_view(info.key) == "block_size");
      ++seen;
    });
    QVERIFY(seen > 30);
  }

  void everyRequestOptionIsReached() {
    int seen = 0;
    forEachRequestOption([&](const auto& info, const auto& access) {
      CLI::App app;
      RequestArguments arguments;
      addRequestOptions(app, arguments);
      const auto wanted = otherValue(info, access(arguments.request));
      app.parse(commandLine(info, wanted));
      QVERIFY2(access(arguments.request) == wanted, info.key);
      QCOMPARE(differing(arguments.request, {}), Words{info.key});
      ++seen;
    });
    QVERIFY(seen > 15);
  }

  void theModelAndTheChatAreReached() {
    CLI::App app;
    EngineArguments engine;
    RequestArguments request;
    addEngineOptions(app, engine);
    addRequestOptions(app, request);
    app.parse("--model x --chat");
    QCOMPARE(engine.model, std::string("x"));
    QVERIFY(request.chat);
  }

  void theReadmeHasTheTables() {
    QFile file(VITRINE_SOURCE_DIR "/engine/README.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string readme = file.readAll().toStdString(), tables = optionTables();
    QVERIFY(tables.find("`--token-budget` | 1 to 16777216 tokens | 512 |") != std::string::npos);
    QVERIFY2(readme.find("\n" + tables) != std::string::npos,
             "engine/README.md, \"Options\": put in what vitrine-cli --option-tables prints");
  }

  void aTranslatorGetsEveryText() {
    const std::string texts = optionTexts();
    for (const char* text : {"&Scheduling", "order in which requests are admitted", "By deadline", "never",
                             "tokens", "&Longest answer"})
      QVERIFY2(
          texts.find("QT_TRANSLATE_NOOP(\"Options\", \"" + std::string(text) + "\");\n") != std::string::npos,
          text);
  }
};

QTEST_APPLESS_MAIN(TestCommandOptions)
#include "tst_command_options.moc"
