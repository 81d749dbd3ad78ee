// The messages of a chat: they follow the end, keep their place, and leave room for suggestions.
#include <QAccessible>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "widgets/chat/transcript_view.h"
#include "widgets/conversation/answer_calls.h"
#include "widgets/message/answer_text.h"
#include "widgets/message/fold_button.h"
#include "widgets/message/lit_label.h"
#include "widgets/message/message_widget.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

struct Transcript {
  Session session;
  ChatModel model{&session};
  TranscriptView view{&model};

  Transcript() {
    view.resize(600, 400);
    view.show();
  }
  QScrollBar* bar() const { return view.verticalScrollBar(); }
  QPushButton* button(const QString& text) const {
    for (QPushButton* candidate : view.findChildren<QPushButton*>())
      if (candidate->text() == text) return candidate;
    return nullptr;
  }
  const QLabel* lastLabel(const QString& beginning) const {
    const QLabel* last = nullptr;
    for (const QLabel* label : view.findChildren<QLabel*>())
      if (label->isVisible() && label->text().startsWith(beginning)) last = label;
    return last;
  }
};

const QString kLong =
    QStringLiteral("a long message that takes several lines in such a narrow window, again and again");
const QString kWords = QStringLiteral("wordwordword ");

}  // namespace

class TestTranscriptView : public QObject {
  Q_OBJECT
 private slots:
  void followsTheEndUnlessScrolledUp();
  void followEndComesBack();
  void longAnswersLeaveNoGap();
  void theScrollBarIsSeenOnlyWhenThereIsSomethingToScroll();
  void suggestionsAreClickedWhenEnabled();
  void aHiddenTranscriptRests();
  void aLongChatIsShownFromItsEnd();
  void thinkingIsFolded();
  void whatAToolGaveBackIsFolded();
  void callsStandInThePlaceOfTheirText();
  void aBrokenCallIsACard();
  void aWordOfACallIsFoundInTheAnswer();
  void aLongQuestionLooksAsAShortOne();
  void whatIsTakenBackIsNotShown();
};

// Of a long chat few messages have widgets, earlier ones come when they are scrolled to, and what is in sight
// does not jump then.
void TestTranscriptView::aLongChatIsShownFromItsEnd() {
  Transcript transcript;
  std::vector<ChatEntry> entries(150);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].text = QStringLiteral("message %1").arg(i);
  transcript.model.show(entries);
  const auto made = [&] { return transcript.view.findChildren<MessageWidget*>().size(); };
  QTRY_VERIFY(transcript.bar()->maximum() > transcript.view.viewport()->height());
  QVERIFY2(made() < 60, qPrintable(QString::number(made())));
  QTRY_COMPARE(transcript.bar()->value(), transcript.bar()->maximum());
  QVERIFY(transcript.lastLabel("message 149") != nullptr);
  QVERIFY(transcript.lastLabel("message 0") == nullptr);

  const auto top = [&](const QLabel* label) {
    return label->mapTo(transcript.view.viewport(), QPoint()).y();
  };
  const auto before = made();
  const int height = transcript.view.viewport()->height();
  transcript.bar()->setValue(height + 20);  // not yet near the upper end
  const QLabel* const seen = transcript.lastLabel("message 135");
  QVERIFY(seen != nullptr);
  const int place = top(seen) + 40;
  transcript.bar()->setValue(height - 20);
  QVERIFY2(made() <= before + 4, "more than a frame has time for");
  QTRY_VERIFY(made() > before);
  QTRY_VERIFY(transcript.bar()->value() > height);
  QTest::qWait(50);  // all of them are laid out
  QVERIFY2(std::abs(top(seen) - place) <= 2, qPrintable(QString("%1 %2").arg(top(seen)).arg(place)));

  const auto first = [&] {
    transcript.bar()->setValue(0);
    return transcript.lastLabel("message 0");
  };
  QTRY_VERIFY_WITH_TIMEOUT(first() != nullptr, 30'000);
  QCOMPARE(made(), 150);
}

