// An answer down to its tokens, in the window, with real clicks and keys: what a token was chosen from,
// another answer from an alternative, going on, running again, and changing the text. What the window
// computes is compared with an engine of its own, as the command line runs it.
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <cmath>

#include "gui/answers/answer_branches.h"
#include "gui/answers/token_looker.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/token_popup.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kProbability = Qt::UserRole, kDrawn = Qt::UserRole + 1;

SamplingOptions warm() {
  SamplingOptions sampling;
  sampling.temperature = 0.9;
  sampling.seed = 11;
  return sampling;
}

std::vector<TokenId> idsOf(const std::vector<AnswerToken>& tokens) {
  std::vector<TokenId> ids;
  for (const AnswerToken& token : tokens) ids.push_back(token.id);
  return ids;
}

class Window : public ShownWindow {
 public:
  explicit Window(const QString& file, int maxTokens = 24) : ShownWindow(Perspective::kChat) {
    window.keepChatsIn(file);
    SamplerControls* const controls = window.panels().controls;
    controls->setSampling(warm());
    controls->setMaxTokens(maxTokens);
    emit controls->samplingChanged(warm());
    emit controls->maxTokensChanged(maxTokens);
    QObject::connect(&window.session(), &Session::requestSubmitted, &window,
                     [this](const RequestSubmitted& submitted) { asked = submitted; });
  }
  ChatModel& chat() { return *window.panels().chatModel; }
  ChatView& view() { return *window.panels().chat; }
  ChatHistory& history() { return window.chats().desk().history(); }
  TokenPopup& popup() { return window.chats().branches().looker().popup(); }
  qint64 answer() { return chat().at(1).message; }
  AnswerText* text() { return view().answer(answer()); }

  bool ask(const QString& question) {
    QTest::keyClicks(view().input(), question);
    QTest::keyClick(view().input(), Qt::Key_Return);
    return answered(1);
  }
  // The newest answer, of so many, has ended and is in sight.
  bool answered(int variants) {
    return waitUntil([&] {
      return chat().rowCount() == 2 && chat().at(1).variants == variants &&
             chat().at(1).status == AnswerStatus::kDone && answer() != 0 && !chat().isAnswering() &&
             text() != nullptr && text()->isVisible() && text()->document()->characterCount() > 1;
    });
  }
  bool press(const QString& label) {
    QToolButton* last = nullptr;
    for (QToolButton* button : view().findChildren<QToolButton*>())
      if (button->text() == label && button->isVisible() && button->isEnabled()) last = button;
    if (last != nullptr) QTest::mouseClick(last, Qt::LeftButton);
    return last != nullptr;
  }
  bool pressInMenu(const QString& entry) {
    if (!press(QStringLiteral("⋯"))) return false;
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (menu == nullptr) return false;
    for (QAction* action : menu->actions()) {
      if (action->text().remove(u'&') != entry || !action->isEnabled()) continue;
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return true;
    }
    menu->close();
    return false;
  }
  // Of the answer's text, as it is laid out.
  QString underlined() {
    QString marked;
    for (QTextBlock block = text()->document()->begin(); block.isValid(); block = block.next())
      for (const QTextLayout::FormatRange& range : block.layout()->formats())
        if (range.format.underlineStyle() == QTextCharFormat::DashUnderline)
          marked += block.text().mid(range.start, range.length);
    return marked;
  }
  QString labels() {
    QString all;
    for (const QLabel* label : popup().findChildren<QLabel*>()) all += label->text() + u'\n';
    return all;
  }
  int drawnRow() {
    for (int i = 0; i < popup().list()->count(); ++i)
      if (popup().list()->item(i)->data(kDrawn).toBool()) return i;
    return -1;
  }
  bool popupShows(int place) {
    return waitUntil([&] {
      return popup().isVisible() && popup().list()->count() > 0 &&
             labels().contains(QStringLiteral("Token %1 of").arg(place + 1));
    });
  }
  // A click on the first letter of the word with this number, or the mouse that rests there.
  bool pointAtWord(int number, bool click = true) {
    const QString shown = chat().at(1).text;
    qsizetype at = 0;
    for (int i = 0; i < number && at >= 0; ++i) at = shown.indexOf(u' ', at) + 1;
    const auto byte = static_cast<std::size_t>(shown.left(at).toUtf8().size());
    const QPoint place = text()->placeOf(byte, byte + 1).center() - text()->viewport()->pos();
    if (click)
      QTest::mouseClick(text()->viewport(), Qt::LeftButton, {}, place);
    else
      QTest::mouseMove(text()->viewport(), place);
    return waitUntil([&] { return popup().isVisible() && popup().list()->count() > 0; });
  }
  int shownPlace() {
    static const QRegularExpression number(QStringLiteral("Token (\\d+) of"));
    return number.match(labels()).captured(1).toInt() - 1;
  }

