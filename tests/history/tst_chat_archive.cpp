// Chats in ZIP archives, and archives that are made to do harm.
#include <zip.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "history/chat_archive.h"
#include "history/chat_import.h"
#include "vitrine/error.h"

using namespace vitrine;

namespace {

struct Packed {
  const char* name;
  QByteArray bytes;
};

QByteArray chatGpt(const char* title) {
  return QByteArray(R"([{"title": ")") + title + R"(", "mapping": {"a": {"parent": null, "message":
    {"author": {"role": "user"}, "content": {"parts": ["Peas?"]}}}}}])";
}

struct Refused {
  std::string code, message, hint;
};

}  // namespace

class TestChatArchive : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString pathOf(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

  std::filesystem::path pack(const char* name, const std::vector<Packed>& files,
                             const char* password = nullptr) {
    const QByteArray path = pathOf(name).toLocal8Bit();
    zip_t* const archive = zip_open(path.constData(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const Packed& file : files) {
      zip_source_t* const source =
          zip_source_buffer(archive, file.bytes.constData(), static_cast<zip_uint64_t>(file.bytes.size()), 0);
      const zip_int64_t index = zip_file_add(archive, file.name, source, ZIP_FL_ENC_UTF_8);
      if (password != nullptr)
        zip_file_set_encryption(archive, static_cast<zip_uint64_t>(index), ZIP_EM_AES_256, password);
    }
    if (zip_close(archive) != 0) qFatal("no archive was made");
    return path.toStdString();
  }

  std::filesystem::path write(const char* name, const QByteArray& bytes) {
    QFile file(pathOf(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("no file was made");
    return pathOf(name).toStdString();
  }

  QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  static Refused refusalOf(const std::filesystem::path& file, const std::atomic<bool>* cancelled = nullptr) {
    try {
      readChatFile(file, nullptr, cancelled);
    } catch (const EngineError& error) {
      return {errorCodeName(error.code()), error.what(), error.hint()};
    }
    return {};
  }

 private slots:
  void allConversationsAreReadAndOtherFilesPassedOver() {
    ImportReport report;
    const auto chats = readChatFile(pack("export.zip", {{"conversations-000.json", chatGpt("One")},
                                                        {"export/conversations-001.json", chatGpt("Two")},
                                                        {"user.json", "{\"id\": 1}"},
                                                        {"chat.html", "<html>"},
                                                        {"conversations-002.json", "[{\"title\": "},
                                                        {"dalle/file.png", QByteArray(1000, 'x')}}),
                                    &report);
    QCOMPARE(chats.size(), 2U);
    QVERIFY(chats[0].summary.title == "One" && chats[1].summary.title == "Two");
    QVERIFY(report.format == "ChatGPT" && report.chats == 2);
    QCOMPARE(report.unread.size(), 1U);
    QVERIFY2(report.unread[0].starts_with("conversations-002.json: this is not JSON"),
             report.unread[0].c_str());
  }

  void anArchiveIsRecognisedByItsBytes() {
    const QByteArray bytes = bytesOf(pack("a.zip", {{"conversations.json", chatGpt("One")}}));
    QCOMPARE(readChatFile(write("export", bytes)).size(), 1U);
    QVERIFY(looksLikeChats(write("export", bytes), 1));
    QVERIFY(!isZip(write("no.zip", "{}")) && !isZip(m_folder.path().toStdString()) && !isZip("/nowhere.zip"));
  }

  // A path that leads out of a folder is a name and nothing else: no file is written.
  void pathsInAnArchiveAreOnlyNames() {
    ImportReport report;
    const auto file =
        pack("path.zip", {{"../../x.json", chatGpt("One")}, {"/etc/y.json", "no"}, {"..\\z.json", "no"}});
    QCOMPARE(readChatFile(file, &report).size(), 1U);
    QCOMPARE(report.unread.size(), 2U);
    QVERIFY(report.unread[0].starts_with("y.json: ") && report.unread[1].starts_with("z.json: "));
    QVERIFY(!QFile::exists(m_folder.filePath("../../x.json")));
  }

  void whatHasNoChatsIsRefused() {
    Refused refused = refusalOf(pack("none.zip", {{"a.txt", "x"}, {"user.json", "{}"}}));
    QCOMPARE(refused.message, "none.zip: there are no chats in it");
    QVERIFY(refused.code == "unsupported" && refused.hint.find("Claude") != std::string::npos);
    refused = refusalOf(pack("secret.zip", {{"conversations.json", chatGpt("One")}}, "password"));
    QCOMPARE(refused.message, "secret.zip: the ZIP archive is encrypted");
    QVERIFY(refused.hint.find("password") != std::string::npos);
    refused = refusalOf(write("cut.zip", bytesOf(pack("b.zip", {{"c.json", chatGpt("One")}})).left(60)));
    QVERIFY2(refused.code == "file_corrupt" &&
                 refused.message.starts_with("cut.zip: the ZIP archive cannot be read: "),
             refused.message.c_str());
    QVERIFY(!refused.hint.empty());
  }

  // Megabytes of blanks in a few kilobytes, more than a file may have: the bound holds for what comes out,
  // while the archive says that it is one byte.
  void aBombIsRefused() {
    const QByteArray blanks(8 << 20, ' ');
    QByteArray bytes = bytesOf(pack("small.zip", {{"a.json", blanks}}));
    QVERIFY(bytes.size() < 100'000);
    const qsizetype directory = bytes.indexOf("PK\1\2");
    for (const qsizetype size : {qsizetype(22), directory + 24})
      bytes.replace(size, 4, QByteArray("\1\0\0\0", 4));
    const Refused refused = refusalOf(write("liar.zip", bytes));
    QVERIFY2(refused.code == "file_corrupt" && !refused.hint.empty(), refused.message.c_str());
    int pieces = 0;
    std::size_t total = 0;
    QVERIFY_EXCEPTION_THROWN(
        readChatArchive(
            pack("three.zip", {{"a.json", blanks}, {"b.json", blanks}, {"c.json", blanks}}), nullptr,
            [&](const ArchivedFile& file) {
              ++pieces;
              total += file.bytes.size();
            },
            ArchiveBounds{.file = 10 << 20, .all = 20 << 20}),
        EngineError);
    QCOMPARE(pieces, 2);
    std::string fault;
    readChatArchive(
        pack("one.zip", {{"a.json", blanks}}), nullptr,
        [&](const ArchivedFile& file) { fault = file.fault + std::to_string(file.bytes.size()); },
        ArchiveBounds{.file = 1 << 20, .all = 20 << 20});
    QCOMPARE(fault, "it has more than 1 MiB0");
  }

  void cancellingEndsTheReading() {
    const std::atomic<bool> cancelled = true;
    QCOMPARE(refusalOf(pack("c.zip", {{"conversations.json", chatGpt("One")}}), &cancelled).code,
             "cancelled");
  }

  void damagedArchivesAreRefusedOrRead() {
    const QByteArray sound =
        bytesOf(pack("sound.zip", {{"conversations.json", chatGpt("One")}, {"b.jsonl", "{}\n{}"}}));
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 500; ++i) {
      QByteArray bytes = sound;
      if (i % 10 == 0) bytes.truncate(static_cast<qsizetype>(random() % bytes.size()));
      for (auto changes = 1 + random() % 4; changes > 0 && !bytes.isEmpty(); --changes)
        bytes[static_cast<qsizetype>(random() % bytes.size())] = static_cast<char>(random());
      try {
        readChatFile(write("damaged.zip", bytes));
      } catch (const EngineError&) {
        ++refused;
      }
    }
    QVERIFY(refused > 50);
  }
};

QTEST_GUILESS_MAIN(TestChatArchive)
#include "tst_chat_archive.moc"
