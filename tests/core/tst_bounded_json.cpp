// JSON from outside: what is refused, and that the work grows with the text and not with its square. Work is
// counted in the look-ups that an object's members see.
#include "core/bounded_json.h"

#include <cstdint>
#include <map>

#include <QTest>

using namespace vitrine;

namespace {

std::int64_t lookUps = 0;

struct CountingLess {
  using is_transparent = void;
  template <typename A, typename B>
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

std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

class TestBoundedJson : public QObject {
  Q_OBJECT

 private slots:
  void manyMembersTakeLinearWork() {
    const auto bounded = [](const std::string& text) {
      return parseBoundedJson<CountingJson>(text, {}, unexpected);
    };
    const std::int64_t few = lookUpsOf(300, bounded), many = lookUpsOf(2400, bounded);
    QVERIFY(few > 300);
    QVERIFY2(many < 16 * few, qPrintable(QString("%1 and %2").arg(few).arg(many)));  // n log n: 11
    // The count does see what a parser's callback costs: 8 times the members, 64 times the work.
    const auto withCallback = [](const std::string& text) {
      return CountingJson::parse(text, [](int, CountingJson::parse_event_t, CountingJson&) { return true; });
    };
    QVERIFY(lookUpsOf(2400, withCallback) > 40 * lookUpsOf(300, withCallback));
  }

  void boundsHold() {
    QCOMPARE(jsonFault(nested(32), {}), std::string());
    QCOMPARE(jsonFault(nested(33), {}), std::string("JSON nested deeper than 32"));
    QCOMPARE(jsonFault(std::string(10'000'000, '['), {}), std::string("JSON nested deeper than 32"));
    QCOMPARE(jsonFault(R"({"a":1,"b":{"a":2,"a":3}})", {}), std::string());
    QCOMPARE(jsonFault(R"({"a":1,"b":2,"\u0061":3})", {}), std::string("\"a\" stands there twice"));
    const JsonBounds strict{.members = 3, .repeats = JsonBounds::Repeats::kRefused};
    QCOMPARE(jsonFault(R"([{"a":1},{"a":2,"b":{"a":1}}])", strict), std::string());
    QCOMPARE(jsonFault(R"({"a":1,"b":{"c":2,"c":3}})", strict), std::string("\"c\" stands there twice"));
    QCOMPARE(jsonFault(R"({"a":1,"b":2,"c":3})", strict), std::string());
    QCOMPARE(jsonFault(R"({"a":1,"b":2,"c":3,"d":4})", strict),
             std::string("an object has more than 3 members"));
  }

  void faultsAreShortAndPrintable() {
    for (const std::string& text :
         {std::string("{"), std::string("{'a':1}"), std::string("[1,]"), std::string("\xff\xfe"),
          std::string("[1e999]"), std::string(), "\"" + std::string(1'000'000, 'x'),
          "{\"" + std::string(100'000, '\x01') + "\":1}"}) {
      const std::string fault = jsonFault(text, {});
      QVERIFY2(fault.starts_with("this is not JSON: "), fault.c_str());
      QVERIFY2(fault.size() < 250, fault.c_str());
      QVERIFY2(fault.find("json.exception") == std::string::npos, fault.c_str());
      for (const char c : fault) QVERIFY2(c >= ' ' && c <= '~', fault.c_str());
    }
    const std::string key(20'000, 'k');
    QVERIFY(jsonFault("{\"" + key + "\":1,\"" + key + "\":2}", {}).size() < 250);
  }
};

QTEST_APPLESS_MAIN(TestBoundedJson)
#include "tst_bounded_json.moc"
