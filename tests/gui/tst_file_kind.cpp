// What the window makes of a file that it is given without more words: by its name, and by what it holds.
#include "gui/window/file_kind.h"

#include <QTemporaryDir>
#include <QTest>

#include "vitrine/output_file.h"

using namespace vitrine;

namespace {

constexpr const char* kExport =
    R"([{"name": "Beans", "chat_messages": [{"uuid": "q", "sender": "human", "text": "Beans?"}]}])";
constexpr const char* kLines =
    "{\"type\": \"session\", \"id\": \"c\", \"name\": \"Peas\"}\n"
    "{\"type\": \"message\", \"message\": {\"id\": \"a\", \"role\": \"user\", \"content\": \"Peas?\"}}\n";

}  // namespace

class TestFileKind : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir m_folder;

  FileKind kindOf(const char* name, const QByteArray& bytes = {}) {
    const QString path = m_folder.filePath(QLatin1String(name));
    OutputFile out(path.toStdString());
    out.write(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    out.finish();
    return fileKind(path);
  }

 private slots:
  void namesDecide() {
    QCOMPARE(kindOf("run.vitrine"), FileKind::kTrace);
    QCOMPARE(kindOf("run.vitrine.part"), FileKind::kTrace);
    QCOMPARE(kindOf("small.gguf"), FileKind::kModel);
    QCOMPARE(kindOf("SMALL.GGUF"), FileKind::kModel);
    QCOMPARE(fileKind(m_folder.path()), FileKind::kModel);
    QCOMPARE(kindOf("notes.txt", "{\"bench\": \"latency\"}"), FileKind::kOther);
    QCOMPARE(kindOf("notes"), FileKind::kOther);
    QCOMPARE(kindOf("gguf"), FileKind::kOther);
  }

  void contentsDecideOfJson() {
    QCOMPARE(kindOf("a.json", "{\"title\": \"x\", \"requests\": []}"), FileKind::kScenario);
    QCOMPARE(kindOf("UPPER.JSON", "{\"title\": \"x\", \"requests\": []}"), FileKind::kScenario);
    QCOMPARE(kindOf("b.json", "{\"bench\": \"latency\", \"runs\""), FileKind::kBenchResults);  // cut short
    QCOMPARE(kindOf("c.json", kExport), FileKind::kChats);
    QCOMPARE(kindOf("c.jsonl", kLines), FileKind::kChats);
    QCOMPARE(kindOf("rows.jsonl", "{\"row\": 1}\n{\"row\": 2}\n"), FileKind::kOther);
    QCOMPARE(kindOf("rows.jsonl", "{\"bench\": \"latency\"}\n"), FileKind::kOther);
    QCOMPARE(kindOf("chats.zip", "PK\3\4"), FileKind::kChats);
    QCOMPARE(kindOf("text.zip", "no archive"), FileKind::kOther);
  }

  void aNameAloneMakesNoScenarioAndNoTrace() {
    const auto isOne = [this](const char* name, const QByteArray& bytes) {
      const FileKind kind = kindOf(name, bytes);
      return isByContents(kind, m_folder.filePath(QLatin1String(name)));
    };
    QVERIFY(isOne("a.json", "{\"title\": \"x\", \"requests\": []}"));
    QVERIFY(!isOne("a.json", "{\"rows\": []}"));
    QVERIFY(!isOne("a.json", "[{\"requests\": []}]"));
    QVERIFY(!isOne("a.json", "{\"requests\": ["));
    QVERIFY(!isOne("a.json", QByteArray(100000, '[')));
    QVERIFY(!isOne("a.json", ""));
    QVERIFY(isOne("run.vitrine", "{\"format\":\"vitrine-trace\",\"version\":3}\n"));
    QVERIFY(!isOne("run.vitrine", "A fox lives in a lighthouse.\n"));
    QVERIFY(isOne("run.vitrine", ""));  // opening it says that it is empty
    QVERIFY(isByContents(FileKind::kTrace, m_folder.filePath("none.vitrine")));
    QVERIFY(isByContents(FileKind::kScenario, m_folder.filePath("none.json")));
    QVERIFY(isByContents(FileKind::kScenario, m_folder.path()));
    QVERIFY(isOne("notes.txt", "A fox."));
  }

  // Opening it says why.
  void whatCannotBeReadHasTheKindOfItsName() {
    QCOMPARE(fileKind(m_folder.filePath("none.vitrine")), FileKind::kTrace);
    QCOMPARE(fileKind(m_folder.filePath("none.gguf")), FileKind::kModel);
    QCOMPARE(fileKind(m_folder.filePath("none.json")), FileKind::kScenario);
    QCOMPARE(fileKind(m_folder.filePath("none.zip")), FileKind::kOther);
  }

  void noJsonButChatsIsLargerThanAllThatIsRead() {
    const QByteArray blanks(9 << 20, ' ');
    QCOMPARE(kindOf("large.json", blanks), FileKind::kChats);
    QCOMPARE(kindOf("large.jsonl", blanks), FileKind::kChats);
    QCOMPARE(kindOf("large.txt", blanks), FileKind::kOther);
  }
};

QTEST_GUILESS_MAIN(TestFileKind)
#include "tst_file_kind.moc"
