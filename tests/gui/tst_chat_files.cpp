// Text files that go with a message, in the window with real keys, clicks, pasting and drops: chips over the
// input, what reaches the model, what the conversation shows, and what is refused.
#include "gui/turns/chat_files.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include "gui/chat/chats.h"
#include "gui/parts/message_bar.h"
#include "gui/turns/file_text.h"
#include "support/chat_window.h"
#include "vitrine/output_file.h"
#include "vitrine/tokenizer.h"
#include "widgets/chat/chat_view.h"
#include "widgets/message/folded_files.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(12) {}
  ChatFiles& files() { return window.chats().controller().files(); }
  FileChips& chips() { return *window.findChild<FileChips*>(); }
  void paste(const QStringList& paths) {
    auto* data = new QMimeData;
    data->setUrls(urls(paths));
    QApplication::clipboard()->setMimeData(data);
    QTest::keySequence(input(), QKeySequence::Paste);
  }
  // On the input, as a file manager's drag does it.
  void drop(const QStringList& paths) {
    QMimeData data;
    data.setUrls(urls(paths));
    QWidget* const target = input()->viewport();
    const QPoint place = target->rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(target, &enter);
    QWidget* const taker = enter.isAccepted() ? target : &window;
    QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(taker, &drop);
  }
  QStringList labels() {
    QStringList texts;
    for (const auto* label : chips().findChildren<QLabel*>())
      if (label->isVisible()) texts << label->text();
    return texts;
  }
  bool hasChips(int count) {
    return waitUntil([&] {
      const auto held = files().of(desk().shown());
      return !files().isReading() && static_cast<int>(held.size()) == count && labels().size() == count &&
             std::ranges::all_of(held, [](const FileChip& file) { return file.tokens >= 0; });
    });
  }
  bool refuses(const QString& words) {
    return waitUntil([&] {
      return window.messages().isVisible() && window.messages().text().contains(words) &&
             !files().isReading();
    });
  }

 private:
  static QList<QUrl> urls(const QStringList& paths) {
    QList<QUrl> all;
    for (const QString& path : paths) all << QUrl::fromLocalFile(path);
    return all;
  }
};

}  // namespace

