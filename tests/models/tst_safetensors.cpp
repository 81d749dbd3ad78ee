// The safetensors reader: what a good header says, and every way a bad one is refused. Attacks on sizes come
// from the format's own list of what a reader must check.
#include "models/safetensors.h"

#include <QTest>

#include "models/safetensors_bytes.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::vector<SafetensorsEntry> parse(const std::string& bytes) {
  return parseBytes(std::as_bytes(std::span(bytes)), "m.safetensors");
}

std::vector<SafetensorsEntry> parseHeader(const std::string& header, std::size_t dataBytes) {
  return parse(safetensors(header, dataBytes));
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT

 private slots:
  void readsEntriesInOrderOfTheirBytes() {
    const std::string header =
        "{\"__metadata__\":{\"format\":\"pt\"}," + entry("b", "BF16", "[3]", "[24,30]") + "," +
        entry("a", "F32", "[2,3]", "[0,24]") + "," + entry("none", "F16", "[0,7]", "[30,30]") + "," +
        entry("scalar", "I64", "[]", "[30,38]") + "}   ";
    const auto entries = parseHeader(header, 38);
    QCOMPARE(entries.size(), std::size_t{4});
    QCOMPARE(entries[0].name, std::string("a"));
    QCOMPARE(entries[0].type, std::string("F32"));
    QCOMPARE(entries[0].shape, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(entries[0].offset, 8 + header.size());
    QCOMPARE(entries[0].bytes, std::size_t{24});
    QCOMPARE(entries[1].name, std::string("b"));
    QCOMPARE(entries[1].offset, 8 + header.size() + 24);
    QCOMPARE(entries[2].name, std::string("none"));
    QCOMPARE(entries[3].bytes, std::size_t{8});
    QVERIFY(parseHeader("{}", 0).empty());
  }

  void refusesTruncation() {
    const std::string whole = safetensors("{" + entry("w", "F32", "[4]", "[0,16]") + "}", 16);
    for (std::size_t length = 0; length < whole.size(); ++length)
      VERIFY_REFUSED(parse(whole.substr(0, length)), "file_corrupt", "m.safetensors");
    VERIFY_REFUSED(parse(whole + "x"), "file_corrupt", "1 bytes after the last tensor");
    VERIFY_REFUSED(parse(whole.substr(0, whole.size() - 1)), "file_corrupt", "tensor w");
  }

  void refusesHeaderLengths() {
    for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 32, std::uint64_t{1} << 63,
                                       ~std::uint64_t{0}, ~std::uint64_t{0} - 7})
      VERIFY_REFUSED(parse(lengthBytes(length) + "{}"), "file_corrupt", std::to_string(length));
    VERIFY_REFUSED(parse(lengthBytes(0)), "file_corrupt", "m.safetensors");
    VERIFY_REFUSED(parse(lengthBytes(33 << 20) + std::string(33 << 20, ' ')), "file_corrupt", "too long");
  }

  void refusesBrokenHeaders() {
    for (const char* header : {"", "[]", "7", "{", "{\"w\":", "nul", "{\"w\":{}} x", "{\"\xff\":{}}"})
      VERIFY_REFUSED(parseHeader(header, 0), "file_corrupt", "m.safetensors");
    VERIFY_REFUSED(parseHeader(std::string(100000, '['), 0), "file_corrupt", "nested");
    const std::string twice = entry("w", "F32", "[1]", "[0,4]");
    VERIFY_REFUSED(parseHeader("{" + twice + "," + twice + "}", 4), "file_corrupt",
                   "\"w\" stands there twice");
  }

  void refusesEntries_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("word");
    const auto add = [](const char* name, const std::string& body, const char* word = "tensor w") {
      QTest::newRow(name) << QString::fromStdString(body) << word;
    };
    add("not an object", "\"w\":3");
    add("no dtype", "\"w\":{\"shape\":[1],\"data_offsets\":[0,4]}", "dtype");
    add("dtype is a number", "\"w\":{\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,4]}", "dtype");
    add("no shape", "\"w\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}", "shape");
    add("shape is a number", entry("w", "F32", "4", "[0,16]"), "shape");
    add("negative extent", entry("w", "F32", "[-4]", "[0,16]"), "-4");
    add("fractional extent", entry("w", "F32", "[4.0]", "[0,16]"), "4.0");
    add("extent beyond 64 bits", entry("w", "F32", "[99999999999999999999]", "[0,16]"));
    add("extent beyond 63 bits", entry("w", "F32", "[18446744073709551615]", "[0,16]"),
        "18446744073709551615");
    add("product overflows to 0", entry("w", "F32", "[4611686018427387904,4]", "[0,0]"),
        "4611686018427387904");
    add("product overflows to 16", entry("w", "F32", "[4611686018427387905,4]", "[0,16]"),
        "4611686018427387905");
    add("many dimensions", entry("w", "F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,4]", "[0,16]"),
        "17 dimensions");
    add("no offsets", "\"w\":{\"dtype\":\"F32\",\"shape\":[4]}", "data_offsets");
    add("one offset", entry("w", "F32", "[4]", "[0]"), "data_offsets");
    add("three offsets", entry("w", "F32", "[4]", "[0,16,16]"), "data_offsets");
    add("negative offset", entry("w", "F32", "[4]", "[-16,0]"), "-16");
    add("text offset", entry("w", "F32", "[4]", "[\"0\",16]"), "data_offsets");
    add("end before begin", entry("w", "F32", "[4]", "[16,0]"));
    add("end beyond the file", entry("w", "F32", "[8]", "[0,32]"), "32");
    add("end beyond 63 bits", entry("w", "F32", "[4]", "[0,18446744073709551615]"), "18446744073709551615");
    add("range of another size", entry("w", "F32", "[2]", "[0,16]"), "[2]");
    add("range too small", entry("w", "F32", "[8]", "[0,16]"), "[8]");
    add("overlap", entry("w", "F32", "[4]", "[0,16]") + "," + entry("v", "F32", "[2]", "[8,16]"),
        "tensor v overlaps");
    add("the same bytes", entry("w", "F32", "[4]", "[0,16]") + "," + entry("v", "F32", "[4]", "[0,16]"),
        "overlaps");
    add("gap", entry("w", "F32", "[1]", "[0,4]") + "," + entry("v", "F32", "[2]", "[8,16]"),
        "gap of 4 bytes");
    add("gap at the start", entry("w", "F32", "[3]", "[4,16]"), "gap of 4 bytes");
    add("bytes left over", entry("w", "F32", "[3]", "[0,12]"), "4 bytes after the last tensor");
  }
  void refusesEntries() {
    QFETCH(QString, body);
    QFETCH(QString, word);
    VERIFY_REFUSED(parseHeader("{" + body.toStdString() + "}", 16), "file_corrupt", word.toStdString());
    VERIFY_REFUSED(parseHeader("{" + body.toStdString() + "}", 16), "file_corrupt", "m.safetensors");
  }

  void refusesUnknownTypes() {
    VERIFY_REFUSED(parseHeader("{" + entry("w", "Q4_K", "[4]", "[0,16]") + "}", 16), "unsupported", "Q4_K");
  }

  void messagesStayPresentable() {
    const std::string name = "line\\nbreak\\u0007" + std::string(5000, 'x');
    const std::string said =
        refusal([&] { parseHeader("{" + entry(name, "F32", "[5]", "[0,16]") + "}", 16); });
    QVERIFY(said.size() < 600);
    QVERIFY(said.find('\n') == std::string::npos && said.find('\a') == std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
