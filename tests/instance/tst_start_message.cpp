// What a second start says, as bytes: any request comes back as it was, and bytes that are taken are the one
// form of what they say. A part of a message is none, and bad bytes are refused as soon as they have come.
#include <QTest>
#include <random>

#include "instance/start_message.h"

using namespace vitrine;

namespace {

std::string someBytes(std::mt19937& random, std::size_t most) {
  std::string bytes(random() % (most + 1), ' ');
  for (char& byte : bytes) byte = static_cast<char>(1 + random() % 255);  // no zero
  return bytes;
}

StartRequest someRequest(std::mt19937& random) {
  StartRequest request{someBytes(random, 8), {}, someBytes(random, 40), {}};
  if (random() % 2 == 0) request.model = '/' + someBytes(random, 60);
  for (std::size_t files = random() % 6; files > 0; --files)
    request.files.push_back('/' + someBytes(random, 200));
  return request;
}

}  // namespace

class TestStartMessage : public QObject {
  Q_OBJECT

  std::mt19937 m_random{33};

 private slots:
  void anyRequestComesBackAsItWas() {
    for (int i = 0; i < 2000; ++i) {
      const StartRequest request = someRequest(m_random);
      const auto message = toStartMessage(request);
      QVERIFY(message && message->size() <= kMostStartBytes);
      StartRequest read;
      QVERIFY(readStartMessage(*message, read) == StartReading::kWhole);
      QVERIFY(read == request);
      for (const std::size_t cut : {std::size_t{0}, m_random() % message->size(), message->size() - 1})
        QVERIFY(readStartMessage(message->substr(0, cut), read) == StartReading::kMore);
      QVERIFY(readStartMessage(*message + 'x', read) == StartReading::kRefused);
    }
  }

  // What is taken after a change is itself a message that says the same.
  void changedBytesAreRefusedOrSaySomethingElse() {
    int taken = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
      std::string message = *toStartMessage(someRequest(m_random));
      for (std::size_t n = 1 + m_random() % 3; n > 0; --n)
        message[m_random() % message.size()] = static_cast<char>(m_random());
      StartRequest read;
      const StartReading reading = readStartMessage(message, read);
      refused += reading == StartReading::kRefused ? 1 : 0;
      if (reading != StartReading::kWhole) continue;
      QVERIFY(toStartMessage(read) == message);
      ++taken;
    }
    QVERIFY(taken > 100 && refused > 100);
  }

  void whatTheFormatCannotSayIsNotSent() {
    const auto refused = [](const StartRequest& request) { return !toStartMessage(request).has_value(); };
    QVERIFY(refused({{}, "relative", {}, {}}));
    QVERIFY(refused({{}, {}, {}, {"relative"}}));
    QVERIFY(refused({{}, {}, {}, {""}}));
    QVERIFY(refused({{}, {}, {}, {std::string("/a\0b", 4)}}));
    QVERIFY(refused({{}, {}, {}, {'/' + std::string(kMostPathBytes, 'a')}}));
    QVERIFY(!refused({{}, {}, {}, {'/' + std::string(kMostPathBytes - 1, 'a')}}));
    QVERIFY(refused({{}, {}, {}, std::vector<std::string>(kMostStartBytes, "/")}));
  }

  // At the first byte that cannot be one of a message, not when the rest has come.
  void badBeginningsAreRefusedAtOnce() {
    StartRequest read;
    QVERIFY(readStartMessage("", read) == StartReading::kMore);
    QVERIFY(readStartMessage("V", read) == StartReading::kMore);
    QVERIFY(readStartMessage("G", read) == StartReading::kRefused);
    QVERIFY(readStartMessage("VTRN\2", read) == StartReading::kRefused);
    QVERIFY(readStartMessage(std::string("VTRN\1\xff\xff\xff\xff", 9), read) == StartReading::kRefused);
    QVERIFY(readStartMessage(std::string("VTRN\1\0\1\0\0", 9), read) == StartReading::kRefused);
    QVERIFY(readStartMessage(std::string("VTRN\1\0\0\0\0", 9), read) == StartReading::kRefused);
    QVERIFY(readStartMessage(std::string("VTRN\1\0\0\0\2\0\0", 11), read) == StartReading::kRefused);
    QVERIFY(readStartMessage(std::string("VTRN\1\0\0\0\3\0\0\0", 12), read) == StartReading::kWhole);
    QVERIFY(read == StartRequest{});
    QVERIFY(readStartMessage(std::string("VTRN\1\0\0\0\5\0\0\0a\0", 14), read) == StartReading::kRefused);
  }

  void answersAreReadWholeOnly() {
    for (const bool taken : {true, false}) {
      const std::string answer = startAnswer(taken);
      bool read = !taken;
      QVERIFY(readStartAnswer(answer, read) == StartReading::kWhole);
      QCOMPARE(read, taken);
      for (std::size_t cut = 0; cut < answer.size(); ++cut)
        QVERIFY(readStartAnswer(answer.substr(0, cut), read) == StartReading::kMore);
      for (const char* other : {"x", "HTTP/1.1", "VTRN\2y", "VTRN\1?"})
        QVERIFY(readStartAnswer(other, read) == StartReading::kRefused);
      QVERIFY(readStartAnswer(answer + answer, read) == StartReading::kRefused);
    }
  }
};

QTEST_APPLESS_MAIN(TestStartMessage)
#include "tst_start_message.moc"