// A long text is painted line by line as far as it is in sight; so its first lines look as QLabel paints
// them.
void TestTranscriptView::aLongQuestionLooksAsAShortOne() {
  const QString lines = QStringLiteral("some words of a question\n").repeated(20);
  const auto picture = [&](const QString& text, int selected) {
    LitLabel label;
    label.setTextFormat(Qt::PlainText);
    label.setWordWrap(true);
    label.setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.setText(text);
    label.resize(300, label.heightForWidth(300));
    if (selected > 0) label.setSelection(5, selected);
    QImage image(300, 60, QImage::Format_RGB32);
    image.fill(label.palette().color(QPalette::Window));
    label.render(&image, {}, QRect(0, 0, 300, 60), QWidget::DrawWindowBackground);
    return image;
  };
  const QString many = lines.repeated(20);
  QVERIFY(many.size() > 4000);
  QCOMPARE(picture(many, 0), picture(lines, 0));
  QCOMPARE(picture(many, 30), picture(lines, 30));
  QVERIFY(picture(many, 30) != picture(many, 0));
}

void TestTranscriptView::whatIsTakenBackIsNotShown() {
  Transcript transcript;
  transcript.model.addUser("one");
  transcript.model.addAnswer("chat-1");
  QVERIFY(transcript.lastLabel("one") != nullptr);
  QCOMPARE(transcript.model.takeBack("chat-1"), QString("one"));
  QVERIFY(transcript.lastLabel("one") == nullptr);
  QCOMPARE(transcript.view.findChildren<MessageWidget*>().size(), 0);
}