class TestChatFiles : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString file(const QString& name, const QByteArray& bytes) {
    const QString path = m_folder.filePath(name);
    OutputFile out(path.toStdString());
    out.write(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    out.finish();
    return path;
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aQuestionWithFilesIsOneText() {
    const QuestionParts parts{{{"a.txt", "one\ntwo"},
                               {"fence.md", "```cpp\nint x;\n```\n````\n"},
                               {"empty", ""},
                               {"a`b\nc", "`````"}},
                              "What is\n\nthis?"};
    const QString text = questionText(parts);
    QVERIFY(text.startsWith("```file: a.txt\none\ntwo\n```\n`````file: fence.md\n"));
    QVERIFY(text.endsWith("\n\nWhat is\n\nthis?"));
    QuestionParts back = questionParts(text);
    QCOMPARE(back.files.back().name, QString("a'b c"));  // a name ends no line
    back.files.back().name = parts.files.back().name;
    QVERIFY(back == parts);
    for (const char* plain : {"", "Hello!", "```cpp\nint x;\n```\n\nWhat is this?", "```file: x\nno end",
                              "```file: x\ny\n```\nno blank line"}) {
      QCOMPARE(questionParts(plain).question, QString(plain));
      QVERIFY(questionParts(plain).files.empty());
    }
    QCOMPARE(questionText({{}, "Hello!"}), QString("Hello!"));
  }

  void pastedFilesGoWithTheQuestion() {
    Window w;
    QVERIFY(w.openModel());
    const QString notes = file("notes.txt", "A fox lives\nin a lighthouse.\n");
    const QString code = file("code.md", "```\nx\n```\n");
    w.paste({notes, code});
    QVERIFY(w.hasChips(2));
    QCOMPARE(w.input()->toPlainText(), QString());
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    const auto tokens = tokenizer->encode("A fox lives\nin a lighthouse.", false).size();
    QStringList labels = w.labels();
    labels.sort();
    QVERIFY2(labels[1].startsWith(QString("notes.txt · 29 bytes · %1 token").arg(tokens)),
             qPrintable(labels[1]));
    w.ask("Where does it live?");
    QVERIFY(w.answered(2));
    QVERIFY(!w.chips().isVisible());
    const QuestionParts sent = questionParts(w.chat().at(0).text);
    QCOMPARE(sent.question, QString("Where does it live?"));
    QCOMPARE(sent.files.size(), 2u);
    const auto& sequence = w.live().sequences.at(w.live().requests.rbegin()->second.sequences.front());
    const std::string prompt = tokenizer->decode(
        std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.promptTokens)), false);
    QVERIFY2(prompt.find("in a lighthouse.\n```") < prompt.find("Where does it live?"), prompt.c_str());
    QCOMPARE(w.desk().title(), QString("Where does it live?"));
  }

  void theConversationFoldsThem() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("notes.txt", "A fox lives here.\n")});
    QVERIFY(w.hasChips(1));
    w.ask("Who?");
    QVERIFY(w.answered(2));
    auto* folded = w.view().findChild<FoldedFiles*>();
    QTRY_VERIFY(folded != nullptr && folded->isVisible());
    auto* button = folded->findChild<QToolButton*>();
    QVERIFY(button->text().startsWith("notes.txt"));
    QVERIFY(folded->findChild<QPlainTextEdit*>() == nullptr);
    for (const auto* label : w.view().findChildren<QLabel*>())
      QVERIFY2(!label->text().contains("A fox lives here."), "a file is laid out as a label");
    QTest::mouseClick(button, Qt::LeftButton);
    auto* text = folded->findChild<QPlainTextEdit*>();
    QTRY_VERIFY(text != nullptr && text->isVisible());
    QCOMPARE(text->toPlainText(), QString("A fox lives here."));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!text->isVisible());
    // An edit keeps the file and shows only the question.
    for (auto* tool : w.view().findChildren<QToolButton*>())
      if (tool->text() == "Edit" && tool->isVisible()) tool->click();
    QCOMPARE(w.input()->toPlainText(), QString("Who?"));
    QTest::keyClicks(w.input(), "?");
    QTest::keyClick(w.input(), Qt::Key_Return);
    QVERIFY(w.answered(2));
    QVERIFY(questionParts(w.chat().at(0).text) ==
            (QuestionParts{{{"notes.txt", "A fox lives here."}}, "Who??"}));
  }

  void chipsAreRemoved() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("a.txt", "a\n")});
    QVERIFY(w.hasChips(1));
    w.paste({file("b.txt", "b\n")});
    QVERIFY(w.hasChips(2));
    for (auto* button : w.chips().findChildren<QToolButton*>())
      if (button->accessibleName() == "Do not send a.txt") QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(w.hasChips(1));
    QVERIFY(w.labels().front().startsWith("b.txt"));
    QTest::keyClick(w.input(), Qt::Key_Backtab);  // back from the input, to the chip
    QWidget* chip = nullptr;
    for (int i = 0; i < 8 && chip == nullptr; ++i) {
      QWidget* const focus = QApplication::focusWidget();
      if (focus != nullptr && focus->accessibleName() == "Do not send b.txt")
        chip = focus;
      else
        QTest::keyClick(focus, Qt::Key_Backtab);
    }
    QVERIFY2(chip != nullptr, "Shift+Tab does not reach the chip");
    QTest::keyClick(chip, Qt::Key_Delete);
    QVERIFY(w.hasChips(0));
    QVERIFY(!w.chips().isVisible());
    QVERIFY(w.input()->hasFocus());
  }

  void eachChatHasItsOwn() {
    Window w;
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const ChatId first = w.desk().shown();
    w.paste({file("a.txt", "a\n")});
    QVERIFY(w.hasChips(1));
    w.window.chats().controller().startAnew();
    QVERIFY(!w.chips().isVisible());
    QVERIFY(w.desk().open(first));
    QVERIFY(w.hasChips(1));
  }

  void whatCannotGoIsRefused() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("nul.bin", QByteArray("a\0b", 3))});
    QVERIFY(w.refuses("nul.bin is not a text file"));
    w.paste({file("photo.txt", "\x89PNG\r\n\x1a\n" + QByteArray(kMostTextBytes, '\0'))});
    QVERIFY(w.refuses(
        "photo.txt is a picture (PNG).\nThe models that Vitrine runs read text only; a vision model "
        "would be needed."));
    w.paste({file("broken.pdf", "%PDF-1.7\nnothing more\n")});  // or a word about a build without poppler
    QVERIFY(w.refuses("broken.pdf is "));
    QVERIFY(!w.window.messages().text().contains("is not a text file"));
    w.paste({file("large.txt", QByteArray(kMostTextBytes + 1, 'a'))});
    QVERIFY(w.refuses("large.txt is larger than 1.0 MB"));
    w.paste({m_folder.path()});
    QVERIFY(w.refuses(m_folder.path()));
    w.paste({file("long.txt", QByteArray("word ").repeated(20000))});
    QVERIFY(w.refuses("long.txt has"));
    QVERIFY(w.window.messages().text().contains("token"));
    QVERIFY(w.hasChips(0));
  }

  // As what was decoded they go to the model, and the chip's tip says how it was found.
  void otherEncodingsAreRead() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("latin.txt", "caf\xe9\n"),
             file("wide.txt", QByteArray("\xff\xfe"
                                         "f\0o\0x\0",
                                         8)),
             file("plain.txt", "fox\n")});
    QVERIFY(w.hasChips(3));
    QStringList tips;
    for (const auto* chip : w.chips().findChildren<QFrame*>(QString(), Qt::FindDirectChildrenOnly))
      tips << chip->toolTip();
    tips.sort();
    QCOMPARE(tips, QStringList({"latin.txt\nRead as Latin-1", "plain.txt", "wide.txt\nRead as UTF-16"}));
    w.ask("What?");
    QVERIFY(w.answered(2));
    QStringList texts;
    for (const QuestionFile& one : questionParts(w.chat().at(0).text).files) texts << one.text;
    texts.sort();
    QCOMPARE(texts, QStringList({QString::fromUtf8("caf\xc3\xa9"), "fox", "fox"}));
  }

  // The chip and the message that was sent name one size: that of the text that goes, which is no PDF's, and
  // whose last line has an end.
  void oneSizeBeforeAndAfter_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("size");
    QTest::newRow("with an end") << QByteArray("A fox lives here.\n") << "18 bytes";
    QTest::newRow("without one") << QByteArray("A fox lives here.") << "18 bytes";
    QTest::newRow("of Windows") << QByteArray("A fox\r\nlives.\r\n") << "14 bytes";
    QTest::newRow("in Latin-1") << QByteArray("caf\xe9\n") << "6 bytes";
    QTest::newRow("a line's end") << QByteArray("\n") << "0 bytes";
  }
  void oneSizeBeforeAndAfter() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, size);
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("notes.txt", bytes)});
    QVERIFY(w.hasChips(1));
    QVERIFY2(w.labels().front().startsWith("notes.txt · " + size + " · "), qPrintable(w.labels().front()));
    w.ask("Who?");
    QVERIFY(w.answered(2));
    const auto* folded = w.view().findChild<FoldedFiles*>();
    QTRY_VERIFY(folded != nullptr && folded->isVisible());
    QCOMPARE(folded->findChild<QToolButton*>()->text(), "notes.txt · " + size);
  }

  void bytesAreCountedInWords() {
    Window w;
    QVERIFY(w.openModel());
    QCOMPARE(fileSize(1), QString("1 byte"));
    w.paste({file("a.txt", "a\n"), file("none.txt", ""), file("two.txt", "ab\n")});
    QVERIFY(w.hasChips(3));
    QStringList labels = w.labels();
    labels.sort();
    QVERIFY2(labels[0].startsWith("a.txt · 2 bytes · 1 token"), qPrintable(labels[0]));
    QVERIFY2(labels[1].startsWith("none.txt · 0 bytes · 0 tokens"), qPrintable(labels[1]));
    QVERIFY2(labels[2].startsWith("two.txt · 3 bytes"), qPrintable(labels[2]));
  }

  // Every file of one paste that is refused is named; the next file that is taken ends what was said.
  void theNextFileEndsAMessage() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("nul.bin", QByteArray("a\0b", 3)), file("photo.gif", "GIF89a...."), file("a.txt", "a\n")});
    QVERIFY(w.refuses("nul.bin is not a text file"));
    QVERIFY(w.refuses("photo.gif is a picture"));
    QVERIFY(w.hasChips(1));
    QVERIFY(w.window.messages().isVisible());  // the third file was taken with them
    w.paste({file("b.txt", "b\n")});
    QVERIFY(!w.window.messages().isVisible());
    QVERIFY(w.hasChips(2));
    w.drop({file("no.gguf", "no model\n")});
    QVERIFY(w.refuses("no.gguf"));
    w.drop({file("c.txt", "c\n")});
    QVERIFY(!w.window.messages().isVisible());
    QVERIFY(w.hasChips(3));
  }

  // The input shows the question that goes with files alone, and the message has it.
  void filesAloneHaveAQuestion() {
    Window w;
    QVERIFY(w.openModel());
    QPushButton* send = nullptr;
    for (auto* button : w.view().findChildren<QPushButton*>())
      if (button->text() == "Send") send = button;
    QVERIFY(send != nullptr && !send->isEnabled());
    w.paste({file("a.txt", "a\n")});
    QVERIFY(w.hasChips(1));
    QVERIFY(send->isEnabled());
    QCOMPARE(w.input()->placeholderText(), QString("What is in this file?"));
    w.paste({file("b.txt", "b\n")});
    QVERIFY(w.hasChips(2));
    QCOMPARE(w.input()->placeholderText(), QString("What is in these files?"));
    QTest::keyClicks(w.input(), "Who?");
    QTest::keyClick(w.input(), Qt::Key_Return);  // what is written goes in its place
    QVERIFY(w.answered(2));
    QCOMPARE(questionParts(w.chat().at(0).text).question, QString("Who?"));
    QVERIFY(!send->isEnabled());
    QCOMPARE(w.input()->placeholderText(), QString("Write a message"));
    w.paste({file("c.txt", "c\n")});
    QVERIFY(w.hasChips(1));
    QTest::mouseClick(send, Qt::LeftButton);
    QVERIFY(w.answered(4));
    QCOMPARE(questionParts(w.chat().at(2).text).question, QString("What is in this file?"));
    QCOMPARE(questionParts(w.chat().at(2).text).files.size(), 1u);
    QVERIFY(!w.chips().isVisible());
    // An earlier question with files that is emptied has one, too; an edit that is given up has none left.
    for (auto* tool : w.view().findChildren<QToolButton*>())
      if (tool->text() == "Edit" && tool->isVisible()) {
        tool->click();
        break;
      }
    QCOMPARE(w.input()->toPlainText(), QString("Who?"));
    w.input()->clear();
    QCOMPARE(w.input()->placeholderText(), QString("What is in these files?"));
    QVERIFY(send->isEnabled());
    QTest::keyClick(w.input(), Qt::Key_Escape);
    QVERIFY(!send->isEnabled());
    QCOMPARE(w.input()->placeholderText(), QString("Write a message"));
  }

  // With the chat in front, a file with the name of a scenario or trace is one only by what it holds. Beside
  // other panels it is opened, and what is wrong with it is said.
  void theChatInFrontGetsWhatIsNothingElse() {
    Window w;
    QVERIFY(w.openModel());
    const QStringList texts = {file("data.json", "{\"rows\": [1, 2]}\n"),
                               file("broken.json", "{\"requests\": ["), file("notes.vitrine", "A fox.\n")};
    w.window.showPerspective(Perspective::kChat);
    w.drop(texts);
    QVERIFY(w.hasChips(3));
    QVERIFY(!w.window.messages().isVisible());
    w.drop({file("wrong.json", "{\"title\": \"Six\", \"requests\": []}\n"),
            texts[0]});  // each goes to its place
    QVERIFY(w.refuses("wrong.json"));
    QVERIFY(w.hasChips(4));
    w.window.showPerspective(Perspective::kStep);
    w.drop({texts[0]});
    QVERIFY(w.refuses("data.json"));
    w.drop({texts[2]});
    QVERIFY(w.refuses("notes.vitrine"));
    QCOMPARE(w.files().of(w.desk().shown()).size(), 4u);
  }

  void dropsAreSharedWithTheWindow() {
    Window w;
    QVERIFY(w.openModel());
    w.drop({file("a.txt", "a\n"), file("b.txt", "b\n")});
    QVERIFY(w.hasChips(2));
    QVERIFY(!w.input()->toPlainText().contains("a.txt"));
    w.drop({file("no.gguf", "no model\n")});  // the window's, which says that it is none
    QVERIFY(w.refuses("no.gguf"));
    QVERIFY(w.hasChips(2));
  }

  // The file is read in another thread, and is added by this one, which has not come to it.
  void aMessageWaitsForItsFile() {
    Window w;
    QVERIFY(w.openModel());
    w.files().attach(w.desk().shown(), QStringList{file("a.txt", "a\n")});
    w.input()->setPlainText("What is in it?");
    QTest::keyClick(w.input(), Qt::Key_Return);
    QVERIFY(w.window.messages().text().contains("still being read"));
    QCOMPARE(w.input()->toPlainText(), QString("What is in it?"));
    QVERIFY(w.hasChips(1));
    QCOMPARE(w.chat().rowCount(), 0);
  }

  // A message that the engine refuses comes back as it was written.
  void aRefusedMessageComesBack() {
    Window w;
    QVERIFY(w.openModel());
    w.paste({file("a.txt", "a\n")});
    QVERIFY(w.hasChips(1));
    w.input()->setPlainText(QString("word ").repeated(3000));
    QTest::keyClick(w.input(), Qt::Key_Return);
    QVERIFY(w.hasChips(1));
    QTRY_VERIFY_WITH_TIMEOUT(w.input()->toPlainText().startsWith("word word"), kPatience);
    QVERIFY(!w.input()->toPlainText().contains("```"));
    QCOMPARE(w.chat().rowCount(), 0);
  }
};

QTEST_MAIN(TestChatFiles)
#include "tst_chat_files.moc"
