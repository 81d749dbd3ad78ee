// Templates in the manner of the families, with conversations, and what Jinja made of them (cases.json).
#include "jinja_support.h"

#include <QTest>

using namespace vitrine::test;

class TestJinjaCases : public QObject {
  Q_OBJECT

 private slots:
  void asJinjaRenders_data() {
    QTest::addColumn<int>("index");
    const auto& cases = document()["cases"];
    QVERIFY(cases.size() >= 208);
    for (std::size_t i = 0; i < cases.size(); ++i)
      QTest::newRow((cases[i]["template"].get<std::string>() + " " + std::to_string(i)).c_str())
          << static_cast<int>(i);
  }

  void asJinjaRenders() {
    QFETCH(int, index);
    const auto& item = document()["cases"][static_cast<std::size_t>(index)];
    const auto& text = document()["templates"][item["template"].get<std::string>()];
    const auto rendered = renderedJson(text.get<std::string>(), item["variables"]);
    for (const char* key : {"text", "refused"}) {
      QCOMPARE(rendered.contains(key), item.contains(key));
      if (item.contains(key)) QCOMPARE(rendered[key].get<std::string>(), item[key].get<std::string>());
    }
  }

 private:
  static const nlohmann::ordered_json& document() {
    static const auto json =
        nlohmann::ordered_json::parse(readWhole(VITRINE_SOURCE_DIR "/tests/text/jinja/cases.json"));
    return json;
  }
};

QTEST_APPLESS_MAIN(TestJinjaCases)
#include "tst_jinja_cases.moc"
