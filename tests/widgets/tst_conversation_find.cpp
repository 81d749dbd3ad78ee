// Find in a conversation: what is lit is what is counted, with real keys, in a long chat, in thinking, and in
// bounded work.
#include <QCheckBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

#include "widgets/chat/chat_view.h"
#include "widgets/chat/find_bar.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/conversation_search.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/lit_label.h"
#include "widgets/message/message_widget.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

constexpr int kPatience = 30000;  // ms

ChatEntry entry(ChatRole role, const QString& text, const QString& thinking = {}) {
  ChatEntry one;
  one.role = role;
  one.text = text;
  one.thinking = thinking;
  if (role == ChatRole::kAssistant) one.status = AnswerStatus::kDone;
  return one;
}
ChatEntry question(const QString& text) { return entry(ChatRole::kUser, text); }
ChatEntry answer(const QString& text, const QString& thinking = {}) {
  return entry(ChatRole::kAssistant, text, thinking);
}

const QString kMarkdown = QStringLiteral(
    "# The fox\n\nA **fo**x and a [fox](https://fox.org), `fox`\\\nfox &amp; fox.\n\n"
    "- fox\n- a\n  - deeper fox\n\n| fox | b |\n|---|---|\n| c | fox fox |\n\n```py\nfox = "
    "1\n\nfox\n```\n\n> fox\n");

struct Chat {
  Session session;
  ChatModel model{&session};
  ChatView view{&model, &session};

  explicit Chat(std::vector<ChatEntry> entries, QSize size = {600, 500}) {
    model.show(std::move(entries));
    view.resize(size);
    view.show();
    view.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&view);
  }
  QLineEdit* line() { return view.findBar()->line(); }
  QString count() {
    const auto labels = view.findBar()->findChildren<QLabel*>();
    return labels.front()->text();
  }
  void find(const QString& text) {
    view.find();
    line()->clear();
    QTest::keyClicks(line(), text);
  }
  TranscriptView* transcript() { return view.findChild<TranscriptView*>(); }
  // The widget that shows a message with this text.
  MessageWidget* message(const QString& text) {
    for (MessageWidget* one : view.findChildren<MessageWidget*>()) {
      if (!one->isVisible()) continue;
      for (const QLabel* label : one->findChildren<QLabel*>())
        if (label->text().contains(text)) return one;
      for (const AnswerText* shown : one->findChildren<AnswerText*>())
        if (shown->toPlainText().contains(text)) return one;
    }
    return nullptr;
  }
  // Whether a hit that is lit lies within what the transcript shows.
  bool isInSight(MessageWidget* in, const FoundPlace& hit) {
    const QRect area = in->hitRect(hit);
    const QRect seen(in->mapTo(transcript()->viewport(), area.topLeft()), area.size());
    return area.isValid() && transcript()->viewport()->rect().contains(seen);
  }
};

// The smallest rectangle around the pixels of a colour.
QRect areaOf(const QImage& image, QRgb colour) {
  QRect area;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == colour) area |= QRect(x, y, 1, 1);
  return area;
}

}  // namespace

class TestConversationFind : public QObject {
  Q_OBJECT

 private slots:
  void occurrencesAreApart() {
    using Ranges = std::vector<FoundRange>;
    QCOMPARE(occurrences("Fox fox", phrase("fox", false)), (Ranges{{0, 3}, {4, 3}}));
    QCOMPARE(occurrences("Fox fox", phrase("fox", true)), (Ranges{{4, 3}}));
    QCOMPARE(occurrences("aaaa", phrase("aa", false)), (Ranges{{0, 2}, {2, 2}}));
    QCOMPARE(
        occurrences(QString("kv\u2028cache\u00a0kv cache\u2029kv\u2029cache"), phrase("kv cache", false)),
        (Ranges{{0, 8}, {9, 8}}));
    QCOMPARE(occurrences("one cached, two", {{"two", "cache", "cached"}, false}), (Ranges{{4, 6}, {12, 3}}));
    QVERIFY(phrase("  ", false).isEmpty());
    QVERIFY(occurrences("a", {}).empty());
  }