void TestTranscriptView::thinkingIsFolded() {
  Transcript transcript;
  ChatEntry entry;
  entry.role = ChatRole::kAssistant;
  entry.thinking = QStringLiteral("let me see");
  entry.status = AnswerStatus::kThinking;
  transcript.model.show({entry});
  QVERIFY(transcript.lastLabel("let me see") != nullptr);
  auto* const message = transcript.view.findChild<MessageWidget*>();
  QToolButton* fold = nullptr;
  for (QToolButton* tool : message->findChildren<QToolButton*>())
    if (tool->isCheckable() && tool->text().startsWith("Thinking")) fold = tool;
  QVERIFY(fold != nullptr);
  QVERIFY(fold->text().startsWith("Thinking: 3"));
  entry.text = QStringLiteral("An answer.");
  entry.status = AnswerStatus::kWriting;
  message->display(entry);
  QVERIFY(transcript.lastLabel("let me see") == nullptr);
  QVERIFY(fold->text().startsWith("Thought: 3"));
  entry.thought = {120, 3'200'000'000};  // known: so many tokens instead, and the time
  message->display(entry);
  QVERIFY2(fold->text().startsWith("Thought for 3.20 s, 120 token"), qPrintable(fold->text()));
  QTest::mouseClick(fold, Qt::LeftButton);
  QVERIFY(transcript.lastLabel("let me see") != nullptr);
  entry.status = AnswerStatus::kDone;
  message->display(entry);  // what was opened stays open
  QVERIFY(transcript.lastLabel("let me see") != nullptr);
}

// A click, Space and Enter open it; a screen reader hears what it is and whether it is open.
void TestTranscriptView::whatAToolGaveBackIsFolded() {
  Transcript transcript;
  ChatEntry result, imported;
  result.role = imported.role = ChatRole::kTool;
  result.tool = QStringLiteral("get_weather");
  result.text = QStringLiteral("{\"degrees\": 21}\n*sun*");
  imported.text = QStringLiteral("[tool: search]\n\n```json\n{\"q\": 1}\n```");
  transcript.model.show({result, imported});
  const auto messages = transcript.view.findChildren<MessageWidget*>();
  QCOMPARE(messages.size(), 2);
  const auto openerOf = [](const MessageWidget* message) {
    FoldButton* opener = nullptr;
    for (FoldButton* one : message->findChildren<FoldButton*>())
      if (one->isVisible()) opener = one;
    return opener;
  };
  FoldButton* opener = openerOf(messages[0]);
  QVERIFY(opener != nullptr);
  QCOMPARE(opener->text(), QString("Result of get_weather: {\"degrees\": 21} *sun*"));
  QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(opener);
  QCOMPARE(spoken->text(QAccessible::Name), opener->text());
  QVERIFY(spoken->state().checkable && !spoken->state().checked);
  QVERIFY(transcript.lastLabel("{") == nullptr);
  QTest::keyClick(opener, Qt::Key_Return);
  QVERIFY(spoken->state().checked);
  QCOMPARE(transcript.lastLabel("{")->text(), result.text);  // as it was typed: stars are no Markdown
  messages[0]->display(result);
  QVERIFY(transcript.lastLabel("{") != nullptr);
  QTest::keyClick(opener, Qt::Key_Space);
  QVERIFY(transcript.lastLabel("{") == nullptr);
  // A narrow window cuts the title, not the other way round.
  transcript.view.resize(260, 400);
  QTRY_VERIFY(opener->width() < opener->sizeHint().width());

  AnswerText* const text = messages[1]->answer();
  QVERIFY(text != nullptr && !text->isVisible());
  opener = openerOf(messages[1]);
  QVERIFY2(opener->text().startsWith("Tools: [tool: search]"), qPrintable(opener->text()));
  QTest::mouseClick(opener, Qt::LeftButton);
  QVERIFY(text->isVisible() && text->toPlainText().contains("{\"q\": 1}"));
}

// A card for each call, the text around them as ever; while a call streams its marks are not seen.
void TestTranscriptView::callsStandInThePlaceOfTheirText() {
  Transcript transcript;
  ChatEntry entry;
  entry.role = ChatRole::kAssistant;
  entry.tools = std::make_shared<const ToolSet>(R"([{"type": "function", "function": {"name": "f"}}])");
  entry.status = AnswerStatus::kWriting;
  const QString whole = QStringLiteral(
      "Look: **so**.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x\": [1, {}], \"y\": \"a,{b\\\"\"}}\n"
      "</tool_call>\nand *then*\n<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>");
  bool begun = false;
  for (qsizetype length = 1; length <= whole.size(); ++length) {
    entry.text = whole.left(length);
    const ShownAnswer shown = shownAnswer(entry);
    QVERIFY2(!shown.text.contains('<'), qPrintable(shown.text));
    for (const ShownCall& call : shown.calls)
      QVERIFY2(!call.after.text.contains('<') && !call.after.text.contains('{'), qPrintable(call.after.text));
    begun = begun || (!shown.calls.empty() && shown.calls[0].state == ShownCall::State::kBegun &&
                      shown.calls[0].name == "f");
  }
  QVERIFY(begun);
  transcript.model.show({entry});
  auto* const message = transcript.view.findChild<MessageWidget*>();
  entry.status = AnswerStatus::kDone;
  message->display(entry);
  QCOMPARE(message->answer()->toPlainText(), QString("Look: so."));
  const auto shownTexts = [&] {
    QStringList texts;
    for (const auto* text : message->findChildren<AnswerText*>())
      if (text->isVisible()) texts << text->toPlainText();
    return texts;
  };
  QCOMPARE(shownTexts(), QStringList({"Look: so.", "and then"}));
  QList<FoldButton*> folds;
  for (FoldButton* one : message->findChildren<FoldButton*>())
    if (one->isVisible()) folds << one;
  QCOMPARE(folds.size(), 2);
  QCOMPARE(folds[0]->text(), QString(R"(Calls f: {"x":[1,{}],"y":"a,{b\""})"));
  QTest::keyClick(folds[0], Qt::Key_Return);
  QCOMPARE(transcript.lastLabel("f ")->text(),
           QString("f {\n  \"x\": [\n    1,\n    {}\n  ],\n  \"y\": \"a,{b\\\"\"\n}"));
  // A word behind a call is a word of the answer, and so is a word of the call.
  QSignalSpy pointed(message, &MessageWidget::wordPointed);
  entry.message = 7;
  message->display(entry);
  auto* const body = const_cast<LitLabel*>(qobject_cast<const LitLabel*>(transcript.lastLabel("f ")));
  for (const auto& [word, written] :
       {std::pair("f", "f\""), std::pair("1", "1,"), std::pair("y", "y\""), std::pair("b", "b\\")}) {
    pointed.clear();
    body->light({{QString(word)}}, 0);
    QTest::mouseClick(body, Qt::LeftButton, {}, body->hitRect(0).center());
    QCOMPARE(pointed.size(), 1);
    QCOMPARE(pointed[0][1].toLongLong(), whole.indexOf(QLatin1String(written), whole.indexOf("\"f")));
    QVERIFY(pointed[0][2].toBool());
  }
  body->light({}, -1);
  pointed.clear();
  AnswerText* const after = message->findChildren<AnswerText*>().last();
  QTest::mouseClick(after->viewport(), Qt::LeftButton, {}, after->placeOf(5, 9).center());
  QCOMPARE(pointed.size(), 1);
  const qint64 then = whole.indexOf("*then*"), byte = pointed[0][1].toLongLong();
  QVERIFY2(byte > then && byte < then + 6, qPrintable(QString::number(byte)));
  // One that nothing offers is text.
  entry.tools = nullptr;
  QCOMPARE(shownAnswer(entry), ShownAnswer{whole});
}

// A call that the answer's end has cut, or that has a mistake: a card that says so, with what was written.
void TestTranscriptView::aBrokenCallIsACard() {
  Transcript transcript;
  ChatEntry entry;
  entry.role = ChatRole::kAssistant;
  entry.tools = std::make_shared<const ToolSet>(R"([{"type": "function", "function": {"name": "f"}}])");
  entry.status = AnswerStatus::kDone;
  entry.message = 7;
  const QString wrong = QStringLiteral("<tool_call>\n{\"name\": é}\n</tool_call>"),
                cut = QStringLiteral("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"x");
  entry.text = "Look.\n" + wrong + "\nAgain:\n" + cut;
  transcript.model.show({entry});
  auto* const message = transcript.view.findChild<MessageWidget*>();
  QCOMPARE(message->answer()->toPlainText(), QString("Look."));
  QStringList titles;
  QList<FoldButton*> folds;
  for (FoldButton* one : message->findChildren<FoldButton*>())
    if (one->isVisible()) folds << one, titles << one->text();
  QCOMPARE(titles, QStringList({"Call of a tool, unreadable", "Call of f, cut off"}));
  QVERIFY(folds[0]->toolTip().contains("mistake") && folds[1]->toolTip().contains("Continue"));
  QTest::keyClick(folds[1], Qt::Key_Return);
  QTest::keyClick(folds[0], Qt::Key_Return);
  QVERIFY(transcript.lastLabel(wrong) != nullptr);
  auto* const body = const_cast<LitLabel*>(qobject_cast<const LitLabel*>(transcript.lastLabel(cut)));
  QVERIFY(body != nullptr);
  QSignalSpy pointed(message, &MessageWidget::wordPointed);
  body->light({{QStringLiteral("arguments")}}, 0);
  QTest::mouseClick(body, Qt::LeftButton, {}, body->hitRect(0).center());
  QCOMPARE(pointed.size(), 1);
  const qint64 byte = pointed[0][1].toLongLong(), word = entry.text.toUtf8().indexOf("arguments");
  QVERIFY2(byte >= word && byte < word + 9, qPrintable(QString::number(byte)));
  // What is found in it opens the card; copied, it is code.
  QCOMPARE(shownParts(entry).size(), 6);
  QVERIFY(markdownWithCalls(entry).contains("```\n" + cut + "\n```"));
  // While it is written, the card of one that has a mistake stays open for its end.
  entry.status = AnswerStatus::kWriting;
  entry.text = "Look.\n" + wrong.left(wrong.size() - 3);
  const ShownAnswer growing = shownAnswer(entry);
  QCOMPARE(growing.text, QString("Look."));
  QVERIFY(growing.calls.size() == 1 && growing.calls[0].state == ShownCall::State::kBegun);
  entry.text = "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Par";
  QCOMPARE(shownAnswer(entry).calls.at(0).name, QString("weather"));
}

// The words of a card are found in what the model wrote, in whatever form, also where a tool or a value has
// the name of a mark.
void TestTranscriptView::aWordOfACallIsFoundInTheAnswer() {
  const auto pointed = [](const QString& written, const QString& word, qsizetype from = 0) {
    ChatEntry entry;
    entry.role = ChatRole::kAssistant;
    entry.text = "é: " + written;
    entry.status = AnswerStatus::kDone;
    entry.tools = std::make_shared<const ToolSet>(R"([{"type": "function", "function": {"name": "name"}}])");
    const ShownAnswer shown = shownAnswer(entry);
    if (shown.calls.size() != 1) return QString("no call");
    const qsizetype place = callInLines(shown.calls[0]).indexOf(word, from);
    if (place < 0) return QString("no word");
    return QString::fromUtf8(
        entry.text.toUtf8().mid(static_cast<qsizetype>(callByteAt(shown.calls[0], place))));
  };
  const QString hermes =
      R"(<tool_call>{"name": "name", "arguments": {"ä": "é name_2", "name": 12}}</tool_call>)";
  QVERIFY(pointed(hermes, "name {").startsWith("name\", \"arguments\""));
  QVERIFY(pointed(hermes, "é").startsWith("é name_2\", \"name\": 12"));
  QVERIFY(pointed(hermes, "name\"").startsWith("name\": 12"));
  QVERIFY(pointed(hermes, "12").startsWith("12}}"));
  QVERIFY(pointed(hermes, "2\"").startsWith("2\", "));  // within a word
  QVERIFY(pointed(hermes, "}").startsWith("2}}"));      // what is no word
  const QString turned = R"(<tool_call>{"arguments": {"name": "arguments"}, "name": "name"}</tool_call>)";
  QVERIFY(pointed(turned, "name {").startsWith("name\"}</tool_call>"));
  QVERIFY(pointed(turned, "name\"").startsWith("name\": \"arguments\"}"));
  QVERIFY(pointed(turned, "arguments").startsWith("arguments\"}, "));
  const QString coder =
      "<function=function>\n<parameter=parameter>\né function\n</parameter>\n<parameter=name>\n12\n"
      "</parameter></function>";
  QVERIFY(pointed(coder, "function {").startsWith("function>\n<par"));
  QVERIFY(pointed(coder, "parameter").startsWith("parameter>\né"));
  QVERIFY(pointed(coder, "function\"").startsWith("function\n</"));
  QVERIFY(pointed(coder, "name\"").startsWith("name>\n12"));
  const QString glm =
      "<tool_call>arg_key\n<arg_key>key</arg_key>\n<arg_value>é "
      "arg_value</arg_value>\n<arg_key>value</arg_key>"
      "\n<arg_value>12</arg_value>\n</tool_call>";
  QVERIFY(pointed(glm, "arg_key {").startsWith("arg_key\n<arg_key>key"));
  QVERIFY(pointed(glm, "key\"").startsWith("key</arg_key>"));
  QVERIFY(pointed(glm, "arg_value").startsWith("arg_value</arg_value>"));
  QVERIFY(pointed(glm, "value\"", 30).startsWith("value</arg_key>"));
  const QString channel =
      R"(<|channel|>commentary to=functions.commentary <|constrain|>json<|message|>{"json": "to", "name": 1}<|call|>)";
  QVERIFY(pointed(channel, "commentary {").startsWith("commentary <|constrain|>"));
  QVERIFY(pointed(channel, "json").startsWith("json\": \"to"));
  QVERIFY(pointed(channel, "to\"").startsWith("to\", \"name\""));
  QVERIFY(pointed("<|python_tag|>python_tag.call(call=1)", "call").startsWith("call=1"));
  QVERIFY(pointed("<|python_tag|>python_tag.call(call=1)", "python_tag").startsWith("python_tag.call"));
  QVERIFY(pointed("[TOOL_CALLS]ARGS[ARGS]{\"ARGS\": 1}", "ARGS", 2).startsWith("ARGS\": 1"));
  QVERIFY(pointed("[TOOL_CALLS][{\"name\": \"name\"}]", "name").startsWith("name\"}]"));
  QVERIFY(pointed("[TOOL_CALLS][{\"name\": \"name\"}]", "}").startsWith("e\"}]"));  // no arguments
  // Of one that has only begun the text is the model's.
  const WrittenPart begun{QStringLiteral("é{"), 7};
  QCOMPARE(callByteAt({.name = "f", .arguments = {}, .state = ShownCall::State::kBegun, .written = begun}, 1),
           qint64{9});
}

void TestTranscriptView::followsTheEndUnlessScrolledUp() {
  Transcript transcript;
  transcript.view.resize(320, 170);
  for (int i = 0; i < 5; ++i) transcript.model.addUser(kLong);
  QScrollBar* bar = transcript.bar();
  QTRY_VERIFY(bar->maximum() > 0);
  QTRY_COMPARE(bar->value(), bar->maximum());
  bar->setValue(0);
  transcript.model.addUser(QStringLiteral("another message that takes a few lines in a narrow window"));
  QTest::qWait(50);
  QCOMPARE(bar->value(), 0);
  QPushButton* toEnd = transcript.button(QStringLiteral("↓ To the end"));
  QVERIFY(toEnd->isVisible());
  QVERIFY(transcript.view.rect().contains(toEnd->geometry()));
  QTest::mouseClick(toEnd, Qt::LeftButton);
  QTRY_COMPARE(bar->value(), bar->maximum());
  QVERIFY(!toEnd->isVisible());
}

void TestTranscriptView::followEndComesBack() {
  Transcript transcript;
  transcript.view.resize(320, 170);
  for (int i = 0; i < 5; ++i) transcript.model.addUser(kLong);
  QScrollBar* bar = transcript.bar();
  QTRY_VERIFY(bar->maximum() > 0);
  bar->setValue(0);
  transcript.view.followEnd();
  QCOMPARE(bar->value(), bar->maximum());
  const int before = bar->maximum();
  transcript.model.addUser(kLong);
  QTRY_VERIFY(bar->maximum() > before);
  QTRY_COMPARE(bar->value(), bar->maximum());
}

void TestTranscriptView::longAnswersLeaveNoGap() {
  Transcript transcript;
  transcript.model.addUser(kWords.repeated(120));
  QTRY_VERIFY(transcript.bar()->maximum() > 0);
  QTest::qWait(30);
  const QLabel* last = transcript.lastLabel(kWords);
  QVERIFY(last);
  const int bottom = last->mapTo(&transcript.view, QPoint(0, last->height())).y();
  const int end = transcript.view.rect().bottom();
  QVERIFY2(end - bottom < 50, qPrintable(QString::number(end - bottom)));
}

void TestTranscriptView::theScrollBarIsSeenOnlyWhenThereIsSomethingToScroll() {
  Transcript transcript;
  const auto looksEmpty = [&] {
    const QImage bar = transcript.bar()->grab().toImage();
    for (int y = 0; y < bar.height(); ++y)
      for (int x = 0; x < bar.width(); ++x)
        if (bar.pixelColor(x, y) != transcript.view.palette().color(QPalette::Base)) return false;
    return true;
  };
  transcript.model.addUser(QStringLiteral("short"));
  const int width = transcript.view.viewport()->width();
  QCOMPARE(transcript.bar()->maximum(), 0);
  QVERIFY(looksEmpty());
  transcript.model.addUser(kWords.repeated(300));
  QTRY_VERIFY(transcript.bar()->maximum() > 0);
  QVERIFY(!looksEmpty());
  QCOMPARE(transcript.view.viewport()->width(), width);  // its room was kept
}

void TestTranscriptView::suggestionsAreClickedWhenEnabled() {
  Transcript transcript;
  QSignalSpy clicked(&transcript.view, &TranscriptView::suggestionClicked);
  transcript.view.setSuggestionsEnabled(false);
  transcript.view.setSuggestions({QStringLiteral("Tell me a story"), QStringLiteral("Count to ten")});
  QTRY_VERIFY(transcript.button(QStringLiteral("Count to ten"))->isVisible());
  QTest::mouseClick(transcript.button(QStringLiteral("Count to ten")), Qt::LeftButton);
  QCOMPARE(clicked.size(), 0);
  transcript.view.setSuggestionsEnabled(true);
  QTest::mouseClick(transcript.button(QStringLiteral("Count to ten")), Qt::LeftButton);
  QCOMPARE(clicked.size(), 1);
  QCOMPARE(clicked.front().front().toString(), QStringLiteral("Count to ten"));
  transcript.model.addUser(QStringLiteral("hello"));
  QVERIFY(!transcript.button(QStringLiteral("Count to ten"))->isVisible());
  transcript.model.clear();
  QTRY_VERIFY(transcript.button(QStringLiteral("Count to ten"))->isVisible());
  QVERIFY(!transcript.lastLabel(QStringLiteral("hello")));
}

void TestTranscriptView::aHiddenTranscriptRests() {
  Transcript transcript;
  transcript.view.hide();
  transcript.model.addUser(QStringLiteral("unseen"));
  const auto labels = transcript.view.findChildren<QLabel*>();
  QVERIFY(std::none_of(labels.begin(), labels.end(),
                       [](const QLabel* label) { return label->text() == QLatin1String("unseen"); }));
  transcript.view.show();
  QVERIFY(transcript.lastLabel(QStringLiteral("unseen")));
}

QTEST_MAIN(TestTranscriptView)
#include "tst_transcript_view.moc"
