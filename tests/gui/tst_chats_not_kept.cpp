// Chats that cannot be kept, in the window: it says so for as long as it is true, through the load of a model
// and a conversation, and leaves what lies in the file's place as it is.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <optional>

#include "desk/chat_list_view.h"
#include "gui/parts/message_bar.h"
#include "history/history_files.h"
#include "support/chat_window.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

enum class Trouble { kDamaged, kNewer, kFolder, kFull };

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file) : ChatWindow(8, file) {}
  QString said() { return window.messages().textOf(MessageCause::kChatsFile); }
  bool tryAgain() {
    for (auto* button : window.messages().findChildren<QToolButton*>()) {
      if (button->text() != "Try again" || !button->isVisible()) continue;
      QTest::mouseClick(button, Qt::LeftButton);
      return true;
    }
    return false;
  }
};

}  // namespace
Q_DECLARE_METATYPE(Trouble)

class TestChatsNotKept : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder{testFolder()};
  QString m_file;

  // Chats of a program before, and then the trouble.
  void make(Trouble trouble) {
    if (trouble == Trouble::kFolder) {
      QVERIFY(QDir().mkpath(m_file));
      return;
    }
    {
      ChatHistory history;
      QVERIFY(history.open(m_file).ok());
      for (int i = 0; i < 40; ++i) smallChat(history, QString("Kept %1").arg(i), QString(2000, 'x'));
    }
    if (trouble == Trouble::kNewer) OtherProgram(m_file).run("PRAGMA user_version = 99");
    if (trouble != Trouble::kDamaged) return;
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.size() > 16 * 4096);
    QVERIFY(file.seek(file.size() / 2 / 4096 * 4096) && file.write(QByteArray(4 * 4096, '\0')) > 0);
  }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() {
    static int count = 0;
    m_file = m_folder.filePath(QString("%1/chats.sqlite").arg(++count));
    QSettings().clear();
  }

  void itIsSaidForAsLongAsItIsTrue_data() {
    QTest::addColumn<Trouble>("trouble");
    QTest::addColumn<QStringList>("words");
    const QString notKept = "New chats are not kept";
    QTest::newRow("damaged") << Trouble::kDamaged << QStringList({"is damaged", notKept, "move it away"});
    QTest::newRow("a newer version's")
        << Trouble::kNewer << QStringList({"newer version", notKept, "move the file away"});
    QTest::newRow("a folder") << Trouble::kFolder << QStringList({"cannot be opened", notKept, "folder"});
    QTest::newRow("a full disk") << Trouble::kFull << QStringList({notKept, "room|space"});
  }
  void itIsSaidForAsLongAsItIsTrue() {
    QFETCH(Trouble, trouble);
    QFETCH(QStringList, words);
    make(trouble);
    const QByteArray before = bytesOf(m_file);
    {
      std::optional<FullDisk> full;
      if (trouble == Trouble::kFull) full.emplace();
      Window w(m_file);
      QVERIFY(w.openModel());
      QVERIFY(w.window.messages().isVisible());
      const QString said = w.said();
      QCOMPARE(w.window.messages().text(), said);  // the most urgent
      QVERIFY2(said.contains(QDir::toNativeSeparators(m_file)), qPrintable(said));
      for (const QString& word : words)
        QVERIFY2(said.contains(QRegularExpression(word)), qPrintable(word + " in: " + said));
      w.ask("Hello!");
      QVERIFY(w.answered(2));
      w.window.reset();
      QVERIFY(waitForMode(w.window, MachineMode::kPaused));
      QCOMPARE(w.said(), said);
      QVERIFY(w.tryAgain());  // nothing has changed
      QCOMPARE(w.said(), said);
      QVERIFY(w.window.messages().isVisible());
      QCOMPARE(bytesOf(m_file), before);
      full.reset();
    }
    // At its end the program gives the chat to a file that has room by then, and to no other.
    QCOMPARE(bytesOf(m_file) == before, trouble != Trouble::kFull);
    if (trouble == Trouble::kFolder)
      QCOMPARE(QDir(m_file).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
  }

  // What was written meanwhile is kept then, and the message says so.
  void tryAgainTakesWhatLiesInTheFilesPlaceNow_data() {
    QTest::addColumn<Trouble>("trouble");
    QTest::newRow("damaged") << Trouble::kDamaged;
    QTest::newRow("a newer version's") << Trouble::kNewer;
    QTest::newRow("a folder") << Trouble::kFolder;
  }
  void tryAgainTakesWhatLiesInTheFilesPlaceNow() {
    QFETCH(Trouble, trouble);
    make(trouble);
    const QByteArray before = bytesOf(m_file);
    {
      Window w(m_file);
      QVERIFY(w.openModel());
      w.ask("Hello!");
      QVERIFY(w.answered(2));
      QVERIFY(QDir().rename(m_file, m_file + ".away"));
      QVERIFY(w.tryAgain());
      QVERIFY2(w.said().contains("again"), qPrintable(w.said()));
      QVERIFY(w.desk().history().status().ok());
    }
    QCOMPARE(bytesOf(m_file + ".away"), before);
    ChatHistory next;
    QVERIFY(next.open(m_file).ok());
    QCOMPARE(next.chats().size(), 1U);
    QCOMPARE(next.chats().front().title, QString("Hello!"));
  }

  // The list does not say that a chat stays here when it does not.
  void theEmptyListSaysItToo() {
    make(Trouble::kFolder);
    Window w(m_file);
    QVERIFY(w.openModel());
    const auto says = [&](const QString& words) {
      return waitUntil([&] {
        for (auto* label : w.window.chats().list().findChildren<QLabel*>())
          if (label->isVisible() && label->text().contains(words)) return true;
        return false;
      });
    };
    QVERIFY(says("is not kept"));
    QVERIFY(QDir().rmdir(m_file));
    w.desk().history().retry();
    QVERIFY(says("stays here"));
  }
};

QTEST_MAIN(TestChatsNotKept)
#include "tst_chats_not_kept.moc"
