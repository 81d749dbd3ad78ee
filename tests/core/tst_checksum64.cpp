// Every bit and the length count in the checksum.
#include "core/checksum64.h"

#include <QTest>
#include <vector>

using namespace vitrine;

class TestChecksum64 : public QObject {
  Q_OBJECT

 private slots:
  void everyByteCounts() {
    std::vector<std::byte> bytes(4096);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 256);
    const std::uint64_t sum = checksum64(bytes, 1);
    QVERIFY(sum != checksum64(bytes, 2));
    for (std::byte& byte : bytes) {
      for (int bit = 0; bit < 8; ++bit) {
        byte ^= static_cast<std::byte>(1 << bit);
        QVERIFY(checksum64(bytes, 1) != sum);
        byte ^= static_cast<std::byte>(1 << bit);
      }
    }
    const std::span<const std::byte> all = bytes;
    for (std::size_t length = 0; length < 40; ++length)
      QVERIFY(checksum64(all.first(length), 1) != checksum64(all.first(length + 1), 1));
  }
};

QTEST_APPLESS_MAIN(TestChecksum64)
#include "tst_checksum64.moc"
