// JSON from outside: what is refused, and that the work grows with the text and not with its square. Work is
// counted in the look-ups that an object's members see.
#include "vitrine/json_reader.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <QTest>

using namespace vitrine;

namespace {

std::int64_t lookUps = 0;

struct CountingLess {
  using is_transparent = void;
  template <typename A, typename B>
  requires requires(const A& a, const B& b) { a < b; }
  bool operator()(const A& a, const B& b) const {
    ++lookUps;
    return a < b;
  }
};

// std::map that counts comparisons, and how often its end is asked for: once for each member that is passed
// by.
template <typename Key, typename Value, typename, typename Allocator>
class CountingMap : public std::map<Key, Value, CountingLess, Allocator> {
  using Base = std::map<Key, Value, CountingLess, Allocator>;

 public:
  using Base::Base;
  auto end() { return ++lookUps, Base::end(); }
  auto end() const { return ++lookUps, Base::end(); }
};

using CountingJson = nlohmann::basic_json<CountingMap>;

std::string membersText(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{\"a\":[0]}";
  return text + "}";
}

template <typename Parse>
std::int64_t lookUpsOf(int members, const Parse& parse) {
  const std::string text = membersText(members);
  lookUps = 0;
  const CountingJson parsed = parse(text);
  const std::int64_t counted = lookUps;
  return parsed.size() == static_cast<std::size_t>(members) ? counted : -1;
}

[[noreturn]] void unexpected(const std::string& fault) { throw std::runtime_error(fault); }

// What is said of the text; empty when it is read.
std::string faultOf(std::string_view text, const JsonBounds& bounds) {
  try {
    readJson<nlohmann::json>(text, bounds, unexpected);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

class TestJsonReader : public QObject {
  Q_OBJECT

 private slots:
  void manyMembersTakeLinearWork() {
    const auto bounded = [](const std::string& text) { return readJson<CountingJson>(text, {}, unexpected); };
    const std::int64_t few = lookUpsOf(300, bounded), many = lookUpsOf(2400, bounded);
    QVERIFY(few > 300);
    QVERIFY2(many < 16 * few, qPrintable(QString("%1 and %2").arg(few).arg(many)));  // n log n: 11
    // The count does see what a parser's callback costs: 8 times the members, 64 times the work.
    const auto withCallback = [](const std::string& text) {
      return CountingJson::parse(text, [](int, CountingJson::parse_event_t, CountingJson&) { return true; });
    };
    QVERIFY(lookUpsOf(2400, withCallback) > 40 * lookUpsOf(300, withCallback));
  }

  // As nlohmann's own parser reads them.
  void everyKindOfValueIsRead() {
    for (const char* text :
         {"null", "true", "[]", "{}", "\"\\u00e9\\n\"", "-7", "18446744073709551615", "[1.5,-0.0,1e300]",
          R"({"a":[1,{"b":null,"c":[[],{}]},"x"],"d":{"e":{"a":false}},"f":2})",
          R"({"a":{"b":1,"b":{"c":2},"d":3}})"}) {
      QVERIFY2(readJson<nlohmann::json>(text, {}, unexpected) == nlohmann::json::parse(text), text);
      QVERIFY2(readJson<nlohmann::ordered_json>(text, {}, unexpected) == nlohmann::ordered_json::parse(text),
               text);
    }
  }

  void boundsHold() {
    QCOMPARE(faultOf(nested(32), {}), std::string());
    QCOMPARE(faultOf(nested(33), {}), std::string("JSON nested deeper than 32"));
    QCOMPARE(faultOf(std::string(10'000'000, '['), {}), std::string("JSON nested deeper than 32"));
    QCOMPARE(faultOf(R"({"a":1,"b":{"a":2,"a":3}})", {}), std::string());
    QCOMPARE(faultOf(R"({"a":1,"b":2,"\u0061":3})", {}), std::string("\"a\" stands there twice"));
    const JsonBounds strict{.members = 3, .repeats = JsonBounds::Repeats::kRefused};
    QCOMPARE(faultOf(R"([{"a":1},{"a":2,"b":{"a":1}}])", strict), std::string());
    QCOMPARE(faultOf(R"({"a":1,"b":{"c":2,"c":3}})", strict), std::string("\"c\" stands there twice"));
    QCOMPARE(faultOf(R"({"a":1,"b":2,"c":3})", strict), std::string());
    QCOMPARE(faultOf(R"({"a":1,"b":2,"c":3,"d":4})", strict),
             std::string("an object has more than 3 members"));
  }

  // nlohmann's parser ends at it, and what follows would be dropped without a word.
  void aNulCharacterIsRefusedWithItsPlace() {
    using namespace std::string_literals;
    const std::string fault = "this is not JSON: line 1, column 8: a NUL character";
    QCOMPARE(faultOf("{\"a\":1}\0{\"b\":2}"s, {}), fault);
    QCOMPARE(faultOf("{\"a\":1}\0 garbage"s, {}), fault);
    QCOMPARE(faultOf("{\"a\":1}\0"s, {}), fault);
    QCOMPARE(faultOf("{\"a\":\n\"x\0\"}"s, {}),
             std::string("this is not JSON: line 2, column 3: a NUL character"));
    QCOMPARE(faultOf("\0"s, {}), std::string("this is not JSON: line 1, column 1: a NUL character"));
    QCOMPARE(faultOf("\"\\u0000\""s, {}), std::string());  // written out, it is a character as any other
  }

  void numbersKeepTheirDigits() {
    const std::string text =
        R"({"n":12345678901234567890123,"few":[-0.5,1.5,3,18446744073709551615,-9223372036854775808,0.0],)"
        R"("many":-0.1000000000000000055511151231257827,"tiny":1e-400,"x":{"é\n":9223372036854775808e3}})";
    const auto read = [&](bool keepsDigits) {
      return readJson<nlohmann::ordered_json>(
          text, {.keepsDigits = keepsDigits},
          [](const std::string& fault) { throw std::runtime_error(fault); });
    };
    QCOMPARE(writtenJson(read(true)), text);
    QVERIFY(read(false)["n"].is_number_float());
    QVERIFY(writtenJson(read(false)) == read(false).dump());
    for (const char* number : {"1.50", "123456789012345e-3", "0.000", "1E5", "1.00000000000000000000"})
      QVERIFY2(holdsDigits(std::stod(number), number), number);
    QVERIFY(!holdsDigits(0.3, "0.30000000000000001"));
  }

  void faultsAreShortAndPrintable() {
    for (const std::string& text :
         {std::string("{"), std::string("{'a':1}"), std::string("[1,]"), std::string("\xff\xfe"),
          std::string("[1e999]"), std::string(), "\"" + std::string(1'000'000, 'x'),
          "{\"" + std::string(100'000, '\x01') + "\":1}"}) {
      const std::string fault = faultOf(text, {});
      QVERIFY2(fault.starts_with("this is not JSON: "), fault.c_str());
      QVERIFY2(fault.size() < 250, fault.c_str());
      QVERIFY2(fault.find("json.exception") == std::string::npos, fault.c_str());
      for (const char c : fault) QVERIFY2(c >= ' ' && c <= '~', fault.c_str());
    }
    const std::string key(20'000, 'k');
    QVERIFY(faultOf("{\"" + key + "\":1,\"" + key + "\":2}", {}).size() < 250);
  }
};

QTEST_APPLESS_MAIN(TestJsonReader)
#include "tst_json_reader.moc"
