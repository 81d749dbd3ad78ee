// Chats of other programs in the window: several files at once, what the window says of each, files that are
// dropped, and cancelling.
#include "gui/chat/chat_importing.h"

#include <QDropEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "desk/chat_list_model.h"
#include "gui/parts/message_bar.h"
#include "gui/turns/chat_files.h"
#include "support/chat_window.h"
#include "vitrine/output_file.h"
#include "widgets/message/file_chips.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr const char* kJan = R"({"title": "Peas", "messages": [{"role": "user", "content": [
  {"type": "text", "text": {"value": "When peas?"}}, {"type": "image_url", "image_url": {"url": "x"}}]},
  {"role": "assistant", "content": [{"type": "text", "text": {"value": "March."}}]}]})";
constexpr const char* kClaude =
    R"([{"name": "Beans", "chat_messages": [{"uuid": "q", "sender": "human", "text": "Beans?"}]},
  {"name": "Oaks", "chat_messages": [{"uuid": "q", "sender": "human", "text": "Oaks?"}]}])";

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(12) {}
  ChatImporting& importing() { return window.chats().importing(); }
  int chats() {
    const auto* const list = window.findChild<ChatListModel*>();
    int count = 0;
    for (int i = 0; i < list->rowCount(); ++i)
      count += list->index(i, 0).data(ChatListModel::kIsHeading).toBool() ? 0 : 1;
    return count;
  }
  bool drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls += QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &dropped);
    return true;
  }
};

}  // namespace

class TestChatImporting : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

  QString write(const char* name, const char* text) {
    const QString path = m_folder.filePath(QLatin1String(name));
    OutputFile out(path.toStdString());
    out.write(text);
    out.finish();
    return path;
  }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }

  void eachFileIsReported() {
    Window w;
    QSignalSpy noticed(&w.importing(), &ChatImporting::noticed);
    w.importing().import({write("jan.json", kJan), write("no.json", "{}"), write("claude.json", kClaude)});
    QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 1, kPatience);
    QTRY_COMPARE(w.chats(), 3);
    const Notice notice = noticed[0][0].value<Notice>();
    QCOMPARE(notice.kind, Notice::kNote);
    QCOMPARE(notice.message, QString("3 chats were imported."));
    QCOMPARE(notice.hint, QString("jan.json, Jan: 1 chat; 1 picture marked\n"
                                  "no.json: there are no chats in it\nclaude.json, Claude: 2 chats"));
    QTRY_VERIFY(w.window.messages().text().startsWith("3 chats were imported.\njan.json, Jan: 1 chat"));
  }

  void whenNoFileHasChatsTheFormatsAreListed() {
    Window w;
    QSignalSpy noticed(&w.importing(), &ChatImporting::noticed);
    w.importing().import({write("no.json", "{}"), write("bad.json", "{")});
    QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 1, kPatience);
    const Notice notice = noticed[0][0].value<Notice>();
    QCOMPARE(notice.kind, Notice::kProblem);
    QVERIFY(notice.message.startsWith("no.json: there are no chats in it\nbad.json: this is not JSON"));
    for (const char* format : {"ChatGPT", "Claude", "Jan", "llama.cpp", "LM Studio", "Open WebUI", "Vitrine"})
      QVERIFY2(notice.hint.contains(QLatin1String(format)), format);
    QCOMPARE(w.chats(), 0);
  }

  void droppedExportsAreImportedAndOtherTextsAreNot() {
    Window w;
    QVERIFY(w.openModel());
    QSignalSpy imported(&w.importing(), &ChatImporting::imported);
    QVERIFY(w.drop({write("jan.json", kJan), write("claude.json", kClaude)}));
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, kPatience);
    QCOMPARE(imported[0][0].toInt(), 3);
    QVERIFY(w.drop({write("one.jsonl",
                          "{\"type\": \"session\", \"id\": \"c\", \"name\": \"Peas\"}\n"
                          "{\"type\": \"message\", \"message\": {\"id\": \"a\", \"role\": \"user\", "
                          "\"content\": \"Peas?\"}}\n")}));
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 2, kPatience);
    QTRY_COMPARE(w.chats(), 4);
    QVERIFY(w.drop({write("rows.jsonl", "{\"row\": 1}\n{\"row\": 2}\n")}));
    ChatFiles& files = w.window.chats().controller().files();
    QTRY_VERIFY_WITH_TIMEOUT(!files.isReading() && !files.of(0).empty(), kPatience);
    QCOMPARE(imported.size(), 2);
  }

  // As a start of the program with a file does it: a machine comes, and nothing is said of a load.
  void aWindowWithoutAMachineGetsOne() {
    Window w;
    QSignalSpy imported(&w.importing(), &ChatImporting::imported);
    w.window.open(write("jan.json", kJan));
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.host().mode() != MachineMode::kEmpty, kPatience);
    QVERIFY2(w.window.messages().text().startsWith("1 chat was imported."),
             qPrintable(w.window.messages().text()));
  }

  void anImportThatIsCancelledLeavesNothing() {
    Window w;
    QSignalSpy imported(&w.importing(), &ChatImporting::imported),
        ended(&w.importing(), &ChatImporting::ended), noticed(&w.importing(), &ChatImporting::noticed);
    w.importing().import({write("jan.json", kJan)});
    w.importing().import({write("claude.json", kClaude)});
    QVERIFY(w.importing().isUnderWay());
    w.importing().cancel();
    QVERIFY(!w.importing().isUnderWay());
    QCOMPARE(ended.size(), 1);
    w.importing().import({write("jan.json", kJan)});  // what the cancelled one found does not come after it
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, kPatience);
    QCOMPARE(w.chats(), 1);
    QCOMPARE(noticed.size(), 1);
  }
};

QTEST_MAIN(TestChatImporting)
#include "tst_chat_importing.moc"
