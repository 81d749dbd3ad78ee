// Batches of KV-cache events: both forms of the format, written here by hand and by nlohmann's writer, and
// bytes that are none.
#include "connect/kv_events.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <string>

#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::connect;

namespace {

using Json = nlohmann::json;

std::string bytesOf(const char* hex) { return QByteArray::fromHex(hex).toStdString(); }

std::string packed(const Json& tree) {
  const std::vector<std::uint8_t> bytes = Json::to_msgpack(tree);
  return {bytes.begin(), bytes.end()};
}

std::string packedList(Json event) { return packed({1.5, Json::array({std::move(event)}), nullptr}); }

std::string packedMap(Json event) {
  return packed({{"ts", 1.5}, {"events", Json::array({std::move(event)})}});
}

// The only event of a batch.
template <typename Kind>
Kind only(const std::string& payload) {
  const KvEventBatch batch = readKvEvents(payload);
  if (batch.events.size() != 1) qFatal("%zu events", batch.events.size());
  return std::get<Kind>(batch.events.front());
}

// [1.5, [["BlockStored", [7, -2], nil, [5, 300, 70000, 1], 2, nil, "GPU"], ["AllBlocksCleared"]], 3]
const char* const kListHex =
    "93 cb3ff8000000000000 92"
    "  97 ab426c6f636b53746f726564 92 07 fe c0 94 05 cd012c ce00011170 01 02 c0 a3475055"
    "  91 b0416c6c426c6f636b73436c6561726564"
    "  03";
// {"ts": 1.5, "events": [{"type": "BlockRemoved", "block_hashes": [the bytes 1 to 32], "medium": "CPU"}]}
const char* const kMapHex =
    "82 a27473 cb3ff8000000000000 a66576656e7473 91"
    "  83 a474797065 ac426c6f636b52656d6f766564"
    "     ac626c6f636b5f686173686573 91 c420"
    "     0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"
    "     a66d656469756d a3435055";

Json storedMap() {
  return {{"type", "BlockStored"},
          {"block_hashes", {7, 8}},
          {"parent_block_hash", 6},
          {"token_ids", {1, 2, 3, 4}},
          {"block_size", 2},
          {"lora_id", 1},
          {"medium", "GPU"},
          {"lora_name", "legal"},
          {"extra_keys", {nullptr, {"salt", 9}}},
          {"group_idx", 1}};
}

}  // namespace

class TestKvEvents : public QObject {
  Q_OBJECT

 private slots:
  void theOlderFormIsRead() {
    const KvEventBatch batch = readKvEvents(bytesOf(kListHex));
    QCOMPARE(batch.time, 1.5);
    QCOMPARE(batch.rank, std::optional(3));
    QCOMPARE(batch.events.size(), std::size_t{2});
    QCOMPARE(batch.unknown, 0);
    const auto& stored = std::get<KvStored>(batch.events[0]);
    QCOMPARE(stored.hashes, (std::vector<KvHash>{7, ~KvHash{0} - 1}));
    QVERIFY(!stored.parent);
    QCOMPARE(stored.tokenIds, (std::vector<std::int32_t>{5, 300, 70000, 1}));
    QCOMPARE(stored.blockSize, 2);
    QCOMPARE(stored.medium, std::string("GPU"));
    QCOMPARE(stored.loraName, std::string());
    QCOMPARE(stored.group, 0);
    QVERIFY(std::holds_alternative<KvCleared>(batch.events[1]));
  }

  void theNewerFormIsRead() {
    const KvEventBatch batch = readKvEvents(bytesOf(kMapHex));
    QCOMPARE(batch.time, 1.5);
    QVERIFY(!batch.rank);
    const auto& removed = std::get<KvRemoved>(batch.events.at(0));
    QCOMPARE(removed.hashes, std::vector<KvHash>{0x0102030405060708});
    QCOMPARE(removed.medium, std::string("CPU"));
    QCOMPARE(removed.group, 0);
  }

