// Damaged and hostile traces: refused with the number of the line, without a crash or an absurd allocation.
#include "events/trace_bytes.h"

#include <QTest>
#include <algorithm>

using namespace vitrine;
using namespace vitrine::test;

class TestTraceDamage : public QObject {
  Q_OBJECT

 private slots:
  // Wherever a trace is cut but at the end of a line, the reader names the line it is cut in.
  void aCutTraceIsRefusedWithItsLine() {
    const std::string& whole = goodTrace();
    const std::string beginning = whole.substr(0, 6000);
    for (std::size_t cut = 0; cut < beginning.size(); cut += cut < 1000 ? 1 : 37) {
      const auto lines = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut), '\n');
      const bool atLineEnd = cut > 0 && whole[cut - 1] == '\n';
      std::string message;
      try {
        QVERIFY(!parseTrace(std::string_view(whole).substr(0, cut), [](const Event&) {}).whole);
      } catch (const EngineError& error) {
        QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
        message = error.what();
      }
      if (atLineEnd)
        QCOMPARE(message, std::string());
      else
        QVERIFY2(message.starts_with("line " + std::to_string(lines + 1) + ":"), message.c_str());
    }
  }

  void damageIsFound() {
    const std::vector<std::string> lines = linesOf(goodTrace());
    const auto spoilt = [&](const std::function<void(std::vector<std::string>&)>& spoil) {
      std::vector<std::string> copy = lines;
      spoil(copy);
      const std::string said = verdict(joined(copy));
      return said.starts_with("file_corrupt: line ") ? said : "";
    };
    QVERIFY(!spoilt([](auto& l) { l.erase(l.begin() + 20); }).empty());
    QVERIFY(!spoilt([](auto& l) { l.insert(l.begin() + 20, l[20]); }).empty());
    QVERIFY(!spoilt([](auto& l) { std::swap(l[20], l[21]); }).empty());
    QVERIFY(!spoilt([](auto& l) { l[20] = ""; }).empty());
    QVERIFY(!spoilt([](auto& l) { l[20] = "[]"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.insert(l.begin() + 20, l[1]); }).empty());
    QVERIFY(!spoilt([](auto& l) { l[0] = "{\"format\":\"another\",\"version\":1}"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.erase(l.begin() + 1); }).empty());
    QVERIFY(!spoilt([](auto& l) { l.push_back(l.back()); }).empty());
    QVERIFY(!spoilt([](auto& l) { l.back() = "{\"end\":{\"events\":3}}"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.back() = "{\"end\":{}}"; }).empty());
    QVERIFY(!spoilt([](auto& l) { l.back() = "{\"end\":7}"; }).empty());
    const auto replaceOnce = [&](const std::string& in, const std::string& from, const std::string& to) {
      return spoilt([&](auto& l) {
        const auto line = std::find_if(l.begin(), l.end(), [&](const std::string& s) {
          return s.find("\"event\":\"" + in) != std::string::npos && s.find(from) != std::string::npos;
        });
        if (line == l.end()) return;
        line->replace(line->find(from), from.size(), to);
      });
    };
    QVERIFY(!replaceOnce("step_finished", "\"free_blocks\":", "\"free_blocks\":1").empty());
    QVERIFY(!replaceOnce("snapshot", "\"preemptions\":", "\"preemptions\":1").empty());
    QVERIFY(!replaceOnce("snapshot", "\"free_queue\":[", "\"free_queue\":[[0,2000000000],").empty());
    QVERIFY(!replaceOnce("token_sampled", "\"position\":", "\"position\":9").empty());
    QVERIFY(!replaceOnce("block_freed", "\"block\":", "\"block\":9").empty());
    QVERIFY(!replaceOnce("engine_loaded", "\"num_blocks\":9", "\"num_blocks\":2000000000").empty());
    QVERIFY(!replaceOnce("block_", "\"run\":7", "\"run\":8").empty());
  }

  void hostileJson_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("deep") << QByteArray(1000000, '[');
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(300000);
    QTest::newRow("a number") << QByteArray("7");
    QTest::newRow("a huge number") << QByteArray("{\"number\":1e99999}");
    QTest::newRow("not UTF-8") << QByteArray("{\"event\":\"\xFF\"}");
    QTest::newRow("no data") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1})");
    QTest::newRow("unknown event") << QByteArray(
        R"({"event":"x","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{}})");
    QTest::newRow("unknown phase") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"x","time_ns":1,"data":{"waiting":1,"running":1}})");
    QTest::newRow("a fraction for a count") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":1.5,"running":1}})");
    QTest::newRow("beyond 32 bits") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":4294967297,"running":1}})");
    QTest::newRow("beyond 64 bits") << QByteArray(
        R"({"event":"step_started","number":18446744073709551615,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"waiting":1,"running":1}})");
    QTest::newRow("an absurd snapshot") << QByteArray(
        R"({"event":"snapshot","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"state":{"step":1,"block_size":16,"num_blocks":2147483647}}})");
    QTest::newRow("a snapshot of nothing") << QByteArray(
        R"({"event":"snapshot","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{}})");
    QTest::newRow("a snapshot without a pool") << QByteArray(
        R"({"event":"snapshot","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":{"state":{"step":1,"block_size":16}}})");
    QTest::newRow("data that is a list") << QByteArray(
        R"({"event":"step_started","number":1,"run":1,"step":1,"phase":"plan","time_ns":1,"data":[]})");
  }
  void hostileJson() {
    QFETCH(QByteArray, line);
    try {
      eventFromJson(std::string_view(line.constData(), static_cast<std::size_t>(line.size())));
      QFAIL("it was believed");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
    }
  }

  void errorsNameTheFile() {
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("cut.vitrine").toStdString();
    std::ofstream(file, std::ios::binary) << goodTrace().substr(0, goodTrace().size() / 2);
    const auto messageOf = [](const auto& call) {
      try {
        call();
      } catch (const EngineError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string beginning = file.string() + ": line ";
    const std::string verified = messageOf([&] { verifyTrace(file); });
    QVERIFY2(verified.starts_with(beginning), verified.c_str());
    const std::string read = messageOf([&] { readTrace(file, [](const Event&) {}); });
    QVERIFY2(read.starts_with(beginning), read.c_str());
  }

  void aLineWithoutEndIsNotKept() {
    const std::string bytes = linesOf(goodTrace()).front() + "\n" + std::string(std::size_t{20} << 20, ' ');
    QVERIFY(verdict(bytes).starts_with("file_corrupt: line 2: the line is longer"));
  }
};

QTEST_APPLESS_MAIN(TestTraceDamage)
#include "tst_trace_damage.moc"
