// The GGUF container: what is read, and that each wrong file is refused with the key or tensor and its place.
#include "formats/gguf.h"

#include <filesystem>
#include <fstream>

#include "support/gguf_bytes.h"
#include "support/refusal.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kF32 = 0, kQ80 = 8, kIq2Xxs = 16;

GgufBytes sample() {
  GgufBytes file;
  file.text("general.architecture", "llama").number("llama.block_count", 3).real("llama.epsilon", 0.5f);
  file.flag("yes", true).texts("names", {"a", "", "ccc"});
  file.numbers<std::int32_t>("kinds", GgufType::kInt32, {1, -2, 3});
  file.tensor("first", {2, 3}, kF32, std::string(24, 'x'))
      .tensor("second", {2, 32}, kQ80, std::string(68, 'y'));
  return file;
}

std::string refusalOf(const std::string& bytes) {
  return refusal([&] { openBytes(bytes); });
}

}  // namespace

class TestGguf : public QObject {
  Q_OBJECT

 private slots:
  void readsKeysAndTensors() {
    for (const std::uint32_t version : {2u, 3u}) {
      GgufBytes made = sample();
      made.version = version;
      const std::string bytes = made.bytes();
      const GgufFile file = openBytes(bytes);
      QCOMPARE(file.text("general.architecture"), std::string("llama"));
      QCOMPARE(file.size("llama.block_count", 10), 3);
      QCOMPARE(file.number("llama.epsilon"), 0.5);
      QVERIFY(file.flagOr("yes", false));
      QCOMPARE(file.texts("names", 3), (std::vector<std::string>{"a", "", "ccc"}));
      QCOMPARE(file.numbers("kinds", 3), (std::vector<double>{1, -2, 3}));
      QCOMPARE(file.textOr("none", "otherwise"), std::string("otherwise"));
      const std::vector<GgufTensor>& tensors = file.header().tensors;
      QCOMPARE(tensors.size(), std::size_t{2});
      QCOMPARE(tensors[1].shape, (std::vector<std::int64_t>{2, 32}));
      QVERIFY(tensors[1].type == BlockType::kQ80);
      std::string read(68, ' ');
      file.read(tensors[1], 0, std::as_writable_bytes(std::span(read)));
      QCOMPARE(read, std::string(68, 'y'));
    }
  }

  void otherAlignment() {
    GgufBytes made;
    made.alignment = 128;
    made.number("general.alignment", 128).tensor("t", {1, 2}, kF32, "12345678");
    const std::string bytes = made.bytes();
    const GgufFile file = openBytes(bytes);
    QCOMPARE(file.header().tensors[0].offset % 128, std::size_t{0});
    for (const std::uint32_t wrong : {0u, 4u, 48u, 1u << 30})
      VERIFY_REFUSED(openBytes(GgufBytes().number("general.alignment", wrong).bytes()), "file_corrupt",
                     "file.gguf: key general.alignment (byte 57) is no power of two from 8 on");
  }

  void aKeyOfAnotherKindIsNamed() {
    const std::string bytes = sample().bytes();
    const GgufFile file = openBytes(bytes);
    VERIFY_REFUSED(file.size("names", 9), "file_corrupt", "file.gguf: key names is no whole number");
    VERIFY_REFUSED(file.text("none"), "file_corrupt", "file.gguf: key none is missing");
    VERIFY_REFUSED(file.size("llama.block_count", 2), "file_corrupt",
                   "file.gguf: key llama.block_count is 3, outside 0..2");
    VERIFY_REFUSED(file.texts("kinds", 9), "file_corrupt", "file.gguf: key kinds is no list of texts");
    VERIFY_REFUSED(file.texts("names", 2), "file_corrupt", "file.gguf: key names has 3 entries, more than 2");
    VERIFY_REFUSED(file.flagOr("kinds", true), "file_corrupt",
                   "file.gguf: key kinds is neither true nor false");
  }

  void everyCutIsRefused() {
    const std::string whole = sample().bytes();
    openBytes(whole);
    const std::size_t used = whole.size() - 28;  // behind the last tensor stand 28 bytes of filling
    for (std::size_t length = 0; length < used; ++length)
      VERIFY_REFUSED(openBytes(std::string_view(whole).substr(0, length)), "file_corrupt",
                     length < 4 ? "does not begin with GGUF" : "(byte ");
    openBytes(std::string_view(whole).substr(0, used));
  }

