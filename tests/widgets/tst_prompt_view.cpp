// A prompt as tokens: a line for each message, keys that go token by token, what a screen reader is told, and
// the template's line that wrote a token.
#include "widgets/prompt/prompt_view.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include "support/palettes.h"
#include "widgets/prompt/prompt_bar.h"
#include "widgets/prompt/prompt_colours.h"
#include "widgets/prompt/template_view.h"
#include "widgets/support/translations.h"

using namespace vitrine;

namespace {

const std::string kSource = "{%- for m in messages %}\n{{ m.role + m.content }}\n{%- endfor %}\n{{ 'go' }}";

SeenToken mark(TokenId id, const char* name, int message, int writer) {
  return {.id = id, .text = name, .isMark = true, .message = message, .writer = writer};
}
SeenToken own(const char* text, int message, int writer) {
  return {.id = 5, .text = text, .message = message, .writer = writer};
}
SeenToken words(const char* text, int message) {
  return {.id = 9, .text = text, .isWritten = true, .message = message, .writer = 0};
}

std::shared_ptr<SeenPrompt> twoMessages() {
  auto seen = std::make_shared<SeenPrompt>();
  seen->roles = {"system", "user"};
  seen->source = kSource;
  seen->place = "chat_template.jinja";
  seen->writers = {{2, kSource.find("{{ m"), kSource.find("}}") + 2},
                   {4, kSource.find("{{ 'go"), kSource.size()}};
  seen->tokens = {mark(100, "<s>", 0, 0),   own("system\n", 0, 0),   words("Be", 0),
                  words(" brief", 0),       mark(101, "</s>", 0, 0), mark(100, "<s>", 1, 0),
                  own("user\n", 1, 0),      words("Hi", 1),          words("\n", 1),
                  words("there", 1),        mark(101, "</s>", 1, 0), mark(100, "<s>", -1, 1),
                  own("assistant\n", -1, 1)};
  seen->answerBegins = 11;
  return seen;
}

struct Shown {
  Session session;
  PromptModel model{&session};
  PromptView view{&model};
  TemplateView source{&model};
  PromptBar bar{&model};

  explicit Shown(std::shared_ptr<const SeenPrompt> prompt = twoMessages(), QSize size = {700, 300}) {
    view.resize(size);
    source.resize(size);
    view.show();
    source.show();
    model.setPrompt(std::move(prompt));
  }
  bool exposed() { return QTest::qWaitForWindowExposed(&view) && QTest::qWaitForWindowExposed(&source); }
  double lineOf(int row) const { return view.tokenRect(row).top(); }
};

}  // namespace

