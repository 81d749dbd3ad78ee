// Calls of tools in an answer that is whole, and in one that grows.
#include "vitrine/tool_call.h"

#include "text_support.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

class TestToolCall : public QObject {
  Q_OBJECT

 private slots:
  void aCallIsFoundInItsText() {
    const std::string answer =
        "I look.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"b\": 1, \"a\": "
        "\"</tool_call>\"}}\n</tool_call>";
    const AnswerCalls found = toolCalls(answer, {}, true);
    QCOMPARE(found.calls.size(), std::size_t{1});
    QVERIFY(found.calls[0].call == (ToolCall{"f", R"({"b":1,"a":"</tool_call>"})"}));
    QCOMPARE(found.calls[0].range.begin, answer.find('<'));
    QCOMPARE(found.calls[0].range.end, answer.size());
    QVERIFY(!found.open && found.undecided.begin == answer.size());
    QCOMPARE(textBesideCalls(answer, found), std::string("I look."));
    const AnswerCalls begun = toolCalls(answer.substr(0, 30), {}, false);
    QVERIFY(begun.calls.empty() && begun.open && begun.undecided.begin == answer.find('<'));
    QVERIFY(!toolCalls(answer.substr(0, 30), {}, true).open);
    const AnswerCalls mark = toolCalls("So <tool", {}, false);
    QVERIFY(!mark.open && mark.undecided.begin == 3);
  }
};

QTEST_APPLESS_MAIN(TestToolCall)
#include "tst_tool_call.moc"
