// Conversations as requests of the built-in model: what a prompt holds, what is forgotten when room runs out,
// and that a long chat never comes to a stop.
#include <algorithm>
#include "common/chat_prompt.h"

#include "vitrine/event_sink.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

using Messages = std::vector<ChatMessage>;

std::unique_ptr<Engine> builtin(int numBlocks = 0, Eviction eviction = Eviction::kNone) {
  static EventFanOut unheard;
  EngineOptions options;
  options.threads = 1;
  options.numBlocks = numBlocks;
  options.maxSequences = 4;
  options.eviction = eviction;
  return Engine::load(builtinModelDirectory(), options, unheard);
}

std::string words(int count) {
  std::string text = "Listen:";
  for (int i = 0; i < count; ++i) text += " token";
  return text;
}

// So many questions, each but the last with its answer; each message has more than `length` tokens.
Messages talk(int questions, int length, bool system) {
  Messages messages;
  if (system) messages.push_back({ChatRole::kSystem, "You answer briefly."});
  for (int i = 0; i < questions; ++i) {
    const std::string text = std::to_string(i) + words(length);
    messages.push_back({ChatRole::kUser, text});
    if (i + 1 < questions) messages.push_back({ChatRole::kAssistant, text});
  }
  return messages;
}

Messages without(const Messages& messages, int forgotten, bool system) {
  Messages rest = messages;
  const auto oldest = rest.begin() + (system ? 1 : 0);
  rest.erase(oldest, oldest + forgotten);
  return rest;
}

int lengthOf(const Engine& engine, const Messages& messages) {
  return static_cast<int>(
      engine.tokenizer()->encode(engine.chatFormat().render({messages}).text, false).size());
}

Request asking(int maxTokens) {
  Request request;
  request.maxTokens = maxTokens;
  return request;
}

}  // namespace

class TestChatPrompt : public QObject {
  Q_OBJECT