  RequestSubmitted asked;  // the last one
};

// What `vitrine-cli generate --token-ids ... --output-ids ...` runs.
std::vector<TokenId> generate(const RequestSubmitted& asked, std::vector<TokenId> begun, int maxTokens) {
  EventQueue unheard;
  const auto engine = Engine::load(builtinModelDirectory(), {}, unheard);
  Request request;
  request.tokenIds = asked.asked.tokenIds;
  request.outputIds = std::move(begun);
  request.sampling = asked.asked.sampling;
  request.stop = asked.asked.stop;
  request.maxTokens = maxTokens;
  const RequestId id = engine->submit(request);
  engine->run();
  return engine->takeResult(id).sequences.front().tokenIds;
}

}  // namespace

class TestAnswerBranches : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString file(const char* name) { return m_folder.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  // The probability is that of the draw, also in the next window; another token leads to what an engine
  // writes that begins with it.
  void anotherTokenIsAnotherAnswer() {
    std::vector<AnswerToken> tokens;
    int place = 0;
    {
      Window w(file("branch.db"));
      QVERIFY(w.openModel());
      QVERIFY(w.ask("Tell me a story about a fox."));
      tokens = w.history().tokens(w.answer());
      QVERIFY(!tokens.empty());
      QVERIFY(w.pointAtWord(3));
      place = w.shownPlace();
      QVERIFY(place > 0);
      QVERIFY(w.drawnRow() >= 0);
    }
    Window w(file("branch.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.window.chats().desk().open(w.history().chats().front().id));
    QVERIFY(w.answered(1));
    const qint64 first = w.answer();
    QVERIFY(w.pointAtWord(3));
    QCOMPARE(w.shownPlace(), place);
    const int drawn = w.drawnRow();
    QVERIFY(drawn >= 0);
    QListWidget* const list = w.popup().list();
    for (int i = 0; i < list->count(); ++i)
      QVERIFY(list->viewport()->rect().contains(list->visualItemRect(list->item(i))));
    const double logprob = tokens[static_cast<std::size_t>(place)].logprob;
    QVERIFY(std::abs(list->item(drawn)->data(kProbability).toDouble() - std::exp(logprob)) < 1e-5);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(drawn == 0 ? 1 : 0)).center());
    QVERIFY(w.answered(2));
    QVERIFY(!w.popup().isVisible());
    QVERIFY(w.answer() != first);
    const std::vector<AnswerToken> branch = w.history().tokens(w.answer());
    QVERIFY(std::equal(tokens.begin(), tokens.begin() + place, branch.begin()));
    const auto at = static_cast<std::size_t>(place);
    QVERIFY(branch[at].id != tokens[at].id);
    QCOMPARE(w.asked.asked.outputIds, idsOf({branch.begin(), branch.begin() + place + 1}));
    QCOMPARE(idsOf(branch), generate(w.asked, w.asked.asked.outputIds, 24));
    QCOMPARE(idsOf(w.history().tokens(first)), idsOf(tokens));
  }

