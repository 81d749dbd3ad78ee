// Files that cannot be used: each gives its own status with a text, none is changed, the chat goes on, and
// what was in memory reaches the file when it can.
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "history/history_copy.h"
#include "history/history_files.h"
#include "history/history_schema.h"

using namespace vitrine;

namespace {

QStringList titles(ChatHistory& history) {
  QStringList found;
  for (const ChatSummary& chat : history.chats()) found += chat.title;
  return found;
}

void fill(const QString& file, int chats = 1) {
  ChatHistory history;
  QVERIFY2(history.open(file).ok(), qPrintable(history.status().message));
  for (int i = 0; i < chats; ++i) smallChat(history, QString("Kept %1").arg(i), QString(2000, 'x'));
}

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

// Its status is told well, and a conversation works.
void goesOn(ChatHistory& history, HistoryTrouble trouble) {
  const HistoryStatus status = history.status();
  QCOMPARE(status.trouble, trouble);
  QVERIFY(status.inMemory);
  QCOMPARE(status.retried, canPass(trouble));
  QVERIFY2(status.message.contains(QDir::toNativeSeparators(status.file)), qPrintable(status.message));
  QVERIFY(!status.hint.isEmpty());
  const ChatId chat = smallChat(history, "In memory", "An answer about zebras.");
  QCOMPARE(history.chat(chat)->messages.back().text, "An answer about zebras.");
  QCOMPARE(history.search("zebr").size(), 1U);
}

}  // namespace

