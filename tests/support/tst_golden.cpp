// The reader of goldens refuses what it must not compare with.
#include "support/golden.h"

#include <cstring>
#include <fstream>

#include <QTemporaryDir>
#include <QtTest>

using vitrine::test::Golden;
using vitrine::test::GoldenError;

namespace {

const char* const kMetadata = R"("__metadata__":{"magic":"vitrine-golden","version":"1","tolerance":"1e-4"})";

std::string file(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

std::string bytesOf(const void* values, std::size_t size) { return {static_cast<const char*>(values), size}; }

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
  return "{" + std::string(kMetadata) + R"(,"t":{"dtype":")" + type + R"(","shape":)" + shape +
         R"(,"data_offsets":)" + offsets + "}}";
}

}  // namespace

class TestGolden : public QObject {
  Q_OBJECT

  QTemporaryDir m_directory;

  Golden load(const std::string& bytes) {
    const std::string path = m_directory.filePath("expected.safetensors").toStdString();
    std::ofstream(path, std::ios::binary) << bytes;
    return Golden::load(path);
  }

 private slots:
  void readsBothTypes() {
    const float floats[] = {1.5f, -2.0f, 3.0f, 0.25f};
    const std::int64_t integers[] = {7, -9};
    const std::string header = "{" + std::string(kMetadata) +
                               R"(,"f":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                               R"("i":{"dtype":"I64","shape":[2],"data_offsets":[16,32]}})";
    const Golden golden = load(file(header, bytesOf(floats, 16) + bytesOf(integers, 16)));
    QCOMPARE(golden.tolerance(), 1e-4);
    QVERIFY((golden.floats("f").shape == std::vector<std::int64_t>{2, 2}));
    QVERIFY((golden.floats("f").values == std::vector<float>{1.5f, -2.0f, 3.0f, 0.25f}));
    QVERIFY((golden.integers("i").values == std::vector<std::int64_t>{7, -9}));
    QVERIFY(golden.contains("i") && !golden.contains("x"));
    QVERIFY_THROWS_EXCEPTION(GoldenError, golden.floats("i"));
    QVERIFY_THROWS_EXCEPTION(GoldenError, golden.integers("x"));
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
      QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    const std::string data(8, '\0');
    row("empty", "");
    row("header longer than the file", std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10));
    row("not JSON", file("{\"a\":", data));
    row("not an object", file("[1]", data));
    row("no magic", file("{}", data));
    row("another version", file(R"({"__metadata__":{"magic":"vitrine-golden","version":"2"}})", data));
    row("data past the end", file(tensor("F32", "[3]", "[0,12]"), data));
    row("offsets backwards", file(tensor("F32", "[2]", "[8,0]"), data));
    row("one offset", file(tensor("F32", "[2]", "[8]"), data));
    row("shape and data differ", file(tensor("F32", "[1]", "[0,8]"), data));
    row("shape overflows", file(tensor("F32", "[4294967296,4294967296,2]", "[0,8]"), data));
    row("negative shape", file(tensor("F32", "[-1,-2]", "[0,8]"), data));
    row("unknown type", file(tensor("F64", "[1]", "[0,8]"), data));
    row("shape missing",
        file("{" + std::string(kMetadata) + R"(,"t":{"dtype":"F32","data_offsets":[0,8]}})", data));
  }

  void refuses() {
    QFETCH(QByteArray, bytes);
    QVERIFY_THROWS_EXCEPTION(GoldenError, load(bytes.toStdString()));
  }

  void refusesAMissingFile() {
    QVERIFY_THROWS_EXCEPTION(GoldenError, Golden::load("no/such/expected.safetensors"));
  }
};

QTEST_APPLESS_MAIN(TestGolden)
#include "tst_golden.moc"
