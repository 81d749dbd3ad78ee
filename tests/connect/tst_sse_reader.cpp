// A stream of server-sent events, cut anywhere: its messages are the same.
#include "connect/sse_reader.h"

#include <QTest>
#include <string>

#include "vitrine/error.h"

using namespace vitrine;
using connect::SseReader;

namespace {

using Messages = std::vector<std::string>;

Messages inPieces(std::string_view bytes, std::size_t size) {
  SseReader reader;
  Messages all;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size())))
    for (std::string& message : reader.take(bytes.substr(0, size))) all.push_back(std::move(message));
  return all;
}

}  // namespace

class TestSseReader : public QObject {
  Q_OBJECT

 private slots:
  void theDataOfEachMessageIsRead_data() {
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("two") << "data: {\"a\":1}\n\ndata: [DONE]\n\n" << QStringList{"{\"a\":1}", "[DONE]"};
    QTest::newRow("CR LF") << "data: one\r\n\r\ndata: two\r\n\r\n" << QStringList{"one", "two"};
    QTest::newRow("CR") << "data: one\r\rdata: two\r\r" << QStringList{"one", "two"};
    QTest::newRow("lines") << "data: one\ndata: two\n\n" << QStringList{"one\ntwo"};
    QTest::newRow("no space") << "data:one\n\n" << QStringList{"one"};
    QTest::newRow("one space goes") << "data:  one\n\n" << QStringList{" one"};
    QTest::newRow("comments, names") << ": ping\n\nevent: x\nid: 3\ndata: one\nretry: 5\n\n"
                                     << QStringList{"one"};
    QTest::newRow("no data") << "event: x\n\n\n\n" << QStringList{};
    QTest::newRow("empty data") << "data\n\n" << QStringList{""};
    QTest::newRow("not ended") << "data: one\n" << QStringList{};
    QTest::newRow("another word") << "database: one\n\n" << QStringList{};
  }
  void theDataOfEachMessageIsRead() {
    QFETCH(QString, bytes);
    QFETCH(QStringList, expected);
    Messages messages;
    for (const QString& one : expected) messages.push_back(one.toStdString());
    const std::string text = bytes.toStdString();
    for (std::size_t size = 1; size <= text.size(); ++size) QCOMPARE(inPieces(text, size), messages);
  }

  void aMessageWithoutEndIsRefused() {
    SseReader reader;
    const std::string part(SseReader::kMostBytes / 4, 'x');
    reader.take("data: ");
    for (int i = 0; i < 3; ++i) reader.take(part);
    QVERIFY_THROWS_EXCEPTION(EngineError, reader.take(part));
    SseReader lines;
    QVERIFY_THROWS_EXCEPTION(EngineError, for (int i = 0; i < 5; ++i) lines.take("data: " + part + "\n"));
  }
};

QTEST_APPLESS_MAIN(TestSseReader)
#include "tst_sse_reader.moc"
