// The text that bytes hold: each encoding with and without a mark, what is no text, and any bytes at all.
// Pictures are told by their first bytes.
#include "gui/turns/decoded_text.h"

#include <QTest>
#include <random>

#include "gui/turns/picture_format.h"

using namespace vitrine;

namespace {

// In pairs of bytes, as another program writes it.
QByteArray wide(const QString& text, bool bigEndian) {
  QByteArray bytes;
  for (const QChar c : text) {
    const char low = static_cast<char>(c.cell()), high = static_cast<char>(c.row());
    bytes += bigEndian ? high : low;
    bytes += bigEndian ? low : high;
  }
  return bytes;
}

std::string_view viewOf(const QByteArray& bytes) {
  return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

}  // namespace

class TestDecodedText : public QObject {
  Q_OBJECT

 private slots:
  void bytesHaveATextAndAnEncoding_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("encoding");
    const QString fox = QString::fromUtf8(
        "Der F\xc3\xbc"
        "chsin\r\nf\xc3\xa4ngt \xf0\x9f\xa6\x8a\n");
    const QString chinese = QString::fromUtf8("\xe7\x8b\x90\xe7\x8b\xb8");
    QTest::newRow("empty") << QByteArray() << QString() << "UTF-8";
    QTest::newRow("ASCII") << QByteArray("int x;\t\f\n") << "int x;\t\f\n"
                           << "UTF-8";
    QTest::newRow("a terminal's colours") << QByteArray("\x1b[1mfox\x1b[0m") << "\x1b[1mfox\x1b[0m"
                                          << "UTF-8";
    QTest::newRow("UTF-8") << fox.toUtf8() << fox << "UTF-8";
    QTest::newRow("UTF-8, marked") << "\xef\xbb\xbf" + fox.toUtf8() << fox << "UTF-8";
    QTest::newRow("a mark alone") << QByteArray("\xef\xbb\xbf") << QString() << "UTF-8";
    QTest::newRow("UTF-16 LE, marked") << "\xff\xfe" + wide(fox, false) << fox << "UTF-16";
    QTest::newRow("UTF-16 BE, marked") << "\xfe\xff" + wide(fox, true) << fox << "UTF-16";
    QTest::newRow("Chinese in UTF-16") << "\xff\xfe" + wide(chinese, false) << chinese << "UTF-16";
    QTest::newRow("UTF-16 LE") << wide(fox, false) << fox << "UTF-16";
    QTest::newRow("UTF-16 BE") << wide(fox, true) << fox << "UTF-16";
    QTest::newRow("Latin-1") << QByteArray("caf\xe9 \xa3 3") << QString::fromUtf8("caf\xc3\xa9 \xc2\xa3 3")
                             << "Latin-1";
    QTest::newRow("Windows-1252") << QByteArray(
                                         "\x93"
                                         "fox\x94 \x80 3\r\n")
                                  << QString::fromUtf8(
                                         "\xe2\x80\x9c"
                                         "fox\xe2\x80\x9d \xe2\x82\xac 3\r\n")
                                  << "Windows-1252";
  }
  void bytesHaveATextAndAnEncoding() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QFETCH(QString, encoding);
    const auto decoded = DecodedText::from(viewOf(bytes));
    QVERIFY(decoded.has_value());
    QCOMPARE(decoded->text, text);
    QCOMPARE(encodingName(decoded->encoding), encoding);
  }

  void bytesThatAreNoTextHaveNone_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("a zero") << QByteArray("a\0b", 3);
    QTest::newRow("zeros") << QByteArray(64, '\0');
    QTest::newRow("a program") << QByteArray(
        "\x7f"
        "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0",
        20);
    QTest::newRow("a gzip archive") << QByteArray("\x1f\x8b\x08\x08\x9d\x12\x0f\x66\x02\x03\xcb\xaf\x08\x05");
    QTest::newRow("control characters") << QByteArray("\1\2\3\4");
    QTest::newRow("a letter that Windows-1252 lacks") << QByteArray("caf\xe9 \x81");
    QTest::newRow("a mark of UTF-8, then other bytes") << QByteArray(
        "\xef\xbb\xbf"
        "caf\xe9");
    QTest::newRow("half a letter of UTF-16") << QByteArray(
        "\xff\xfe"
        "f\0o",
        5);
    QTest::newRow("half a pair of UTF-16") << QByteArray("\xff\xfe\x3e\xd8", 4);
    QTest::newRow("a zero in UTF-16") << QByteArray(
        "\xff\xfe"
        "f\0\0\0",
        6);
    QTest::newRow("UTF-32") << QByteArray("\xff\xfe\0\0f\0\0\0", 8);
    QTest::newRow("small numbers of 16 bits") << QByteArray("\1\0\2\0\3\0\4\0", 8);
  }
  void bytesThatAreNoTextHaveNone() {
    QFETCH(QByteArray, bytes);
    QVERIFY(!DecodedText::from(viewOf(bytes)).has_value());
  }

  // Whatever the bytes are: no crash, and no text with a zero in it or with half a letter.
  void anyBytesAreSafe() {
    std::mt19937 random(40);
    for (int round = 0; round < 20000; ++round) {
      std::string bytes(random() % 24, '\0');
      for (char& one : bytes) one = static_cast<char>(random() % (round % 2 == 0 ? 256U : 4U));
      if (round % 5 == 0) bytes.insert(0, "\xff\xfe");
      if (round % 7 == 0) bytes.insert(0, "\xef\xbb\xbf");
      pictureFormat(bytes);
      const auto decoded = DecodedText::from(bytes);
      if (!decoded) continue;
      QVERIFY(!decoded->text.contains(QChar(u'\0')));
      QVERIFY(decoded->text.isValidUtf16());
    }
  }

  void picturesAreToldByTheirBeginning_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("format");
    const QByteArray bmp = QByteArray("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1", 19);
    QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) << "PNG";
    QTest::newRow("JPEG") << QByteArray("\xff\xd8\xff\xe0\0\x10JFIF", 10) << "JPEG";
    QTest::newRow("GIF") << QByteArray("GIF89a\1\0") << "GIF";
    QTest::newRow("WebP") << QByteArray("RIFF\x24\0\0\0WEBPVP8 ", 16) << "WebP";
    QTest::newRow("BMP") << bmp << "BMP";
    QTest::newRow("HEIC") << QByteArray(
                                 "\0\0\0\x18"
                                 "ftypheic\0\0\0\0",
                                 16)
                          << "HEIC";
    QTest::newRow("AVIF") << QByteArray(
                                 "\0\0\0\x18"
                                 "ftypavif\0\0\0\0",
                                 16)
                          << "AVIF";
    QTest::newRow("TIFF, little") << QByteArray("II*\0\x08\0\0\0", 8) << "TIFF";
    QTest::newRow("TIFF, big") << QByteArray("MM\0*\0\0\0\x08", 8) << "TIFF";
    QTest::newRow("SVG") << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"/>") << "";
    QTest::newRow("a text") << QByteArray("BM stands for bitmap, GIF for graphics.") << "";
    QTest::newRow("sound in RIFF") << QByteArray("RIFF\x24\0\0\0WAVEfmt ", 16) << "";
    QTest::newRow("a film") << QByteArray(
                                   "\0\0\0\x18"
                                   "ftypisom\0\0\0\0",
                                   16)
                            << "";
    QTest::newRow("cut short") << bmp.first(17) << "";
    QTest::newRow("nothing") << QByteArray() << "";
  }
  void picturesAreToldByTheirBeginning() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, format);
    QCOMPARE(pictureFormat(viewOf(bytes)), format);
  }
};

QTEST_GUILESS_MAIN(TestDecodedText)
#include "tst_decoded_text.moc"