  // The search reads no document, and what is shown is one: both have the same hits.
  void theShownTextIsTheDocument() {
    AnswerText shown;
    shown.setSource(kMarkdown);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.text().pending(), kPatience);  // the code's colours are read in a frame
    const SoughtText fox = phrase("fox", false);
    const auto inDocument = occurrences(shown.document()->toRawText(), fox);
    QCOMPARE(inDocument.size(), occurrences(shownParts(answer(kMarkdown))[kTextPart], fox).size());
    QCOMPARE(int(inDocument.size()), 14);  // without the address
    shown.light(fox, 2);
    QCOMPARE(shown.extraSelections().size(), 14);
    QVERIFY(shown.extraSelections()[2].format.background() != shown.extraSelections()[1].format.background());
    for (const auto& lit : shown.extraSelections())
      QCOMPARE(lit.cursor.selectedText().toLower(), QString("fox"));
    shown.setSource(kMarkdown + "\nfox\n");  // text that comes later
    QTRY_VERIFY_WITH_TIMEOUT(!shown.text().pending(), kPatience);
    QCOMPARE(shown.extraSelections().size(), 15);
  }

  // A formula is one character of the document; what is sought is its source.
  void wordsWithinAFormulaAreFound() {
    const QString text = "Let $\\alpha + \\beta$ be\n\n- small\n\n$$\\frac{\\alpha}{\\alpha}$$\n\nand alpha.";
    AnswerText shown;
    shown.resize(400, 300);
    shown.show();
    shown.setSource(text);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.text().pending(), kPatience);
    QCOMPARE(shown.written().text(), shownParts(answer(text))[kTextPart]);
    const SoughtText alpha = phrase("alpha", false);
    shown.light(alpha, 0);
    QCOMPARE(shown.extraSelections().size(), 4);
    QCOMPARE(shown.extraSelections()[0].cursor.selectedText(), QString("\uFFFC"));
    QCOMPARE(shown.extraSelections()[3].cursor.selectedText(), QString("alpha"));
    QVERIFY(shown.hitRect(0).isValid() && shown.hitRect(0) != shown.hitRect(1));
    QCOMPARE(shown.hitRect(1), shown.hitRect(2));
    shown.light(alpha, 1);  // the other one in the same formula does not cover it
    QCOMPARE(shown.extraSelections().size(), 3);
    QVERIFY(shown.extraSelections()[1].format.background() != shown.extraSelections()[0].format.background());
    shown.light(phrase("+ \\beta$ be", false), 0);
    QCOMPARE(shown.extraSelections()[0].cursor.selectedText(), QString("\uFFFC be"));
  }

  void aFormulaFarAwayIsShown() {
    std::vector<ChatEntry> entries{question("Which?"), answer("The $\\omega_{0}$ first.")};
    for (int i = 0; i < 30; ++i) entries.push_back(answer(QString("filler %1\n\nand more").arg(i)));
    Chat chat(std::move(entries));
    chat.find("omega_{0");
    QTRY_COMPARE_WITH_TIMEOUT(chat.count(), QString("1 of 1"), kPatience);
    MessageWidget* found = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((found = chat.message(QString("first."))) != nullptr, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(chat.isInSight(found, {1, kTextPart, 0}), kPatience);
  }

  // Where the label says that a hit is, QLabel itself shows its selection.
  void aLabelKnowsWhereItsHitsAre() {
    LitLabel label;
    label.setTextFormat(Qt::PlainText);
    label.setWordWrap(true);
    label.setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.setText(
        "Some words before it, and a line that is broken\nsomewhere: target is here, and more follows");
    QPalette palette = label.palette();
    palette.setColor(QPalette::Highlight, QColor(0, 255, 0));
    palette.setColor(QPalette::HighlightedText, QColor(0, 255, 0));
    label.setPalette(palette);
    label.resize(170, 150);
    label.light(phrase("target", false), 0);
    const QRect said = label.hitRect(0);
    label.light({}, -1);
    label.setSelection(static_cast<int>(label.text().indexOf("target")), 6);
    const QRect painted = areaOf(label.grab().toImage(), QColor(0, 255, 0).rgb());
    QVERIFY(painted.isValid());
    QVERIFY2(
        (said.topLeft() - painted.topLeft()).manhattanLength() <= 2 &&
            (said.bottomRight() - painted.bottomRight()).manhattanLength() <= 3,
        qPrintable(QString("%1 %2 %3 %4").arg(said.x()).arg(said.y()).arg(painted.x()).arg(painted.y())));
    QVERIFY(label.hitRect(1).isNull());
    label.setSelection(0, 0);
    const QImage before = label.grab().toImage();
    label.light(phrase("target", false), 0);
    const QImage after = label.grab().toImage();
    QVERIFY(before.pixel(said.left(), said.center().y()) != after.pixel(said.left(), said.center().y()));
  }

  void theBarCountsAndGoesRound() {
    Chat chat({question("A fox?"), answer("The **fox** and the Fox."), question("fox fox")});
    chat.view.find();
    QVERIFY(chat.line()->hasFocus());
    QTest::keyClicks(chat.line(), "fox");
    QCOMPARE(chat.count(), QString("1 of 5"));
    QTest::keyClick(chat.line(), Qt::Key_Return);
    QCOMPARE(chat.count(), QString("2 of 5"));
    QTest::keyClick(chat.line(), Qt::Key_F3);
    QCOMPARE(chat.count(), QString("3 of 5"));
    QTest::keyClick(chat.line(), Qt::Key_F3, Qt::ShiftModifier);
    QTest::keyClick(chat.line(), Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(chat.line(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(chat.count(), QString("5 of 5"));
    QTest::keyClick(chat.line(), Qt::Key_Return);
    QCOMPARE(chat.count(), QString("1 of 5"));
    auto* const letters = chat.view.findBar()->findChild<QCheckBox*>();
    QTest::mouseClick(letters, Qt::LeftButton, {}, QPoint(8, letters->height() / 2));
    QVERIFY(letters->isChecked());
    QCOMPARE(chat.count(), QString("1 of 4"));
    QTest::keyClicks(chat.line(), "es");
    QCOMPARE(chat.count(), QString("Nothing found"));
    QTest::keyClick(chat.line(), Qt::Key_Escape);
    QVERIFY(!chat.view.findBar()->isVisible());
    QVERIFY(chat.view.input()->hasFocus());
    for (const AnswerText* shown : chat.view.findChildren<AnswerText*>())
      QVERIFY(shown->extraSelections().isEmpty());
  }

  void aHitOpensWhatIsFolded() {
    ChatEntry result;
    result.role = ChatRole::kTool;
    result.tool = "get_weather";
    result.text = "sun, and a fox";
    Chat chat({question("A fox?"), result});
    MessageWidget* const shown = chat.message(result.text);
    QVERIFY(shown != nullptr);
    chat.find("fox");
    QCOMPARE(chat.count(), QString("1 of 2"));
    QTest::keyClick(chat.line(), Qt::Key_F3);
    QCOMPARE(chat.count(), QString("2 of 2"));
    QTRY_VERIFY(chat.isInSight(shown, {1, kTextPart, 0}));
    for (const LitLabel* label : shown->findChildren<LitLabel*>())
      if (label->text() == result.text) QVERIFY(label->isVisible());
  }

  void aHitOpensACall() {
    ChatEntry called = answer(
        "A fox. <tool_call>{\"name\": \"f\", \"arguments\": {\"who\": \"fox\"}}</tool_call>"
        " **And** a fox.");
    called.tools = std::make_shared<const ToolSet>();
    Chat chat({question("A fox?"), called});
    chat.find("fox");
    QCOMPARE(chat.count(), QString("1 of 4"));
    for (int step = 0; step < 2; ++step) QTest::keyClick(chat.line(), Qt::Key_F3);
    QCOMPARE(chat.count(), QString("3 of 4"));
    MessageWidget* const message = chat.message("And a fox.");
    QVERIFY(message != nullptr);
    QTRY_VERIFY(chat.isInSight(message, {1, kTextPart + 1, 0}));
    QTest::keyClick(chat.line(), Qt::Key_F3);
    QTRY_VERIFY(chat.isInSight(message, {1, kTextPart + 2, 0}));
  }

  // A hit far from what has widgets: few come, it is in sight, and the way to the end is open.
  void aHitFarAwayIsShown() {
    std::vector<ChatEntry> entries;
    for (int i = 0; i < 500; ++i) {
      entries.push_back(question(QStringLiteral("question %1").arg(i)));
      entries.push_back(answer(QStringLiteral("answer %1, **with its** words").arg(i)));
    }
    entries[41].text += QStringLiteral(" needle");
    Chat chat(entries);
    QTRY_VERIFY_WITH_TIMEOUT(chat.message("answer 499") != nullptr, kPatience);
    chat.find("needle");
    QTRY_COMPARE_WITH_TIMEOUT(chat.count(), QString("1 of 1"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(chat.message("answer 20,") != nullptr, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(chat.isInSight(chat.message("answer 20,"), {41, kTextPart, 0}), kPatience);
    const auto widgets = chat.view.findChildren<MessageWidget*>().size();
    QVERIFY2(widgets < 120, qPrintable(QString::number(widgets)));
    QVERIFY(chat.message("answer 499") == nullptr);
    QScrollBar* const bar = chat.transcript()->verticalScrollBar();
    for (int i = 0; i < 200 && chat.message("answer 60,") == nullptr; ++i) {
      bar->setValue(bar->maximum());
      QTest::qWait(5);
    }
    QVERIFY(chat.message("answer 60,") != nullptr);  // later ones come when they are scrolled to
    chat.transcript()->followEnd();
    QVERIFY(chat.message("answer 499") != nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(bar->value(), bar->maximum(), kPatience);
  }

  void thinkingIsUnfolded() {
    Chat chat({question("Why?"), answer("Because.", "let me see the needle here")});
    MessageWidget* const message = chat.message("Because.");
    const auto shows = [&] {
      for (const QLabel* label : message->findChildren<QLabel*>())
        if (label->text().startsWith("let me")) return label->isVisible();
      return false;
    };
    QVERIFY(!shows());
    chat.find("needle");
    QCOMPARE(chat.count(), QString("1 of 1"));
    QVERIFY(shows());
    QTRY_VERIFY_WITH_TIMEOUT(chat.isInSight(message, {1, kThinkingPart, 0}), kPatience);
  }

  // What comes while the bar is open is counted, and scrolls nothing.
  void newMessagesAreSearched() {
    Chat chat({question("fox")});
    chat.find("fox");
    QCOMPARE(chat.count(), QString("1 of 1"));
    chat.model.addUser("another fox");
    QTRY_COMPARE_WITH_TIMEOUT(chat.count(), QString("1 of 2"), kPatience);
    chat.model.show({question("of another chat"), answer("fox fox fox")});
    QTRY_COMPARE_WITH_TIMEOUT(chat.count(), QString("1 of 3"), kPatience);
    chat.model.clear();
    QTRY_COMPARE_WITH_TIMEOUT(chat.count(), QString("Nothing found"), kPatience);
  }

  void workIsBounded() {
    std::vector<ChatEntry> entries;
    const QString longText =
        QStringLiteral("Some **bold** words about a fox, `code` and a list:\n\n- one\n- two\n\n")
            .repeated(20);
    for (int i = 0; i < 1000; ++i) entries.push_back(i % 2 == 0 ? question("a fox?") : answer(longText));
    Session session;
    ChatModel model(&session);
    model.show(entries);
    ConversationSearch search(&model);
    QElapsedTimer clock;
    clock.start();
    search.find(phrase("fox", false), 999);
    const qint64 first = clock.nsecsElapsed();
    QVERIFY(search.isSearching());  // the first frame leaves work for others
    QCOMPARE(search.current()->row, 999);
    QTRY_VERIFY_WITH_TIMEOUT(!search.isSearching(), kPatience);
    QCOMPARE(search.count(), 500 + 500 * 20);
    clock.start();
    search.find(phrase("fo", false), 999);  // a letter less: nothing is parsed again
    const qint64 again = clock.nsecsElapsed();
    qInfo("1,000 messages, %lld KiB: first frame %.1f ms; a further letter %.1f ms",
          longText.size() * 500 / 1024, double(first) / 1e6, double(again) / 1e6);
    search.find({}, 0);
    QCOMPARE(search.count(), 0);
    QVERIFY(!search.current());
  }
};

QTEST_MAIN(TestConversationFind)
#include "tst_conversation_find.moc"