  void allFieldsAreRead() {
    const Json map = storedMap();
    const Json list = {"BlockStored", map["block_hashes"], 6, map["token_ids"], 2, 1,         "GPU",
                       "legal",       map["extra_keys"],   1, "full_attention", 0, {{"a", 1}}};
    for (const std::string& payload : {packedList(list), packedMap(map)}) {
      const auto stored = only<KvStored>(payload);
      QCOMPARE(stored.hashes, (std::vector<KvHash>{7, 8}));
      QCOMPARE(stored.parent, std::optional<KvHash>(6));
      QCOMPARE(stored.tokenIds.size(), std::size_t{4});
      QCOMPARE(stored.loraName, std::string("legal"));
      QCOMPARE(stored.medium, std::string("GPU"));
      QCOMPARE(stored.group, 1);
    }
    for (const std::string& payload :
         {packedList({"BlockRemoved", {7}, "CPU", 2, "more"}),
          packedMap(
              {{"type", "BlockRemoved"}, {"block_hashes", {7}}, {"medium", "CPU"}, {"group_idx", 2}})}) {
      const auto removed = only<KvRemoved>(payload);
      QCOMPARE(removed.hashes, std::vector<KvHash>{7});
      QCOMPARE(removed.medium, std::string("CPU"));
      QCOMPARE(removed.group, 2);
    }
    only<KvCleared>(packedMap({{"type", "AllBlocksCleared"}}));
  }

  void whatIsLeftOutHasItsDefault() {
    const auto stored = only<KvStored>(packedList({"BlockStored", {7}, nullptr, {1, 2}, 2}));
    QVERIFY(stored.medium.empty() && stored.loraName.empty() && stored.group == 0);
    QVERIFY(only<KvRemoved>(packedList({"BlockRemoved", {7}})).medium.empty());
    QVERIFY(!readKvEvents(packed({1, Json::array()})).rank);
    // The number of an adapter is its name where a server has no other.
    QCOMPARE(only<KvStored>(packedList({"BlockStored", {7}, nullptr, {1, 2}, 2, 4})).loraName,
             std::string("4"));
  }

  // A store in the host's memory has no token ids.
  void anyNumberOfTokenIdsIsTaken() {
    const Json none = {"BlockStored", {7, 8}, nullptr, Json::array(), 0, nullptr, "CPU"};
    QVERIFY(only<KvStored>(packedList(none)).tokenIds.empty());
    QCOMPARE(only<KvStored>(packedList({"BlockStored", {7}, nullptr, {1, 2, 3}, 2})).tokenIds.size(),
             std::size_t{3});
  }

