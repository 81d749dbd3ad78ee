// A chat that does not fit in the context, in the window: what is offered, what goes, what stays, and the way
// back. The machine has a pool of a few blocks, so that a few questions fill it.
#include <QLabel>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "desk/answer_turn.h"
#include "gui/chat/context_line.h"
#include "gui/parts/message_bar.h"
#include "gui/settings/settings.h"
#include "support/chat_window.h"
#include "vitrine/tokenizer.h"
#include "widgets/chat/context_meter.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kBlocks = 14;  // of 16 tokens

void makeMachineSmall() {
  EngineOptions options = Settings::defaultEngineOptions();
  options.numBlocks = kBlocks;
  Settings().setEngineOptions(options);
}

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file = {}) : ChatWindow(12, file) {}
  ContextLine& line() { return *window.findChild<ContextLine*>(); }
  QString head() { return line().isVisible() ? line().findChild<QLabel*>()->text() : QString(); }
  QToolButton* choice(const QString& text) {
    for (auto* button : line().findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) return button;
    return nullptr;
  }
  // Asks one question after another until one does not fit; returns its number.
  int fill() {
    for (int i = 1; i < 40; ++i) {
      ask(question(i));
      const bool done = waitUntil([&] {
        return !head().isEmpty() || (chat().rowCount() == 2 * i && !chat().isAnswering() &&
                                     chat().at(2 * i - 1).status == AnswerStatus::kDone);
      });
      if (!done) return -1;
      if (!head().isEmpty()) return i;
    }
    return -1;
  }
  static QString question(int i) { return QString("Question %1: what does the fox do today?").arg(i); }
  std::string newestPrompt() {
    const auto& sequence = live().sequences.rbegin()->second;
    return loadTokenizer(builtinModelDirectory())
        ->decode(std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.promptTokens)), false);
  }
  bool promptHas(int i) { return newestPrompt().find(question(i).toStdString()) != std::string::npos; }
  std::vector<int> leftOut() {
    std::vector<int> places;
    const std::vector<ShownMessage> branch = desk().branch();
    for (std::size_t i = 0; i < branch.size(); ++i)
      if (branch[i].message.leftOut) places.push_back(static_cast<int>(i));
    return places;
  }
  bool isMarked(int row) { return chat().at(row).note.startsWith("Left out"); }
};

}  // namespace