class TestPromptView : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { installTranslations(*QCoreApplication::instance(), QLocale::c()); }

  void aLineBeginsAtEachMessageAndAfterALineBreak() {
    Shown shown;
    QVERIFY(shown.exposed());
    for (int row = 0; row < 5; ++row) QCOMPARE(shown.lineOf(row), shown.lineOf(0));
    QVERIFY(shown.lineOf(5) > shown.lineOf(4));
    QCOMPARE(shown.lineOf(8), shown.lineOf(5));  // the template's line break, and its own, end no line
    QVERIFY(shown.lineOf(9) > shown.lineOf(8));
    QVERIFY(shown.lineOf(11) > shown.lineOf(10));
    QCOMPARE(shown.model.heading(0), QString("1 system"));
    QCOMPARE(shown.model.heading(5), QString("2 user"));
    QCOMPARE(shown.model.heading(11), QString("answer"));
    QVERIFY(shown.model.heading(1).isEmpty());
    for (int row = 1; row < 5; ++row)
      QVERIFY(shown.view.tokenRect(row).left() >= shown.view.tokenRect(row - 1).right() - 0.01);
  }

  void narrowLinesAreBroken() {
    Shown shown(twoMessages(), {260, 300});
    QVERIFY(shown.exposed());
    for (int row = 0; row < shown.model.rowCount(); ++row)
      if (!shown.model.at(row).isMark) QVERIFY(shown.view.tokenRect(row).right() <= 260);
    QVERIFY(shown.lineOf(4) > shown.lineOf(0));
  }

  void keysGoTokenByTokenAndAreTold() {
    Shown shown;
    QVERIFY(shown.exposed());
    QSignalSpy pointed(&shown.view, &PromptView::pointed);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(shown.view.current(), 0);
    QCOMPARE(pointed.last().front().toInt(), 0);
    QVERIFY2(shown.view.accessibleDescription().startsWith("Token 1 of 13: special token <s>, id 100"),
             qPrintable(shown.view.accessibleDescription()));
    for (int i = 0; i < 2; ++i) QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(shown.view.accessibleDescription(),
             QString("Token 3 of 13: “Be”, id 9; words of message 1 (system), from line 2"));
    QTest::keyClick(&shown.view, Qt::Key_Down);
    QVERIFY(shown.model.at(shown.view.current()).message == 1);
    QTest::keyClick(&shown.view, Qt::Key_End);
    QCOMPARE(shown.view.current(), 12);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(shown.view.current(), 12);
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QCOMPARE(shown.view.current(), 0);
  }

  // A list, and a token an item: its text, its id, and whose it is.
  void aScreenReaderReadsTokenByToken() {
    Shown shown;
    QVERIFY(shown.exposed());
    const QAccessibleInterface* const list = QAccessible::queryAccessibleInterface(&shown.view);
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->text(QAccessible::Name), QString("The prompt as the model reads it"));
    QCOMPARE(list->childCount(), shown.model.rowCount());
    const auto said = [&](int row) { return list->child(row)->text(QAccessible::Name); };
    QCOMPARE(said(0),
             QString("Token 1 of 13: special token <s>, id 100; the template's, around message 1 (system), "
                     "from line 2"));
    QCOMPARE(said(2), QString("Token 3 of 13: “Be”, id 9; words of message 1 (system), from line 2"));
    QVERIFY(said(11).contains("the template's, to begin the answer"));

    shown.view.activateWindow();
    shown.view.setFocus();
    QTRY_VERIFY(shown.view.hasFocus());
    QTest::keyClick(&shown.view, Qt::Key_Home);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QAccessibleInterface* const item = list->child(1);
    QCOMPARE(list->focusChild(), item);
    QCOMPARE(list->indexOfChild(item), 1);
    QCOMPARE(item->role(), QAccessible::ListItem);
    QCOMPARE(item->parent()->object(), &shown.view);
    QVERIFY(item->state().focused && item->state().selected && item->state().readOnly);
    QVERIFY(!list->child(0)->state().focused && !list->child(0)->state().selected);
    const QPoint middle = item->rect().center();
    QCOMPARE(list->childAt(middle.x(), middle.y()), item);

    QAccessibleInterface* const last = list->child(12);
    auto shorter = twoMessages();
    shorter->tokens.resize(3);
    shorter->answerBegins = -1;
    shown.model.setPrompt(shorter);
    QVERIFY(!last->isValid() && last->text(QAccessible::Name).isEmpty());
    QCOMPARE(list->childCount(), 3);
  }

  void theMousePointsAndLeavesTheCurrentTokenBehind() {
    Shown shown;
    QVERIFY(shown.exposed());
    QSignalSpy pointed(&shown.view, &PromptView::pointed);
    const auto over = [&](int row) { return shown.view.tokenRect(row).center().toPoint(); };
    QTest::mouseClick(shown.view.viewport(), Qt::LeftButton, {}, over(3));
    QCOMPARE(shown.view.current(), 3);
    QTest::mouseMove(shown.view.viewport(), over(7));
    QTRY_COMPARE(pointed.last().front().toInt(), 7);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&shown.view, &leave);
    QCOMPARE(pointed.last().front().toInt(), 3);
  }

  void itSaysWhatWroteAToken() {
    Shown shown;
    QCOMPARE(
        shown.model.whatWrote(2),
        QString("Line 2 wrote this: the role and the words of message 1 (system), between special tokens."));
    QCOMPARE(shown.model.whatWrote(11), QString("Line 4 wrote this: the beginning of the answer."));
    QCOMPARE(shown.model.whatLineWrote(2), QString("Line 2 wrote 11 tokens, in 2 messages."));
    QCOMPARE(shown.model.whatLineWrote(4), QString("Line 4 wrote 2 tokens."));
    QCOMPARE(shown.model.whatLineWrote(1), QString("Line 1 wrote nothing of this prompt."));
    QCOMPARE(shown.view.summary(), QString("13 tokens · 8 of them written by the template"));
    QCOMPARE(shown.bar.text(), QString("system 2 · user 3 · template 8"));
  }

  void itSaysWhereItDiffersFromTheLastPrompt() {
    const auto shown = [](const PromptBefore& before) {
      auto prompt = twoMessages();
      prompt->before = before;
      return std::make_unique<Shown>(prompt);
    };
    const auto thought =
        shown({.tokens = 20, .promptTokens = 5, .shared = 7, .theirs = "<think>", .hasThought = true});
    QCOMPARE(thought->model.firstThatDiffers(), 7);
    QCOMPARE(thought->model.whatIsShared(),
             QString("The first 7 tokens are those of the last prompt and its answer: the KV can be taken "
                     "from the prefix cache, in whole blocks. Token 8 differs: the template drops earlier "
                     "thoughts."));
    QVERIFY(thought->model.describe(7).contains(", the first that differs from the last prompt"));
    QVERIFY(!thought->model.describe(6).contains("differs"));
    const auto text = shown({.tokens = 9, .promptTokens = 5, .shared = 3, .theirs = " brave"});
    QVERIFY2(text->model.whatIsShared().contains("those of the last prompt: the KV") &&
                 text->model.whatIsShared().endsWith("Token 4 differs: it is “␣brief”, and was “␣brave”."),
             qPrintable(text->model.whatIsShared()));
    const auto whole = shown({.tokens = 5, .promptTokens = 4, .shared = 5, .isCached = false});
    QCOMPARE(whole->model.firstThatDiffers(), -1);
    QCOMPARE(
        whole->model.whatIsShared(),
        QString("The first 5 tokens are those of the last prompt and its answer. The machine runs without "
                "the prefix cache, so all is computed again."));
    QVERIFY(shown({})->model.whatIsShared().isEmpty());
  }

  void itNamesMessagesThatAreLeftOut() {
    const auto shown = [](std::vector<LeftOutMessage> messages) {
      auto prompt = twoMessages();
      prompt->roles.resize(30, "tool");
      prompt->messagesLeftOut = std::move(messages);
      return std::make_unique<Shown>(prompt);
    };
    QVERIFY(shown({})->model.whatIsLeftOut().isEmpty());
    const auto one = shown({{2, "22 degrees"}});
    QCOMPARE(one->model.whatIsLeftOut(), QString("The template leaves out: message 3 (tool) “22 degrees”"));
    QCOMPARE(one->view.summary(),
             QString("13 tokens · 8 of them written by the template · 1 message left out"));
    using Part = LeftOutMessage::Part;
    const auto parts = shown({{2, "I look.", Part::kWords}, {2, "get_weather", Part::kCalls}});
    QCOMPARE(parts->model.whatIsLeftOut(),
             QString("The template leaves out: the words beside the calls of message 3 (tool) “I look.”; "
                     "the calls of message 3 (tool) “get_weather”"));
    QCOMPARE(parts->view.summary(), QString("13 tokens · 8 of them written by the template"));
    const std::string fox = "\xF0\x9F\xA6\x8A";
    const auto four = shown({{0, "Be\nbrief"},
                             {2, std::string(39, 'a') + "b"},
                             {3, std::string(38, 'a') + fox + "b"},
                             {4, "Rain"}});
    QCOMPARE(four->model.whatIsLeftOut(),
             QString("The template leaves out: message 1 (system) “Be brief”; message 3 (tool) “") +
                 QString(39, 'a') + QString("b”; message 4 (tool) “") + QString(38, 'a') +
                 QString("…”; message 5 (tool)"));
    QVERIFY(four->view.summary().endsWith(" · 4 messages left out"));
    std::vector<LeftOutMessage> many;
    for (int message = 0; message < 30; ++message) many.push_back({message, "Rain"});
    const QString names = shown(many)->model.whatIsLeftOut();
    QVERIFY2(names.endsWith("; message 12 (tool); 18 more"), qPrintable(names));
  }

  // The flag before the token is in the picture, and only there.
  void theFirstTokenThatDiffersHasAFlag() {
    const auto picture = [](int shared) {
      auto prompt = twoMessages();
      prompt->before = {.tokens = 20, .promptTokens = 5, .shared = shared};
      Shown shown(prompt);
      const bool there = shown.exposed();
      const QRect area = shown.view.tokenRect(7).toAlignedRect().adjusted(-4, -2, 0, 2);
      return there ? shown.view.viewport()->grab(area).toImage() : QImage();
    };
    const QImage flagged = picture(7), plain = picture(20);
    QVERIFY(!flagged.isNull() && !plain.isNull());
    QVERIFY(flagged != plain);
  }

  void aLineChosenHasItsTokensAndATokenItsLine() {
    Shown shown;
    QVERIFY(shown.exposed());
    QCOMPARE(shown.source.summary(), QString("4 lines"));
    QSignalSpy chosen(&shown.source, &TemplateView::lineChosen);
    for (int i = 0; i < 4; ++i) QTest::keyClick(&shown.source, Qt::Key_Down);
    QCOMPARE(chosen.last().front().toInt(), 4);
    QCOMPARE(chosen.last().at(1).value<std::set<int>>(), std::set<int>({1}));
    QVERIFY2(shown.source.accessibleDescription().startsWith("Line 4 of 4: {{ 'go' }}"),
             qPrintable(shown.source.accessibleDescription()));
    QTest::mouseClick(shown.source.viewport(), Qt::LeftButton, {}, shown.source.lineRect(2).center());
    QCOMPARE(shown.source.markedLine(), 2);
    shown.view.mark({0});
    QVERIFY(shown.view.isMarked(3) && !shown.view.isMarked(11));
  }

  // A template in one line, as many are.
  void longLinesGoOnBelow() {
    auto prompt = twoMessages();
    prompt->source = std::string(300, 'x');
    prompt->source.replace(40, 1, " ");
    prompt->writers = {{1, 0, 5}, {1, 41, 50}};
    Shown shown(prompt, {300, 300});
    QVERIFY(shown.exposed());
    QCOMPARE(shown.source.lines(), 1);
    QVERIFY(shown.source.lineRect(1).height() > 5 * shown.source.fontMetrics().height());
  }

  void wordsAreReadOnTheirGrounds() {
    for (const QPalette& palette : {test::paletteOf(Qt::white, QColor(0x23, 0x26, 0x29)),
                                    test::paletteOf(QColor(0x1b, 0x1e, 0x20), QColor(0xfc, 0xfc, 0xfc))}) {
      const Theme theme(palette);
      for (int i = 0; i < PromptModel::kOwners; ++i)
        QVERIFY(contrastRatio(theme.text(), ownerGround(static_cast<PromptModel::Owner>(i), theme)) >= 4.5);
      QVERIFY(contrastRatio(theme.text(), writtenGround(theme)) >= 4.5);
    }
  }

  void withoutAPromptItSaysWhy() {
    Shown shown(nullptr);
    shown.view.setEmptyWords("Nothing is asked yet.");
    QCOMPARE(shown.view.accessibleDescription(), QString("Nothing is asked yet."));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QCOMPARE(shown.view.current(), -1);
    QVERIFY(shown.view.summary().isEmpty());
  }
};

QTEST_MAIN(TestPromptView)
#include "tst_prompt_view.moc"