class TestHistoryTrouble : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder{testFolder()};
  QString m_file;

 private slots:
  void init() {
    static int count = 0;
    m_file = m_folder.filePath(QString("%1/chats.sqlite").arg(++count));
  }

  void aFileThatIsNoneOfOurs_data() {
    QTest::addColumn<QString>("damage");
    QTest::addColumn<HistoryTrouble>("trouble");
    QTest::newRow("no database") << "garbage" << HistoryTrouble::kBroken;
    QTest::newRow("cut off") << "cut" << HistoryTrouble::kBroken;
    QTest::newRow("a page overwritten") << "page" << HistoryTrouble::kBroken;
    QTest::newRow("another program's") << "foreign" << HistoryTrouble::kForeign;
    QTest::newRow("a newer version's") << "newer" << HistoryTrouble::kNewer;
    QTest::newRow("a table is missing") << "table" << HistoryTrouble::kBroken;
  }
  void aFileThatIsNoneOfOurs() {
    QFETCH(QString, damage);
    QFETCH(HistoryTrouble, trouble);
    fill(m_file, 40);
    const QByteArray good = bytesOf(m_file);
    QVERIFY(good.size() > 60000);
    if (damage == "garbage") write(m_file, "This is a diary, not a database.\n" + QByteArray(5000, 'd'));
    if (damage == "cut") write(m_file, good.left(good.size() / 2));
    if (damage == "page")
      write(m_file, good.left(8192) + QByteArray(good.size() - 16384, '\x5a') + good.right(8192));
    if (damage == "newer") OtherProgram(m_file).run("PRAGMA user_version = 99");
    if (damage == "table") OtherProgram(m_file).run("DROP TABLE pieces");
    if (damage == "foreign") {
      QFile::remove(m_file);
      OtherProgram(m_file).run("CREATE TABLE birds(name)");
    }
    const QByteArray before = bytesOf(m_file);
    {
      ChatHistory history;
      QVERIFY(!history.open(m_file).ok());
      QVERIFY(!history.status().keptChatsShown);
      goesOn(history, trouble);
      QCOMPARE(titles(history), QStringList("In memory"));
      QVERIFY(!history.retry());
    }
    QCOMPARE(bytesOf(m_file), before);
    QCOMPARE(QDir(QFileInfo(m_file).path()).entryList(QDir::Files).size(), 1);
  }

  void aFolderAndAPlaceThatCannotBe() {
    QDir().mkpath(m_file);
    ChatHistory folder;
    folder.open(m_file);
    goesOn(folder, HistoryTrouble::kUnreadable);
    QDir().rmdir(m_file);
    QVERIFY(folder.retry());  // it can be made now
    QVERIFY(folder.status().ok());
    QCOMPARE(titles(folder), QStringList("In memory"));
    ChatHistory below;
    below.open(m_file + "/chats");
    goesOn(below, HistoryTrouble::kUnreadable);
    QVERIFY(QFileInfo(m_file).isFile());
  }

  void anEmptyFileIsANewOne() {
    QVERIFY(QDir().mkpath(QFileInfo(m_file).path()));
    write(m_file, "");
    fill(m_file);
    QCOMPARE(soundness(m_file), "ok");
  }

  void aFileThatIsLockedWhenItIsOpened() {
    fill(m_file);
    ChatHistory history;
    {
      OtherProgram other(m_file);
      other.run("PRAGMA locking_mode = EXCLUSIVE");
      QCOMPARE(other.run("UPDATE chats SET draft = 'theirs'"), "");
      history.open(m_file);
      QVERIFY(!history.status().keptChatsShown);
      goesOn(history, HistoryTrouble::kLocked);
      QVERIFY(!history.retry());
    }
    QSignalSpy told(&history, &ChatHistory::statusChanged);
    QTRY_VERIFY_WITH_TIMEOUT(history.status().ok(), 30000);  // by itself
    QCOMPARE(told.size(), 1);
    QCOMPARE(titles(history), QStringList({"In memory", "Kept 0"}));
    QCOMPARE(history.draft(history.chats().back().id), "theirs");
  }

  // Another program may write at any time; an answer streams meanwhile.
  void aFileThatIsLockedInTheMiddle() {
    fill(m_file);
    ChatHistory history;
    QVERIFY(history.open(m_file).ok());
    const ChatId chat = history.chats().front().id;
    const MessageId answer = history.beginAnswer(chat, history.chat(chat)->shownLeaf, someProvenance());
    history.append(answer, {.text = "Before. ", .tokens = {{1, -1.0F}}});
    history.flush();
    {
      OtherProgram other(m_file);
      other.run("BEGIN IMMEDIATE");
      history.append(answer, {.text = "During. ", .tokens = {{2, -2.0F}}});
      history.flush();
      QCOMPARE(history.status().trouble, HistoryTrouble::kLocked);
      QVERIFY(history.status().keptChatsShown);
      QCOMPARE(history.chat(chat)->messages.back().text, "Before. During. ");
      QVERIFY(!history.retry());
      other.run("COMMIT");
    }
    QVERIFY(history.retry());
    history.append(answer, {.text = "After.", .tokens = {{3, -3.0F}}});
    QCOMPARE(history.chat(chat)->messages.back().state, MessageState::kStreaming);
    QVERIFY(history.finish(answer, {}));
    QVERIFY(history.open(m_file).ok());
    QCOMPARE(history.chat(chat)->messages.back().text, "Before. During. After.");
    QCOMPARE(history.tokens(answer).size(), 3U);
    QCOMPARE(soundness(m_file), "ok");
  }

  void aFullDisk() {
    fill(m_file, 3);
    ChatHistory history;
    QVERIFY(history.open(m_file).ok());
    const ChatId chat = history.chats().front().id;
    QSignalSpy told(&history, &ChatHistory::statusChanged);
    {
      const FullDisk full;
      QVERIFY(history.setDraft(chat, "While it is full"));
      QVERIFY(history.status().trouble == HistoryTrouble::kUnwritable ||
              history.status().trouble == HistoryTrouble::kFull);
      goesOn(history, history.status().trouble);
      QVERIFY(history.purge(history.chats().back().id));
      QVERIFY(!history.retry());
    }
    const QStringList wanted = titles(history);
    QCOMPARE(wanted.size(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(history.status().ok(), 30000);
    QCOMPARE(told.size(), 2);
    QCOMPARE(titles(history), wanted);
    ChatHistory next;
    QVERIFY(next.open(m_file).ok());
    QCOMPARE(titles(next), wanted);
    QCOMPARE(next.draft(chat), "While it is full");
    QCOMPARE(soundness(m_file), "ok");
  }

  void aDiskThatIsFullAtTheStart() {
    fill(m_file);
    const QByteArray before = bytesOf(m_file);
    ChatHistory history;
    {
      const FullDisk full;
      QVERIFY(!history.open(m_file).ok());
      goesOn(history, history.status().trouble);
      QVERIFY(history.status().retried);
      QCOMPARE(titles(history), QStringList({"In memory", "Kept 0"}));
      QCOMPARE(bytesOf(m_file), before);
    }
    QVERIFY(history.retry());
    QCOMPARE(soundness(m_file), "ok");
    QCOMPARE(titles(history), QStringList({"In memory", "Kept 0"}));
  }

  // SQLite's own word for a full disk, which it says for ENOSPC and for this.
  void noRoomForAnotherPage() {
    const auto database = HistoryDatabase::openInMemory();
    migrate(*database, migrations());
    database->value("PRAGMA max_page_count = 40");
    HistoryStore store(*database);
    try {
      for (int i = 0; i < 1000; ++i)
        store.addChat({}, {.instructions = QString(4000, 'i'), .stops = {}, .preset = {}});
      QFAIL("there was room");
    } catch (const SqlFailure& failure) {
      QCOMPARE(failure.trouble(), HistoryTrouble::kFull);
    }
  }

  // Root may write everything, so a process without rights looks at it.
  void aFileWithoutTheRightToWrite_data() {
    QTest::addColumn<bool>("folderToo");
    QTest::newRow("the file") << false;
    QTest::newRow("and its folder") << true;
  }
  void aFileWithoutTheRightToWrite() {
    QFETCH(bool, folderToo);
    fill(m_file);
    const QByteArray before = bytesOf(m_file);
    const QString folder = QFileInfo(m_file).path();
    const auto all = [](int bits) { return QFile::Permissions(bits); };
    QVERIFY(QFile::setPermissions(m_folder.path(), all(0x7755)));
    QVERIFY(QFile::setPermissions(m_file, all(0x4444)));
    QVERIFY(QFile::setPermissions(folder, all(folderToo ? 0x5555 : 0x7777)));
    QProcess visitor;
    visitor.start(HISTORY_VICTIM, {"visit", m_file});
    QVERIFY(visitor.waitForFinished(60000));
    QFile::setPermissions(folder, all(0x7755));
    QFile::setPermissions(m_file, all(0x6644));
    QCOMPARE(visitor.exitCode(), 0);
    QCOMPARE(visitor.readAllStandardOutput(),
             QByteArray::number(int(HistoryTrouble::kReadOnly)) + " 1 1\nA visitor's question\nKept 0\n");
    QCOMPARE(bytesOf(m_file), before);
    ChatHistory history;
    QVERIFY(history.open(m_file).ok());
    QCOMPARE(titles(history), QStringList("Kept 0"));
  }

  // The way to a version is gone whole or not at all.
  void aFileOfAnOlderVersion() {
    fill(m_file);
    constexpr std::array kGood = {"ALTER TABLE chats ADD COLUMN colour TEXT NOT NULL DEFAULT ''"};
    constexpr std::array kBad = {"ALTER TABLE chats ADD COLUMN mood TEXT NOT NULL DEFAULT ''",
                                 "CREATE NONSENSE"};
    const auto steps = [](Migration last) {
      std::vector<Migration> all(migrations().begin(), migrations().end());
      all.push_back(last);
      return all;
    };
    {
      const auto file = HistoryDatabase::openFile(m_file, HistoryDatabase::Access::kReadWrite);
      QVERIFY_EXCEPTION_THROWN(migrate(*file, steps(kBad)), SqlFailure);
      QCOMPARE(checkedVersion(*file), newestSchemaVersion());
      migrate(*file, steps(kGood));
      QCOMPARE(file->value("PRAGMA user_version").toInt(), newestSchemaVersion() + 1);
      QCOMPARE(file->value("SELECT colour FROM chats").toString(), "");
      QVERIFY_EXCEPTION_THROWN(file->value("SELECT mood FROM chats"), SqlFailure);
    }
    ChatHistory history;
    QCOMPARE(history.open(m_file).trouble, HistoryTrouble::kNewer);
  }

  // Nothing was left out before a person could do so, and no time of thinking was known.
  void aFileOfTheFirstVersion() {
    const auto makeFirst = [this] {
      const auto file = HistoryDatabase::openFile(m_file, HistoryDatabase::Access::kReadWrite);
      migrate(*file, migrations().first(1));
      file->execute("INSERT INTO chats VALUES(1, 'Old', 1, 5, 5, 0, 0, 0, 3, '', NULL, '[]', '', '')");
      file->execute("INSERT INTO messages VALUES(2, 1, NULL, 1, 0, 5, '', 'Why?', NULL, '')");
      file->execute("INSERT INTO messages VALUES(3, 1, 2, 2, 0, 5, '', 'So.', NULL, '')");
      file->execute("INSERT INTO answers VALUES(3, 'm', '', '', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, x'')");
    };
    makeFirst();
    ChatHistory history;
    QVERIFY(history.open(m_file).ok());
    const auto chat = history.chat(1);
    QVERIFY(chat && chat->messages.size() == 2);
    QVERIFY(!chat->messages[0].leftOut && chat->messages[1].provenance.leftOut.isEmpty());
    QCOMPARE(chat->messages[1].timings.thinkingTokens, 0);
    QCOMPARE(chat->messages[1].limit, AnswerLimit::kNone);
    QVERIFY(chat->waiting.isEmpty());
    QVERIFY(chat->settings.asking.isEmpty() && chat->settings.tools.isEmpty());
    QCOMPARE(chat->settings.form, AnswerForm());
    QVERIFY(history.removeMessages(1, {2}) && history.chat(1)->find(3)->parent == 0);
    QVERIFY(history.undoRemoveMessages(1, {2}) && history.chat(1)->find(3)->parent == 2);
    QVERIFY(history.setLeftOut(1, {2}, true));
    QVERIFY(history.open(m_file).ok());
    QVERIFY(history.chat(1)->messages[0].leftOut && !history.chat(1)->messages[1].leftOut);
    QVERIFY(!history.setLeftOut(99, {2}, false) && history.setLeftOut(1, {99}, true));
    QVERIFY(history.chat(1)->messages[0].leftOut);
  }

  // Into memory, whose tables are the newest, as for a file that cannot be written: it lacks columns.
  void rowsOfTheFirstVersionAreCopied() {
    const auto old = HistoryDatabase::openFile(m_file, HistoryDatabase::Access::kReadWrite);
    migrate(*old, migrations().first(1));
    old->execute("INSERT INTO chats VALUES(1, 'Old', 1, 5, 5, 0, 0, 0, 2, '', NULL, '[]', '', '')");
    old->execute("INSERT INTO messages VALUES(2, 1, NULL, 1, 0, 5, '', 'Why?', NULL, '')");
    old->execute("INSERT INTO messages VALUES(3, 1, 2, 2, 0, 5, '', 'So.', NULL, '')");
    old->execute("INSERT INTO answers VALUES(3, 'm', '', '', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, x'')");
    const auto memory = HistoryDatabase::openInMemory();
    migrate(*memory, migrations());
    QVERIFY(copyAll(*old, *memory));
    QCOMPARE(memory->value("SELECT count(*) FROM answers WHERE thinking_tokens = 0").toInt(), 1);
    QCOMPARE(memory->value("SELECT text FROM messages WHERE left_out = 0 AND id = 2").toString(), "Why?");
    QCOMPARE(memory->value("SELECT count(*) FROM messages WHERE removed = 0").toInt(), 2);
  }
};

QTEST_GUILESS_MAIN(TestHistoryTrouble)
#include "tst_history_trouble.moc"