  // What an answer was begun with is underlined, here and in the next window, and the popup says so.
  void givenTokensAreMarked() {
    QString given;
    int place = 0;
    const auto isMarked = [](const QString& text, const QString& wanted) {
      return !wanted.isEmpty() && wanted.trimmed() == text.left(wanted.size()).trimmed();
    };
    {
      Window w(file("given.db"));
      QVERIFY(w.openModel());
      QVERIFY(w.ask("Tell me a story about a fox."));
      QVERIFY(w.pointAtWord(3));
      QVERIFY(!w.labels().contains("given"));
      QCOMPARE(w.underlined(), QString());
      place = w.shownPlace();
      QTest::keyClick(w.popup().list(), w.drawnRow() == 0 ? Qt::Key_Down : Qt::Key_Up);
      QTest::keyClick(w.popup().list(), Qt::Key_Return);
      QVERIFY(w.answered(2));
      QVERIFY(waitUntil([&] { return !w.underlined().isEmpty(); }));
      given = w.underlined();
      QVERIFY2(isMarked(w.chat().at(1).text, given), qPrintable(given));
      QCOMPARE(given.simplified().count(u' '), 3);  // three words, and the chosen one
      QVERIFY(w.pointAtWord(1));
      QVERIFY2(w.labels().contains("given, not sampled"), qPrintable(w.labels()));
      while (w.shownPlace() <= place) {
        const int before = w.shownPlace();
        QTest::keyClick(w.popup().list(), Qt::Key_Right);
        QVERIFY(w.popupShows(before + 1));
      }
      QVERIFY(!w.labels().contains("given"));  // the first that the model drew
    }
    Window w(file("given.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.window.chats().desk().open(w.history().chats().front().id));
    QVERIFY(w.answered(2));
    QVERIFY(waitUntil([&] { return w.underlined() == given; }));
    QVERIFY(w.press(QStringLiteral("‹")));  // the answer that was not begun
    QVERIFY(w.answered(2));
    QTest::qWait(0);
    QCOMPARE(w.underlined(), QString());
  }

  // From the keyboard: the tokens one after another, the alternatives, and back.
  void theKeysGoFromTokenToToken() {
    Window w(file("keys.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.ask("What is a KV cache?"));
    QVERIFY(w.pressInMenu("Look at its tokens"));
    QVERIFY(w.popupShows(0));
    QListWidget* const list = w.popup().list();
    QTRY_VERIFY(w.popup().hasTheFocus());
    QTest::keyClick(list, Qt::Key_Right);
    QVERIFY(w.popupShows(1));
    QTest::keyClick(list, Qt::Key_Right);
    QVERIFY(w.popupShows(2));
    QTest::keyClick(list, Qt::Key_Left);
    QVERIFY(w.popupShows(1));
    QVERIFY(!w.text()->extraSelections().isEmpty());
    QTest::keyClick(list, Qt::Key_Escape);
    QVERIFY(!w.popup().isVisible());
    QVERIFY(w.text()->extraSelections().isEmpty());
    QVERIFY(w.pressInMenu("Look at its tokens"));
    QVERIFY(w.popupShows(0));
    QTRY_VERIFY(w.popup().hasTheFocus());
    const int drawn = w.drawnRow();
    QTest::keyClick(list, Qt::Key_Return);  // the answer has this one already
    QVERIFY(w.popup().isVisible());
    QTest::keyClick(list, drawn == 0 ? Qt::Key_Down : Qt::Key_Up);
    QTest::keyClick(list, Qt::Key_Return);
    QVERIFY(w.answered(2));
    QCOMPARE(idsOf(w.history().tokens(w.answer())), generate(w.asked, w.asked.asked.outputIds, 24));
    QCOMPARE(w.asked.asked.outputIds.size(), 1u);
  }

  void theMouseRestsOnAWord() {
    Window w(file("rest.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.ask("What is a KV cache?"));
    QVERIFY(w.pointAtWord(2, false));
    QVERIFY(!w.popup().hasTheFocus());
    QTest::mouseMove(w.view().input(), w.view().input()->rect().center());
    QTRY_VERIFY(!w.popup().isVisible());
    QVERIFY(w.pointAtWord(1));
    QTest::mouseClick(w.view().input(), Qt::LeftButton);  // elsewhere
    QTRY_VERIFY(!w.popup().isVisible());
  }

  // The end of an answer is an alternative, too: what stands before it is kept as a text of the person's.
  void anAnswerEndsEarlier() {
    Window w(file("end.db"), 48);
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Tell me a story about a fox."));
    const QString whole = w.chat().at(1).text;
    const qint64 first = w.answer();
    QVERIFY(w.pressInMenu("Look at its tokens"));
    QVERIFY(w.popupShows(0));
    QListWidget* const list = w.popup().list();
    const auto endRow = [&] {
      for (int i = 0; i < list->count(); ++i)
        if (i != w.drawnRow() &&
            list->item(i)->data(Qt::AccessibleTextRole).toString().contains("the answer ends here"))
          return i;
      return -1;
    };
    const auto count = static_cast<int>(w.history().tokens(first).size());
    for (int place = 1; place < count && (endRow() < 0 || place < 3); ++place) {
      QTest::keyClick(list, Qt::Key_Right);
      QVERIFY(w.popupShows(place));
    }
    QVERIFY2(endRow() >= 0, "no place of this answer has its end among the likely tokens");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(endRow())).center());
    QTRY_VERIFY(w.answer() != first);
    QCOMPARE(w.chat().at(1).variants, 2);
    QVERIFY(whole.startsWith(w.chat().at(1).text) && whole != w.chat().at(1).text);
    QVERIFY(w.history().tokens(w.answer()).empty());
  }

  // A turn without a machine to take it is pending until it has failed, and then nothing is left of it.
  void aRepeatThatFailsLeavesNothing() {
    Window w(file("fails.db"), 6);
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Tell me a story about a fox."));
    const qint64 first = w.answer();
    const PendingTurns& pending = w.window.chats().controller().answers().pending();
    const ChatId chat = w.window.chats().desk().shown();
    w.window.host().close();
    QVERIFY(w.pressInMenu("Run again exactly"));
    QVERIFY(pending.has(chat));
    QTRY_VERIFY(!pending.has(chat));
    QVERIFY(!w.chat().isAnswering());
    QCOMPARE(w.chat().rowCount(), 2);
    QCOMPARE(w.answer(), first);
    QCOMPARE(w.chat().at(1).variants, 1);
  }

  // As long as it might be, and on: what one run of both lengths gives.
  void aShortAnswerGoesOn() {
    Window w(file("on.db"), 6);
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Tell me a story about a fox."));
    const qint64 first = w.answer();
    const std::vector<AnswerToken> begun = w.history().tokens(first);
    QCOMPARE(begun.size(), 6u);
    QVERIFY(w.pressInMenu("Continue"));
    QVERIFY(w.answered(2));
    const std::vector<AnswerToken> whole = w.history().tokens(w.answer());
    QCOMPARE(idsOf(whole), generate(w.asked, {}, 12));
    QVERIFY(whole.size() > begun.size());
    QVERIFY(std::equal(begun.begin(), begun.end(), whole.begin()));  // with their probabilities
    for (const AnswerToken& token : whole) QVERIFY(!std::isnan(token.logprob));
    QCOMPARE(w.history().tokens(first).size(), 6u);
    // What it was given is read like the prompt, and only the rest was generated.
    const PromptReuse& reuse = *w.chat().at(1).reuse;
    QCOMPARE(reuse.promptTokens, static_cast<int>(w.asked.asked.tokenIds.size()) + 6);
    QVERIFY2(reuse.computedTokens() > 0, qPrintable(promptReuseTitle(reuse)));
    const auto chat = w.history().chat(w.window.chats().desk().shown());
    QVERIFY(chat);
    const AnswerTimings timings = chat->messages.back().timings;
    QCOMPARE(timings.promptTokens, reuse.promptTokens);
    QCOMPARE(timings.outputTokens, static_cast<int>(whole.size()) - 6);
    const QString note = w.chat().at(1).note, inAll = QStringLiteral(" more, %1 in all").arg(whole.size());
    QVERIFY2(note.startsWith(QStringLiteral("%1 token").arg(whole.size() - 6)) && note.contains(inAll),
             qPrintable(note));
  }

  void theSameAnswerAgain() {
    Window w(file("same.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Tell me a story about a fox."));
    const qint64 first = w.answer();
    SamplingOptions other = warm();
    other.seed = 99;  // the controls stand elsewhere by now
    emit w.window.panels().controls->samplingChanged(other);
    QVERIFY(w.pressInMenu("Run again exactly"));
    QVERIFY(w.answered(2));
    QTRY_VERIFY2_WITH_TIMEOUT(w.chat().at(1).note.contains("Token for token the same"),
                              qPrintable(w.chat().at(1).note), kPatience);
    QCOMPARE(idsOf(w.history().tokens(w.answer())), idsOf(w.history().tokens(first)));
  }

  void anAnswerIsEdited() {
    Window w(file("edit.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Hello!"));
    const QString old = w.chat().at(1).text;
    QVERIFY(w.pressInMenu("Edit the answer…"));
    QCOMPARE(w.view().input()->toPlainText(), old);
    const auto button = [&](const QString& text) {
      QPushButton* found = nullptr;
      for (auto* one : w.view().findChildren<QPushButton*>())
        if (one->isVisible() && one->text() == text) found = one;
      return found;
    };
    w.view().input()->clear();
    QTest::keyClicks(w.view().input(), "Good morning.");
    QVERIFY(button("Save") && !button("Send"));
    QTest::mouseClick(button("Save"), Qt::LeftButton);
    QTRY_COMPARE(w.chat().at(1).text, QString("Good morning."));
    QVERIFY(button("Send") && !button("Save"));
    QCOMPARE(w.chat().at(1).note, QString("edited"));
    QCOMPARE(w.chat().at(1).variants, 2);
    QCOMPARE(w.chat().rowCount(), 2);
    QVERIFY(!w.pressInMenu("Look at its tokens"));  // it has none
    QVERIFY(w.press(QStringLiteral("‹")));
    QTRY_COMPARE(w.chat().at(1).text, old);
    QVERIFY(!w.chat().at(1).note.contains("edited"));
  }

  // What the model held for unlikely is coloured where it stands, and nothing when the colours are off.
  void surprisingWordsAreColoured() {
    Window w(file("tints.db"));
    QVERIFY(w.openModel());
    QVERIFY(w.ask("Tell me a story about a fox."));
    QAction* colours = nullptr;
    for (QAction* action : w.window.chats().menu().actions())
      if (action->text().contains("surprising")) colours = action;
    QVERIFY(colours != nullptr && !colours->isChecked());
    const auto coloured = [&] {
      QSet<int> letters;
      for (QTextBlock block = w.text()->document()->begin(); block.isValid(); block = block.next())
        for (const QTextLayout::FormatRange& range : block.layout()->formats())
          if (range.format.background().style() != Qt::NoBrush)
            for (int i = 0; i < range.length; ++i) letters.insert(block.position() + range.start + i);
      return letters;
    };
    QVERIFY(coloured().isEmpty());
    colours->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!coloured().isEmpty(), kPatience);
    // Each letter, by the token that the popup finds there.
    const std::vector<AnswerToken> tokens = w.history().tokens(w.answer());
    QVERIFY(w.pressInMenu("Look at its tokens"));
    int surprising = 0;
    for (int place = 0; place < static_cast<int>(tokens.size()); ++place) {
      QVERIFY(w.popupShows(place));
      const QList<QTextEdit::ExtraSelection> marked = w.text()->extraSelections();
      const float logprob = tokens[static_cast<std::size_t>(place)].logprob;
      if (!marked.isEmpty() && marked.front().cursor.hasSelection()) {
        const bool isColoured = coloured().contains(marked.front().cursor.selectionStart());
        QCOMPARE(isColoured, logprob < std::log(0.5f));
        surprising += isColoured;
      }
      if (place + 1 < static_cast<int>(tokens.size())) QTest::keyClick(w.popup().list(), Qt::Key_Right);
    }
    QVERIFY(surprising > 0);
    colours->trigger();
    QVERIFY(coloured().isEmpty());
  }
};

QTEST_MAIN(TestAnswerBranches)
#include "tst_answer_branches.moc"
