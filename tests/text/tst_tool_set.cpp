// The tools of a conversation: names, the types of parameters, and what is no list of tools.
#include "text_support.h"
#include "vitrine/tool_set.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

class TestToolSet : public QObject {
  Q_OBJECT

 private slots:
  void namesAndTypes() {
    const ToolSet tools(
        quoted("[{'type':'function','function':{'name':'f','parameters':{'type':'object','properties':{"
               "'city':{'type':'string'},'days':{'type':['integer','null']},'any':{},"
               "'other':{'anyOf':[{'type':'number'},{'type':'boolean'}]}}}}},"
               "{'type':'function','function':{'name':'g','parameters':null}}]"));
    using Words = std::vector<std::string>;
    QVERIFY(tools.names() == (Words{"f", "g"}));
    QVERIFY(tools.has("f") && tools.has("g") && !tools.has("h") && !tools.empty());
    QVERIFY(tools.typesOf("f", "city") == Words{"string"});
    QVERIFY(tools.typesOf("f", "days") == (Words{"integer", "null"}));
    QVERIFY(tools.typesOf("f", "other") == (Words{"number", "boolean"}));
    QVERIFY(tools.typesOf("f", "any").empty() && tools.typesOf("f", "none").empty());
    QVERIFY(tools.typesOf("h", "city").empty());
    QVERIFY(ToolSet("").empty() && ToolSet("[]").empty() && ToolSet().empty());
  }

  void whatIsNoListOfToolsIsNamedWithItsPlace_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("error");
    QTest::newRow("no JSON") << "["
                             << "the tools cannot be read: this is not JSON";
    QTest::newRow("no array") << "{}"
                              << "the tools should be an array";
    const QString good = "[{'type':'function','function':{'name':'f'}},";
    QTest::newRow("no object") << good + "1]"
                               << "tool 2 should be an object with \"type\": \"function\"";
    QTest::newRow("no type") << "[{'function':{'name':'f'}}]"
                             << "tool 1 should be an object with \"type\": \"function\"";
    QTest::newRow("no function") << "[{'type':'function'}]"
                                 << "tool 1 should have an object \"function\"";
    QTest::newRow("no name") << good + "{'type':'function','function':{'name':''}}]"
                             << "tool 2 should have a \"name\" in its \"function\"";
    QTest::newRow("twice") << good + "{'type':'function','function':{'name':'f'}}]"
                           << "two tools have the name \"f\"";
    QTest::newRow("no schema") << "[{'type':'function','function':{'name':'f','parameters':[]}}]"
                               << "tool 1 should have a JSON schema as its \"parameters\": an object";
  }
  void whatIsNoListOfToolsIsNamedWithItsPlace() {
    QFETCH(QString, json);
    QFETCH(QString, error);
    const std::string found = errorOf([&] { ToolSet{quoted(json.toStdString())}; });
    QVERIFY2(found.starts_with("invalid_argument: " + error.toStdString()), found.c_str());
  }
};

QTEST_APPLESS_MAIN(TestToolSet)
#include "tst_tool_set.moc"
