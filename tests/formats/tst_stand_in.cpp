// What stands in the place of a model's file is named by its kind, with the mend, however the file is read.
#include "formats/stand_in.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "formats/gguf_file.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMost = 1 << 20;

}  // namespace

class TestStandIn : public QObject {
  Q_OBJECT

  QTemporaryDir m_scratch;
  fs::path write(const std::string& bytes) const {
    const fs::path path = fs::path(m_scratch.path().toStdString()) / "model.gguf";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

 private slots:
  void whatStandsInAFilesPlaceIsNamed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("hint");
    const QByteArray pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + QByteArray(64, 'a') + "\nsize 1234567\n";
    QTest::newRow("git-lfs") << pointer << QByteArray("is a git-lfs pointer, 132 bytes of text")
                             << QByteArray("git lfs pull");
    QTest::newRow("page") << QByteArray("<!DOCTYPE html><html>Access denied</html>")
                          << QByteArray("is a web page") << QByteArray("download the file again");
    QTest::newRow("page below a mark and blanks")
        << QByteArray("\xef\xbb\xbf\r\n <HTML lang='en'>") + QByteArray(2000, ' ')
        << QByteArray("is a web page") << QByteArray("proxy");
    QTest::newRow("xhtml") << QByteArray("<?xml version='1.0'?>\n<html xmlns='x'>")
                           << QByteArray("is a web page") << QByteArray("proxy");
    QTest::newRow("link") << QByteArray("../../blobs/6a5b")
                          << QByteArray("is the text of a link to ../../blobs/6a5b") << QByteArray("cp -rL");
  }
  void whatStandsInAFilesPlaceIsNamed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, hint);
    const fs::path path = write(bytes.toStdString());
    const auto verify = [&](const std::string& said) {
      QVERIFY2(said.starts_with("file_corrupt: " + path.string() + " " + message.toStdString()),
               said.c_str());
      const std::size_t place = said.find(hint.toStdString());
      QVERIFY2(place != said.npos && place > said.find(kBeforeHint), said.c_str());
    };
    verify(refusal([&] { openModelFile(path); }));
    verify(refusal([&] { readModelText(path, kMost); }));
    verify(refusal([&] { GgufFile file(path); }));
  }
  void otherFilesAreNoStandIns() {
    for (const char* text : {"{}", "<s>", "version 2", "GGUF", "../../blobs/6a5b and more", "\n"}) {
      const fs::path path = write(text);
      QCOMPARE(readModelText(path, kMost), std::string(text));
      QCOMPARE(openModelFile(path)->size(), std::strlen(text));
    }
  }
};

QTEST_APPLESS_MAIN(TestStandIn)
#include "tst_stand_in.moc"