class TestChatContext : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() {
    QSettings().clear();
    makeMachineSmall();
  }

  void nothingGoesBeforeAChoice() {
    Window w;
    QVERIFY(w.openModel());
    const int full = w.fill();
    QVERIFY(full > 2);
    QVERIFY2(w.head().contains("was not sent"), qPrintable(w.head()));
    QCOMPARE(w.input()->toPlainText(), Window::question(full));  // what was written is there
    QCOMPARE(w.chat().rowCount(), 2 * (full - 1));
    QVERIFY(w.leftOut().empty());
    QVERIFY(w.choice("Drop the oldest")->accessibleDescription().contains("Question 1:"));
    QVERIFY(!w.choice("Keep the beginning and the end")->accessibleDescription().contains("Question 1:"));
    QVERIFY(w.choice("Keep the beginning and the end")->accessibleDescription().contains("Question 2:"));
    QVERIFY(w.choice("Start anew with a summary") != nullptr);
    QVERIFY(w.choice("Undo") == nullptr);
    QTest::mouseClick(w.choice("Not now"), Qt::LeftButton);
    QVERIFY(w.head().isEmpty());
    QCOMPARE(w.input()->toPlainText(), Window::question(full));
  }

  void theOfferFollowsTheDraft() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.fill() > 2);
    const auto tokens = [&] {
      const auto found = QRegularExpression("conversation of (\\d+) tokens").match(w.head());
      return found.hasMatch() ? found.captured(1).toInt() : 0;
    };
    const int before = tokens();
    QVERIFY(before > 0);
    w.input()->moveCursor(QTextCursor::End);
    QTest::keyClicks(w.input(), " and one more thing to say about it");
    QTRY_VERIFY_WITH_TIMEOUT(tokens() > before, kPatience);
    w.input()->selectAll();
    QTest::keyClicks(w.input(), "Why?");
    QTRY_VERIFY_WITH_TIMEOUT(tokens() < before, kPatience);  // 0: it would fit now
    QCOMPARE(w.input()->toPlainText(), QString("Why?"));
  }

  // More than must go, and the line says why.
  void theOfferSaysWhySoManyGo() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.fill() > 2);
    const QString words = w.choice("Drop the oldest")->accessibleDescription();
    QVERIFY2(words.contains("1 would do now"), qPrintable(words));
  }

  void theOldestGoAndComeBack() {
    const QString file = m_folder.filePath("oldest.db");
    std::string prompt;
    int full = 0;
    std::vector<int> gone;
    {
      Window w(file);
      QVERIFY(w.openModel());
      full = w.fill();
      QVERIFY(full > 2);
      w.input()->moveCursor(QTextCursor::End);
      QTest::keyClicks(w.input(), " Say!");  // goes along
      QTest::mouseClick(w.choice("Drop the oldest"), Qt::LeftButton);
      QVERIFY(w.answered(2 * full));
      gone = w.leftOut();
      QVERIFY(!gone.empty() && gone.front() == 0 && gone.size() % 2 == 0);
      QCOMPARE(gone.back(), static_cast<int>(gone.size()) - 1);
      QVERIFY(!w.promptHas(1) && w.promptHas(full - 1) && w.promptHas(full));
      QVERIFY(w.chat().at(2 * full - 2).text.endsWith(" Say!"));
      QVERIFY(w.input()->toPlainText().isEmpty());
      for (int row = 0; row < w.chat().rowCount(); ++row)
        QCOMPARE(w.isMarked(row), std::ranges::count(gone, row) == 1);
      QVERIFY2(w.head().contains("no longer reads") && w.head().contains("Question 1:"),
               qPrintable(w.head()));
      QTRY_VERIFY_WITH_TIMEOUT(w.view().contextMeter()->text().endsWith("left out"), kPatience);
      // The answer knows what it was made from, whatever is left out later.
      prompt = w.newestPrompt();
      const MessageId answer = w.chat().at(2 * full - 1).message;
      const std::size_t read = answerTurn(w.desk(), answer)->dialogue.messages.size();
      QCOMPARE(read, static_cast<std::size_t>(2 * full - 1) - gone.size());
      QCOMPARE(answerTurn(w.desk(), w.chat().at(3).message)->dialogue.messages.size(), 3u);
      QTest::mouseClick(w.choice("Undo"), Qt::LeftButton);
      QVERIFY(w.leftOut().empty() && w.head().isEmpty());
      QVERIFY(!w.isMarked(0));
      QCOMPARE(answerTurn(w.desk(), answer)->dialogue.messages.size(), read);
      w.ask("And now?");  // it is full again
      QTRY_VERIFY_WITH_TIMEOUT(w.choice("Drop the oldest") != nullptr, kPatience);
      QTest::mouseClick(w.choice("Drop the oldest"), Qt::LeftButton);
      QVERIFY(w.answered(2 * full + 2));
      gone = w.leftOut();
      prompt = w.newestPrompt();
    }
    Window w(file);  // a restart
    QVERIFY(w.openModel());
    QVERIFY(w.desk().open(w.desk().history().chats().front().id));
    QVERIFY(w.leftOut() == gone);
    QVERIFY(w.isMarked(0));
    QVERIFY(w.head().contains("no longer reads"));
    QVERIFY(w.press("Again"));  // the same prompt
    QVERIFY(w.answered(2 * full + 2));
    QCOMPARE(w.newestPrompt(), prompt);
  }

  void theMiddleGoes() {
    Window w;
    QVERIFY(w.openModel());
    w.desk().setSettings(0, {"Be a fox.", {}, {}});
    const int full = w.fill();
    QVERIFY(full > 2);
    QTest::mouseClick(w.choice("Keep the beginning and the end"), Qt::LeftButton);
    QVERIFY(w.answered(2 * full));
    const std::vector<int> gone = w.leftOut();
    QVERIFY(!gone.empty() && gone.front() == 2);
    QVERIFY(w.newestPrompt().find("Be a fox.") != std::string::npos);
    QVERIFY(w.promptHas(1) && !w.promptHas(2) && w.promptHas(full));
    QVERIFY(!w.isMarked(0) && !w.isMarked(1) && w.isMarked(2) && w.isMarked(3));
  }

  void aSummaryBeginsANewChat() {
    Window w;
    QVERIFY(w.openModel());
    const int full = w.fill();
    QVERIFY(full > 2);
    const ChatId old = w.desk().shown();
    const auto before = w.desk().history().chat(old);
    QTest::mouseClick(w.choice("Start anew with a summary"), Qt::LeftButton);
    QVERIFY(w.answered(2));
    QVERIFY(w.desk().shown() != old);
    QVERIFY(w.promptHas(full - 1));  // it has read the old chat
    QCOMPARE(w.input()->toPlainText(), Window::question(full));
    QCOMPARE(w.desk().history().draft(old), Window::question(full));
    QVERIFY(w.desk().history().chat(old)->messages == before->messages);
    // Its prompt is not made again from the new chat.
    QVERIFY(!answerTurn(w.desk(), w.chat().at(1).message).has_value());
    QTest::keyClick(w.input(), Qt::Key_Return);
    QVERIFY(w.desk().history().draft(old).isEmpty());
    QVERIFY(w.answered(4));
    QVERIFY(!w.promptHas(full - 1) && w.promptHas(full));
    QVERIFY(w.newestPrompt().find(w.chat().at(1).text.trimmed().toStdString()) != std::string::npos);
  }

  // Of a chat that is longer than the context: its question names the first one that the model has read.
  void aSummarySaysWhatItCovers() {
    Window w;
    QVERIFY(w.openModel());
    const int full = w.fill();
    QVERIFY(full > 2);
    QTest::mouseClick(w.choice("Drop the oldest"), Qt::LeftButton);
    QVERIFY(w.answered(2 * full));
    w.window.chats().controller().summarise(w.desk().shown());
    QVERIFY(w.answered(2));
    const QString asked = w.chat().at(0).text;
    const auto named = QRegularExpression("from the question “Question (\\d+):").match(asked);
    QVERIFY2(named.hasMatch(), qPrintable(asked));
    const int first = named.captured(1).toInt();
    QVERIFY2(first > 1 && first <= full, qPrintable(asked));
    for (int i = 1; i <= full; ++i) QCOMPARE(w.promptHas(i), i >= first);
    QVERIFY(w.newestPrompt().find(asked.toStdString()) != std::string::npos);
    QVERIFY(!w.window.messages().isVisible());  // the engine has cut nothing by itself
    QCOMPARE(w.desk().branch().size(), 2u);
  }

  void anAnswerThatFillsTheContextOffers() {
    Window w;
    QVERIFY(w.openModel());
    w.setMaxTokens(2000);
    bool filled = false;
    for (int i = 1; i < 8 && !filled; ++i) {
      w.ask("Tell me a long story about a fox and a lighthouse.");
      QVERIFY(w.answered(2 * i));
      const AnswerTimings timings = w.desk().branch().back().message.timings;
      filled = timings.promptTokens + timings.outputTokens >= kBlocks * 16;
    }
    QVERIFY(filled);
    QVERIFY(waitUntil([&] { return !w.head().isEmpty(); }));
    QVERIFY2(w.head().contains("for another message"), qPrintable(w.head()));
    QVERIFY(w.leftOut().empty() && w.input()->toPlainText().isEmpty());
    QTest::mouseClick(w.choice("Drop the oldest"), Qt::LeftButton);
    QVERIFY(!w.leftOut().empty());
    w.ask("And now?");
    QVERIFY(waitUntil([&] { return w.chat().isAnswering(); }));  // there is room
  }

  // What ended an answer stands below it, with the way on where there is one, and is kept.
  void aLimitSaysThatItEndedAnAnswer() {
    const QString file = m_folder.filePath("limit.db");
    const auto said = [](Window& w, const QString& words) {
      return waitUntil([&] {
        for (QLabel* label : w.view().findChildren<QLabel*>())
          if (label->isVisible() && label->text() == words) return true;
        return false;
      });
    };
    const auto hasContinue = [](Window& w) {
      return std::ranges::any_of(w.view().findChildren<QToolButton*>(), [](QToolButton* button) {
        return button->isVisible() && button->text() == "Continue" && !button->accessibleName().isEmpty();
      });
    };
    {
      Window w(file);
      QVERIFY(w.openModel());
      w.ask("Write a long story.");
      QVERIFY(w.answered(2));
      QVERIFY(said(w, "Stopped at 12 tokens"));
      QVERIFY(hasContinue(w));
    }
    // The figures above it count as it does.
    const auto countsBoth = [](Window& w) {
      return w.chat().at(1).note.startsWith("12 tokens more, 24 in all · ");
    };
    {
      Window w(file);
      QVERIFY(w.openModel());
      QVERIFY(w.desk().open(w.desk().history().chats().front().id));
      QVERIFY(said(w, "Stopped at 12 tokens"));
      const QString before = w.chat().at(1).text;
      QVERIFY(w.press("Continue"));
      QVERIFY(said(w, "Stopped at 24 tokens"));
      QVERIFY(w.answered(2));
      QVERIFY(w.chat().at(1).text.startsWith(before));
      QVERIFY2(countsBoth(w), qPrintable(w.chat().at(1).note));
    }
    Window w(file);
    QVERIFY(w.openModel());
    QVERIFY(w.desk().open(w.desk().history().chats().front().id));
    QVERIFY(said(w, "Stopped at 24 tokens"));
    QVERIFY2(countsBoth(w), qPrintable(w.chat().at(1).note));
    w.setMaxTokens(0);
    QVERIFY(w.press("Continue"));
    QVERIFY(waitUntil([&] { return w.chat().at(1).variants == 3 && !w.chat().isAnswering(); }));
    QVERIFY(w.answered(2));
    const MessageRecord whole = w.desk().branch().back().message;
    QVERIFY(whole.limit != AnswerLimit::kTokens && whole.timings.outputTokens > 24);
  }

  // By default the model ends an answer, or the context: here the pool, which is no more than a few blocks.
  void withoutALimitTheContextEndsAnAnswer() {
    QCOMPARE(Settings().maxTokens(), Settings::kDefaultMaxTokens);
    QCOMPARE(Settings::kDefaultMaxTokens, 0);
    Window w;
    w.setMaxTokens(0);
    QVERIFY(w.openModel());
    bool full = false;
    for (int i = 1; i < 8 && !full; ++i) {
      w.ask("Tell me a long story about a fox and a lighthouse.");
      QVERIFY(w.answered(2 * i));
      const MessageRecord last = w.desk().branch().back().message;
      full = last.timings.promptTokens + last.timings.outputTokens >= kBlocks * 16;
      QCOMPARE(last.limit, full ? AnswerLimit::kContext : AnswerLimit::kNone);
      QCOMPARE(w.chat().at(2 * i - 1).limit.words, full ? QString("The context is full") : QString());
    }
    QVERIFY(full);
    QVERIFY(!w.chat().at(w.chat().rowCount() - 1).limit.canGoOn);
  }

  void theMeterKnowsTheParts() {
    QSettings().clear();
    Window w;
    QVERIFY(w.openModel());
    w.desk().setSettings(0, {"You are a lighthouse.", {}, {}});
    QFile file(m_folder.filePath("notes.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("A fox lives here.\n") > 0);
    file.close();
    w.window.chats().attach({file.fileName()});
    QVERIFY(waitUntil([&] { return w.window.chats().controller().files().of(0).size() == 1; }));
    w.ask("Why?");
    QVERIFY(w.answered(2));
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    const auto count = [&](const std::string& text) {
      return static_cast<int>(tokenizer->encode(text, false).size());
    };
    const ContextMeter& meter = *w.view().contextMeter();
    QTRY_COMPARE_WITH_TIMEOUT(meter.shares().system, count("You are a lighthouse."), kPatience);
    const std::string question = w.chat().at(0).text.toStdString();
    QTRY_COMPARE_WITH_TIMEOUT(meter.shares().files, count(question.substr(0, question.size() - 4)),
                              kPatience);
    QVERIFY2(meter.legend().contains("System message:") && meter.legend().contains("Files:"),
             qPrintable(meter.legend()));
    w.window.chats().controller().startAnew();
    QTRY_COMPARE_WITH_TIMEOUT(meter.shares().system, 0, kPatience);
    QCOMPARE(meter.shares().files, 0);
  }

  // And not that of the sequence that was computed last.
  void theMeterIsTheOneOfTheChatShown() {
    QSettings().clear();
    Window w;
    QVERIFY(w.openModel());
    w.ask("What does the fox do today?");
    QVERIFY(w.answered(2));
    const ContextMeter& meter = *w.view().contextMeter();
    QVERIFY2(meter.text().contains("block"), qPrintable(meter.text()));
    const ChatId chat = w.desk().shown();
    w.window.chats().controller().startAnew();
    QCOMPARE(meter.tokens(), 0);
    const int computed = static_cast<int>(w.live().sequences.rbegin()->second.tokens.size());
    w.desk().open(chat);
    QTRY_VERIFY_WITH_TIMEOUT(meter.tokens() > 0, kPatience);
    QVERIFY(meter.tokens() <= computed);  // the marks of the template are not counted
    QVERIFY2(meter.text().startsWith("about"), qPrintable(meter.text()));
  }
};

QTEST_MAIN(TestChatContext)
#include "tst_chat_context.moc"