  void aHashIsSixtyFourBits() {
    const auto hash = [](Json value) {
      return only<KvRemoved>(packedList({"BlockRemoved", Json::array({std::move(value)})})).hashes.at(0);
    };
    QCOMPARE(hash(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<KvHash>::max());
    QCOMPARE(hash(std::numeric_limits<std::int64_t>::min()), KvHash{1} << 63);
    QCOMPARE(hash(Json::binary({0xff, 0, 0, 0, 0, 0, 0, 1, 99})), KvHash{0xff00000000000001});
    QVERIFY_THROWS_EXCEPTION(EngineError, hash(Json::binary({1, 2, 3})));
    QVERIFY_THROWS_EXCEPTION(EngineError, hash(1.5));
    QVERIFY_THROWS_EXCEPTION(EngineError, hash("7"));
  }

  void eventsOfAnUnknownTypeAreCounted() {
    const KvEventBatch batch =
        readKvEvents(packed({1.5, {{"BlockMoved", 1}, {"AllBlocksCleared"}, {{"type", "BlockMoved"}}}, 0}));
    QCOMPARE(batch.events.size(), std::size_t{1});
    QCOMPARE(batch.unknown, 2);
  }

  void whatIsCutOrLongerIsRefused() {
    for (const std::string& whole : {bytesOf(kListHex), bytesOf(kMapHex), packedMap(storedMap())}) {
      for (std::size_t size = 0; size < whole.size(); ++size)
        QVERIFY_THROWS_EXCEPTION(EngineError, readKvEvents(std::string_view(whole).substr(0, size)));
      QVERIFY_THROWS_EXCEPTION(EngineError, readKvEvents(whole + '\0'));
    }
  }

  void hostileBytesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray batch = QByteArray::fromHex("93cb3ff800000000000091");
    QTest::newRow("nested lists") << QByteArray(1'000'000, '\x91');
    QByteArray maps;
    for (int i = 0; i < 100'000; ++i) maps += QByteArray::fromHex("81a161");
    QTest::newRow("nested maps") << maps;
    QTest::newRow("nested in an event") << batch + QByteArray(1'000'000, '\x91');
    QTest::newRow("a long list") << QByteArray::fromHex("ddffffffff01");
    QTest::newRow("a long map") << QByteArray::fromHex("dfffffffffa16101");
    QTest::newRow("a long text") << batch + QByteArray::fromHex("91dbffffffff61");
    QTest::newRow("long bytes") << batch + QByteArray::fromHex("91c6ffffffff61");
    QTest::newRow("a long extension") << batch + QByteArray::fromHex("91c9ffffffff0161");
    QTest::newRow("no such byte") << QByteArray::fromHex("c1");
    QTest::newRow("a number as a key") << QByteArray::fromHex("810102");
    QTest::newRow("too many values") << QByteArray::fromHex("ddffffffff") + QByteArray(5 << 20, '\x01');
    QTest::newRow("too many lists") << QByteArray::fromHex("ddffffffff") + QByteArray(5 << 20, '\x90');
  }
  void hostileBytesAreRefused() {
    QFETCH(QByteArray, bytes);
    QVERIFY_THROWS_EXCEPTION(EngineError,
                             readKvEvents({bytes.data(), static_cast<std::size_t>(bytes.size())}));
  }

  void whatContradictsTheFormatIsRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const Json& tree) {
      QTest::newRow(name) << QByteArray::fromStdString(packed(tree));
    };
    const auto stored = [&](const char* name, const char* key, Json value) {
      Json event = storedMap();
      event[key] = std::move(value);
      row(name, {{"ts", 1.5}, {"events", {event}}});
    };
    row("a number", 5);
    row("a text", "BlockStored");
    row("no events", {1.5});
    row("no time", {nullptr, Json::array()});
    row("no number as time", {std::nan(""), Json::array()});
    row("events are no list", {1.5, 5});
    row("a number as event", {1.5, {5}});
    row("an event without a type", {1.5, {Json::array()}});
    row("a number as type", {1.5, {Json::array({5})}});
    row("a map without a type", {{"ts", 1.5}, {"events", {{{"block_hashes", {1}}}}}});
    row("a short event", {1.5, {{"BlockStored", {7}, nullptr, {1, 2}}}});
    row("a text as rank", {1.5, Json::array(), "0"});
    row("a high rank", {1.5, Json::array(), std::int64_t{1} << 31});
    stored("no hashes", "block_hashes", nullptr);
    stored("no list of hashes", "block_hashes", 5);
    stored("a text as parent", "parent_block_hash", "x");
    stored("no list of tokens", "token_ids", "abc");
    stored("a negative token", "token_ids", {-1});
    stored("a high token", "token_ids", {std::int64_t{1} << 31});
    stored("half a token", "token_ids", {0.5});
    stored("no block size", "block_size", nullptr);
    stored("a negative block size", "block_size", -16);
    stored("a number as medium", "medium", 1);
    stored("a list as adapter", "lora_name", {1});
    stored("a text as group", "group_idx", "0");
  }
  void whatContradictsTheFormatIsRefused() {
    QFETCH(QByteArray, bytes);
    try {
      readKvEvents({bytes.data(), static_cast<std::size_t>(bytes.size())});
      QFAIL("it was read");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
      QVERIFY(std::string(error.what()).starts_with("the server's KV events"));
    }
  }
};

QTEST_APPLESS_MAIN(TestKvEvents)
#include "tst_kv_events.moc"