  void wrongFiles_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    const auto add = [](const char* name, const std::string& bytes, const char* words) {
      QTest::addRow("%s", name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QString(words);
    };
    GgufBytes file = sample();
    file.version = 1;
    add("version", file.bytes(), "is GGUF version 1");
    file.version = 0x03000000;
    add("byte order", file.bytes(), "big-endian");
    add("no GGUF", "PK" + sample().bytes(), "does not begin with GGUF");
    add("key twice", sample().flag("yes", false).bytes(), "key yes (byte ");
    add("flag of 2", GgufBytes().key("f", GgufType::kBool, "\2").bytes(), "neither true nor false");
    add("unknown kind", GgufBytes().key("f", static_cast<GgufType>(13), "").bytes(), "unknown type 13");
    add("endless list", GgufBytes().key("l", GgufType::kArray, raw(4u) + raw(~std::uint64_t{0})).bytes(),
        "key l (byte 49) is a list of 18446744073709551615 entries, more than the file holds");
    add("endless texts", GgufBytes().key("l", GgufType::kArray, raw(8u) + raw(~std::uint64_t{0})).bytes(),
        "the file ends first");
    add("endless text", GgufBytes().key("t", GgufType::kString, raw(~std::uint64_t{0})).bytes(),
        "holds a text of 18446744073709551615 bytes");
    std::string deep;
    for (int i = 0; i < 5; ++i) deep += raw(9u) + raw(std::uint64_t{1});
    add("deep list", GgufBytes().key("l", GgufType::kArray, deep).bytes(), "is a list too deep");
    GgufBytes many;
    many.tensorCount = ~std::uint64_t{0};
    add("endless tensors", many.bytes(), "says that it has 18446744073709551615 tensors");
    add("unknown type", GgufBytes().info("t", {1, 256}, kIq2Xxs, 0).bytes(),
        "tensor t (byte 65) has the type IQ2_XXS, which is not read");
    add("part of a block", GgufBytes().info("t", {2, 33}, kQ80, 0).bytes(),
        "has rows of 33 weights, not whole blocks of Q8_0");
    add("no dimension", GgufBytes().info("t", {}, kF32, 0).bytes(), "has 0 dimensions");
    add("five dimensions", GgufBytes().info("t", {1, 1, 1, 1, 1}, kF32, 0).bytes(), "has 5 dimensions");
    add("empty", GgufBytes().info("t", {0, 4}, kF32, 0).bytes(), "has a dimension of 0");
    add("overflow", GgufBytes().info("t", {1ull << 40, 1ull << 40}, kF32, 0).bytes(),
        "more bytes than can be counted");
    add("behind the end", GgufBytes().info("t", {1, 4}, kF32, 32).bytes(),
        "tensor t (byte 65) has its data at byte 32 of 0 and needs 16 bytes");
    add("uneven", GgufBytes().info("t", {1, 4}, kF32, 3).bytes(), "at byte 3, no multiple of 32");
    add("overlap", sample().info("third", {1, 8}, kF32, 32).bytes(), "tensor third");
    add("name twice", sample().tensor("first", {1, 8}, kF32, std::string(32, 'z')).bytes(),
        "stands there twice");
  }
  void wrongFiles() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    const std::string refused = refusalOf(bytes.toStdString());
    QVERIFY2(refused.find(words.toStdString()) != std::string::npos, refused.c_str());
    QVERIFY(!refused.ends_with(kBeforeHint));
  }

  void partsOfASplitModel() {
    QTemporaryDir scratch;
    const fs::path folder = scratch.path().toStdString();
    const auto write = [&](const char* name, std::uint16_t number, std::uint16_t count) {
      GgufBytes file;
      file.key("split.no", GgufType::kUint16, raw(number)).key("split.count", GgufType::kUint16, raw(count));
      file.tensor(name, {1, 4}, kF32, std::string(16, 'a'));
      std::ofstream(folder / name, std::ios::binary) << file.bytes();
    };
    write("m-00001-of-00002.gguf", 0, 2);
    const fs::path first = folder / "m-00001-of-00002.gguf", second = folder / "m-00002-of-00002.gguf";
    VERIFY_REFUSED(openGguf(first), "file_not_found", "part 2 of the model, is missing");
    write("m-00002-of-00002.gguf", 1, 2);
    QCOMPARE(openGguf(first).size(), std::size_t{2});
    VERIFY_REFUSED(openGguf(second), "invalid_argument", "is part 2 of 2");
    write("m-00002-of-00002.gguf", 1, 3);
    VERIFY_REFUSED(openGguf(first), "file_corrupt", "do not belong");
    write("other.gguf", 0, 2);
    VERIFY_REFUSED(openGguf(folder / "other.gguf"), "file_corrupt", "its name does not end");
  }

  // Bytes that are gone after the file was opened are an error at the next read, never a signal.
  void aFileCutAfterOpening() {
    QTemporaryDir scratch;
    const fs::path path = scratch.path().toStdString() + "/m.gguf";
    const std::string bytes = sample().bytes();
    std::ofstream(path, std::ios::binary) << bytes;
    const GgufFile file(path);
    fs::resize_file(path, bytes.size() - 90);
    std::vector<std::byte> read(68);
    VERIFY_REFUSED(file.read(file.header().tensors[1], 0, read), "file_corrupt", "tensor second (byte ");
  }
};

QTEST_APPLESS_MAIN(TestGguf)
#include "tst_gguf.moc"