 private slots:
  void aConversationThatFitsIsWhole() {
    const auto engine = builtin();
    const Messages messages = talk(3, 5, true);
    Request request = asking(50);
    request.name = "mine";
    request.stop = {"halt"};
    const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, request);
    QCOMPARE(prompt.forgotten, 0);
    QCOMPARE(prompt.request.prompt, engine->chatFormat().render({messages}).text);
    QVERIFY(prompt.request.tokenIds == engine->tokenizer()->encode(prompt.request.prompt, false));
    QVERIFY(!prompt.request.addSpecialTokens);
    QCOMPARE(prompt.request.name, std::string("mine"));
    QCOMPARE(prompt.request.maxTokens, 50);
    QVERIFY(prompt.request.stop == (std::vector<std::string>{"halt", "</s>", "<|user|>"}));
    // What is not to be cut is the same request.
    const Request whole = chatRequest(*engine, {messages}, request);
    QCOMPARE(whole.prompt, prompt.request.prompt);
    QVERIFY(whole.tokenIds == prompt.request.tokenIds && whole.stop == prompt.request.stop);
  }

  void thePlainFormatLeavesTheFirstTokenToTheTokenizer() {
    const auto engine = builtin();
    engine->setChatFormat(ChatFormat());
    const Request plain = chatRequest(*engine, {{{ChatRole::kUser, "Hi"}}}, {});
    QVERIFY(plain.addSpecialTokens);
    QCOMPARE(plain.prompt, std::string("User: Hi\nAssistant:"));
    QVERIFY(plain.tokenIds == engine->tokenizer()->encode(plain.prompt, true));
    QCOMPARE(plain.tokenIds.front(), *engine->tokenizer()->bosToken());
    QVERIFY(plain.stop == std::vector<std::string>{"\nUser:"});
  }

  // The grammar is about what is said.
  void aThoughtThatThePromptOpensEndsBeforeAGrammar() {
    const auto engine = builtin();
    engine->setChatFormat(ChatFormat(PromptTemplate("{{ messages[0].content }}{{ '<think>\\n' }}")));
    const Dialogue hi{{{ChatRole::kUser, "Hi"}}};
    Request request = asking(10);
    QCOMPARE(chatRequest(*engine, hi, request).prompt, std::string("Hi<think>\n"));
    request.regex = "[a-z]+";
    const Request bound = chatRequest(*engine, hi, request);
    QCOMPARE(bound.prompt, std::string("Hi<think>\n</think>\n\n"));
    QVERIFY(bound.tokenIds == engine->tokenizer()->encode(bound.prompt, false));
    engine->setChatFormat(ChatFormat(PromptTemplate("{{ messages[0].content }}")));
    QCOMPARE(chatRequest(*engine, hi, request).prompt, std::string("Hi"));
  }

  // "</s>" that a person types is text, the one that the template writes ends a turn.
  void aMarkInAMessageIsText() {
    const auto engine = builtin();
    const TokenId end = *engine->tokenizer()->eosToken();
    const Request request = chatRequest(*engine, {{{ChatRole::kUser, "What is </s> for?"}}}, {});
    QCOMPARE(std::ranges::count(request.tokenIds, end), std::ptrdiff_t{1});
    QCOMPARE(std::ranges::count(engine->tokenizer()->encode(request.prompt, false), end), std::ptrdiff_t{2});
    QVERIFY(engine->tokenizer()->decode(request.tokenIds, false).find("What is </s> for?") !=
            std::string::npos);
  }

  void theOldestTurnsAreForgottenAndNoMoreThanThat_data() {
    QTest::addColumn<bool>("system");
    QTest::addColumn<int>("maxTokens");
    for (const bool system : {false, true})
      for (const int maxTokens : {1, 60, 512})
        QTest::addRow("%d %d", system, maxTokens) << system << maxTokens;
  }
  void theOldestTurnsAreForgottenAndNoMoreThanThat() {
    QFETCH(bool, system);
    QFETCH(int, maxTokens);
    const auto engine = builtin();
    const int context = engine->description().model.contextLength, room = std::min(maxTokens, context / 4);
    int forgettings = 0;
    for (const int questions : {2, 9, 10, 11, 40}) {
      const Messages messages = talk(questions, 50, system);
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(maxTokens));
      const Messages rest = without(messages, prompt.forgotten, system);
      QCOMPARE(prompt.forgotten % 2, 0);
      QCOMPARE(prompt.request.prompt, engine->chatFormat().render({rest}).text);
      QVERIFY(int(prompt.request.tokenIds.size()) + room <= context);
      QCOMPARE(prompt.request.maxTokens, maxTokens);
      for (std::size_t i = system ? 1 : 0; i < rest.size(); ++i)
        QCOMPARE(rest[i].role, (i - (system ? 1 : 0)) % 2 == 0 ? ChatRole::kUser : ChatRole::kAssistant);
      QCOMPARE(rest.back().text, messages.back().text);
      QCOMPARE(rest.front().role, system ? ChatRole::kSystem : ChatRole::kUser);
      if (prompt.forgotten == 0) continue;
      // It is at most a stride too short: with a quarter of the context more, it would not fit.
      QVERIFY(lengthOf(*engine, without(messages, prompt.forgotten - 2, system)) + room >
              context - context / 4);
      ++forgettings;
    }
    QVERIFY(forgettings >= 2);
  }

  // The system message, the first exchange and the newest messages stay.
  void theMiddleIsForgotten() {
    const auto engine = builtin();
    for (const bool system : {false, true}) {
      Messages messages = talk(40, 50, system);
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(60), ChatCut::kMiddle);
      QCOMPARE(prompt.from, system ? 3 : 2);
      QVERIFY(prompt.forgotten > 0 && prompt.forgotten % 2 == 0);
      QCOMPARE(prompt.wholeTokens, lengthOf(*engine, messages));
      QVERIFY(int(prompt.request.tokenIds.size()) + 60 <= contextRoom(engine->description(), asking(60)));
      messages.erase(messages.begin() + prompt.from, messages.begin() + prompt.from + prompt.forgotten);
      QCOMPARE(prompt.request.prompt, engine->chatFormat().render({messages}).text);
    }
    // There is no middle.
    QCOMPARE(fittingChatRequest(*engine, {talk(1, 5, true)}, asking(60), ChatCut::kMiddle).forgotten, 0);
  }

  // A question that got no answer stands before another one.
  void whatRemainsBeginsWithAQuestion() {
    const auto engine = builtin();
    for (int length = 40; length < 60; ++length) {
      Messages messages = talk(14, length, true);
      messages.erase(messages.begin() + 2);
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(100));
      QVERIFY(prompt.forgotten > 2);
      const Messages rest = without(messages, prompt.forgotten, true);
      QCOMPARE(rest.at(0).role, ChatRole::kSystem);
      QCOMPARE(rest.at(1).role, ChatRole::kUser);
      QCOMPARE(prompt.request.prompt, engine->chatFormat().render({rest}).text);
    }
  }

  // The newest message may leave less room than an answer would like.
  void theNewestMessageIsSentWhileATokenFitsBehindIt() {
    const auto engine = builtin();
    const int context = engine->description().model.contextLength;
    Messages messages = talk(2, 20, false);
    const int around = lengthOf(*engine, {{ChatRole::kUser, words(1)}}) - 1;
    messages.back().text = words(context - 1 - around);
    const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(100));
    QCOMPARE(prompt.forgotten, 2);
    QCOMPARE(int(prompt.request.tokenIds.size()), context - 1);
    QVERIFY(engine->submit(prompt.request) > 0);
    engine->run();

    messages.back().text = words(context - around);
    const std::string refused = refusalOf(*engine, messages, asking(100));
    QCOMPARE(refused, std::string("context_too_long: the message has 1024 tokens as the model reads it, and "
                                  "the model's context of 1024 has room for 1023"));
    messages.insert(messages.begin(), {ChatRole::kSystem, "Be kind."});
    QVERIFY(refusalOf(*engine, messages, asking(100)).find("the system message included") !=
            std::string::npos);
  }

  // A pool smaller than the context would have the engine reject the request, not end it early.
  void aSmallPoolIsTheRoomThereIs_data() {
    QTest::addColumn<int>("beams");
    QTest::newRow("one answer") << 1;
    QTest::newRow("a beam search") << 4;
  }
  void aSmallPoolIsTheRoomThereIs() {
    QFETCH(int, beams);
    const auto engine = builtin(20);
    Request request = asking(512);
    request.beamWidth = beams;
    int forgettings = 0;
    for (int questions = 1; questions < 12; ++questions) {
      const Messages messages = talk(questions, 12, true);
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, request);
      QVERIFY(prompt.request.maxTokens >= 16 && prompt.request.maxTokens < 320);
      const RequestId id = engine->submit(prompt.request);  // throws if it can never run
      engine->cancel(id);
      forgettings += prompt.forgotten > 0;
    }
    QVERIFY(forgettings > 3);
    const std::string refused = refusalOf(*engine, {{ChatRole::kUser, words(600)}}, request);
    QVERIFY2(refused.find("the KV pool of 20 blocks has room for ") != std::string::npos, refused.c_str());
    QVERIFY2(refused.find("the model's context: 1024") != std::string::npos, refused.c_str());
  }

  void aContextThatIsGivenUpInTheMiddleNeedsNoForgetting() {
    const auto engine = builtin(0, Eviction::kSinks);
    const Messages messages = talk(40, 50, false);
    const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(8));
    QCOMPARE(prompt.forgotten, 0);
    QVERIFY(int(prompt.request.tokenIds.size()) > engine->description().model.contextLength);
    QVERIFY(engine->submit(prompt.request) > 0);
  }

  // A prompt that begins as the one before it finds that one's blocks in the prefix cache.
  void manyTurnsInARowBeginAlike() {
    const auto engine = builtin();
    const Messages all = talk(60, 30, true);
    int beginnings = 0, forgotten = 0, cut = 0;
    for (std::size_t turns = 1; turns <= 60; ++turns) {
      const Messages messages(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(2 * turns));
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(60));
      QVERIFY(prompt.forgotten >= forgotten);
      cut += prompt.forgotten > 0;
      beginnings += prompt.forgotten > forgotten;
      forgotten = prompt.forgotten;
    }
    QVERIFY(cut > 30);
    QVERIFY2(beginnings * 3 <= cut, qPrintable(QString("%1 of %2").arg(beginnings).arg(cut)));
  }

  // As the terminal chat does it: what was forgotten stays forgotten.
  void aLongChatNeverStops() {
    const auto engine = builtin(24);  // a small pool, so that the room is soon used up
    Messages messages = {{ChatRole::kSystem, "You answer briefly."}};
    int forgotten = 0, turns = 0;
    for (; turns < 60; ++turns) {
      messages.push_back({ChatRole::kUser, words(turns % 7 * 40)});
      const ChatPrompt prompt = fittingChatRequest(*engine, {messages}, asking(4));
      messages = without(messages, prompt.forgotten, true);
      forgotten += prompt.forgotten;
      const RequestId id = engine->submit(prompt.request);
      engine->run();
      messages.push_back({ChatRole::kAssistant, engine->takeResult(id).sequences.at(0).text});
      engine->forget(id);
    }
    QVERIFY(forgotten > 80);
    QCOMPARE(messages.front().text, std::string("You answer briefly."));
    QCOMPARE(int(messages.size()), 1 + 2 * turns - forgotten);
  }

 private:
  // "code: message" of what fittingChatRequest() throws, which must have a hint; empty when it throws
  // nothing.
  static std::string refusalOf(const Engine& engine, const Messages& messages, const Request& request) {
    try {
      fittingChatRequest(engine, {messages}, request);
    } catch (const EngineError& error) {
      return error.hint().empty() ? "" : std::string(errorCodeName(error.code())) + ": " + error.what();
    }
    return "";
  }
};

QTEST_GUILESS_MAIN(TestChatPrompt)
#include "tst_chat_prompt.moc"
