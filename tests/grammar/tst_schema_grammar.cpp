// JSON schemas as grammars: texts that they have and have not, what is refused and by which name, and that
// all answers of schemas drawn at random are valid for a validator that knows no grammar.
#include "grammar/schema_grammar.h"

#include <chrono>

#include "grammar/grammar_checks.h"

#include <QTest>

#include "grammar/derive.h"
#include "grammar/random_schema.h"
#include "grammar/schema_check.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;
using Json = nlohmann::ordered_json;

namespace {

// Written with ' for ".
std::string quotedText(QString text) { return text.replace('\'', '"').toStdString(); }

const std::string& nestedLists(int depth, std::string& text) {
  for (int i = 0; i < depth; ++i) text += "{\"items\":";
  text += "{}";
  for (int i = 0; i < depth; ++i) text += "}";
  return text;
}

}  // namespace

class TestSchemaGrammar : public QObject {
  Q_OBJECT

 private slots:
  void answers_data() {
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QStringList>("accepted");
    QTest::addColumn<QStringList>("refused");
    const auto row = [](const char* schema, const QStringList& accepted, const QStringList& refused) {
      QTest::newRow(schema) << QString::fromUtf8(schema) << accepted << refused;
    };
    row("true", {"1", "null", "{'a':[1,{}]}", "'x'"}, {"", "x"});
    row("{'title':'x','$schema':'y'}", {"1"}, {""});
    row("{'type':'null'}", {"null"}, {"0"});
    row("{'type':['boolean','null']}", {"true", "false", "null"}, {"1"});
    row("{'type':'string'}", {"''", "'a\\u00e9\\n'", "'\\ud83d\\ude00'", QString::fromUtf8("'é😀'")},
        {"'\\ud83d'", "'\\ud83dx'", "'\\ude00'", "'\n'", "'", "'\\x'"});
    row("{'type':'string','minLength':2,'maxLength':3}", {"'ab'", "'a\\n\\u0041'", "'\\ud83d\\ude00b'"},
        {"'a'", "'abcd'", "'\\ud83d\\ude00'"});
    row("{'pattern':'^[a-c]+$'}", {"'abc'"}, {"''", "'abd'", "1"});
    row("{'type':'string','pattern':'b'}", {"'b'", "'\\nb\\u0001'", "'\\\\b\\''"}, {"'a'", "'\\b'"});
    row("{'type':'string','pattern':'^[\\\\x00-\\\\x22]$'}",
        {"'\\u0000'", "'\\n'", "'\\u001f'", "'\\''", "' '"}, {"'\\u0022'", "'\n'", "'#'"});
    row("{'type':'string','pattern':'^\\\\\\\\$'}", {"'\\\\'"}, {"'\\'"});
    row("{'type':'string','format':'date'}", {"'2024-02-29'", "'2000-02-29'", "'2026-12-31'"},
        {"'2023-02-29'", "'1900-02-29'", "'2026-04-31'", "'2026-13-01'", "'2026-00-10'", "'2026-01-00'"});
    row("{'type':'string','format':'time'}", {"'23:59:59Z'", "'00:00:00.5+01:30'"},
        {"'24:00:00Z'", "'10:00:00'"});
    row("{'type':'string','format':'date-time'}", {"'2026-11-29T10:00:00Z'"}, {"'2026-11-29 10:00:00Z'"});
    row("{'type':'string','format':'uuid'}", {"'00000000-0000-4000-8000-00000000000F'"}, {"'0'"});
    row("{'type':'string','format':'ipv4'}", {"'255.0.10.99'"}, {"'256.0.0.1'", "'1.2.3'", "'01.2.3.4'"});
    row("{'type':'string','format':'email'}", {"'a.b+c@d-e.org'"},
        {"'a'", "'a@b'", "'.a@b.cd'", "'a@-b.cd'"});
    row("{'type':'string','format':'colour'}", {"'anything'"}, {"1"});
    row("{'type':'string','format':'date','maxLength':10}", {"'2024-02-29'"}, {});
    row("{'type':'integer'}", {"0", "-1", "999999999999999"}, {"-0", "01", "1.0", "1e3", "1000000000000000"});
    row("{'type':'number'}", {"0", "-0.5", "1e99", "12345678.1234567", "0.000000000000001", "1E+5"},
        {"1e999", "01", ".5", "5.", "1234567890123456", "123456789.12345678"});
    row("{'type':['integer','number']}", {"1", "1.5"}, {});
    row("{'type':'integer','minimum':0}", {"0", "7", "999999999999999"}, {"-1"});
    row("{'type':'integer','minimum':-12,'maximum':130}", {"-12", "-9", "0", "9", "99", "100", "130"},
        {"-13", "-20", "131", "200", "1000", "-0"});
    row("{'type':'integer','minimum':7,'maximum':7.9}", {"7"}, {"6", "8"});
    row("{'type':'integer','exclusiveMinimum':1.5,'exclusiveMaximum':4}", {"2", "3"}, {"1", "4"});
    row("{'type':'integer','minimum':5,'exclusiveMinimum':5}", {"6"}, {"5"});
    row("{'type':'integer','maximum':-99}", {"-99", "-100", "-123456"}, {"-98", "0", "5"});
    row("{'type':'integer','maximum':18446744073709551615}", {"999999999999999"}, {});
    row("{'type':'integer','multipleOf':10,'minimum':-15,'maximum':105}", {"-10", "0", "10", "100"},
        {"-20", "110", "5", "00"});
    row("{'type':'number','multipleOf':1}", {"3"}, {"3.5"});
    row("{'type':'number','minimum':0,'maximum':1}", {"0", "1", "0.5", "0.0", "0.9999999"},
        {"1.1", "-0.5", "2", "1e1"});
    row("{'type':'number','exclusiveMinimum':0,'exclusiveMaximum':2}", {"0.5", "1", "1.99", "0.001"},
        {"0", "0.0", "2", "2.5", "-1"});
    row("{'type':'number','exclusiveMinimum':-3,'exclusiveMaximum':0}", {"-0.5", "-1", "-2.9"},
        {"0", "-3", "-0", "-0.0"});
    row("{'enum':['a',1,null,{'b':[1,2]}]}", {"'a'", "1", "null", "{'b':[1,2]}"}, {"'b'"});
    row("{'type':'string','enum':['a',1]}", {"'a'"}, {"1"});
    row("{'const':'a\\nb'}", {"'a\\nb'"}, {"'a'"});
    row("{'enum':['a','b'],'const':'b'}", {"'b'"}, {"'a'"});

    row("{'type':'object'}", {"{}", "{ }", "{'a':1}", "{'a' : 1,\n  'b':{}}"}, {"{'a'}", "{,}", "{'a':1,}"});
    row("{'properties':{'a':{'type':'integer'},'b':{'type':'null'}},'required':['a','b'],"
        "'additionalProperties':false}",
        {"{'a':1,'b':null}", "{ 'a': 1, 'b': null }"},
        {"{'b':null,'a':1}", "{'a':1}", "{}", "{'a':1,'b':null,'c':1}"});
    row("{'properties':{'a':{},'b':{},'c':{}},'additionalProperties':false}",
        {"{}", "{'a':1}", "{'b':1}", "{'c':1}", "{'a':1,'b':1}", "{'a':1,'c':1}", "{'b':1,'c':1}",
         "{'a':1,'b':1,'c':1}"},
        {"{'b':1,'a':1}", "{,'a':1}", "{'a':1,}", "{'a':1,'a':1}"});
    row("{'properties':{'a':{},'b':{},'c':{}},'required':['b'],'additionalProperties':false}",
        {"{'b':1}", "{'a':1,'b':1}", "{'b':1,'c':1}", "{'a':1,'b':1,'c':1}"},
        {"{}", "{'a':1,'c':1}", "{'c':1}"});
    row("{'properties':{'name':{'type':'integer'}}}",
        {"{}", "{'name':1}", "{'name':1,'nam':'x'}", "{'names':2}", "{'x':1,'y':2}", "{'':3}", "{'\\'':1}"},
        {"{'name':'x'}", "{'name':1,'name':2}", "{'x':1,'name':'x'}", "{'n\\u0061me':'x'}",
         "{'x':1,'name':1}"});
    row("{'properties':{'a':{'type':'null'}},'additionalProperties':{'type':'boolean'}}",
        {"{'a':null,'b':true}"}, {"{'a':true}", "{'b':null}"});
    row("{'required':['x','y'],'properties':{'y':{'type':'null'}}}", {"{'y':null,'x':[1],'z':0}"},
        {"{'x':1}", "{}"});
    row("{'properties':{'a':false,'b':{}},'additionalProperties':{}}", {"{}", "{'b':1}", "{'ab':1}"},
        {"{'a':1}"});
    row("{'properties':{'a':{},'b':{}},'additionalProperties':false,'minProperties':1}",
        {"{'a':1}", "{'b':1}"}, {"{}"});
    row("{'type':'object','minProperties':1,'maxProperties':2}", {"{'a':1}", "{'a':1,'b':2}"},
        {"{}", "{'a':1,'b':2,'c':3}"});
    row("{'properties':{'a':{}},'required':['a'],'minProperties':2,'maxProperties':3}", {"{'a':1,'b':2}"},
        {"{'a':1}", "{'a':1,'b':1,'c':1,'d':1}"});
    row("{'patternProperties':{'^x':{'type':'integer'}},'additionalProperties':false}", {"{}", "{'x1':1}"},
        {"{'y':1}", "{'x':'a'}"});

    row("{'type':'array'}", {"[]", "[ ]", "[1, 'a',\n  []]"}, {"[1,]", "[,1]"});
    row("{'items':{'type':'integer'},'minItems':1,'maxItems':3}", {"[1]", "[1,2]", "[ 1, 2, 3 ]"},
        {"[]", "[1,2,3,4]", "['a']"});
    row("{'type':'array','maxItems':0}", {"[]"}, {"[1]"});
    row("{'prefixItems':[{'type':'integer'},{'type':'string'}],'items':false}", {"[]", "[1]", "[1,'a']"},
        {"['a']", "[1,'a',2]", "[1,2]"});
    row("{'prefixItems':[{'type':'integer'},{'type':'string'}],'items':{'type':'null'},'minItems':2}",
        {"[1,'a']", "[1,'a',null]", "[1,'a',null,null]"}, {"[1]", "[1,'a',1]"});
    row("{'items':[{'type':'integer'}],'additionalItems':{'type':'null'}}", {"[]", "[1]", "[1,null]"},
        {"[null]"});
    row("{'prefixItems':[{'type':'integer'},false]}", {"[]", "[1]"}, {"[1,1]"});
    row("{'type':'array','items':{'enum':['a','b','c']},'uniqueItems':true,'minItems':1}",
        {"['a']", "['c','a']", "['b','a','c']"}, {"[]", "['a','a']", "['a','b','a']"});

    row("{'anyOf':[{'type':'integer'},{'type':'null'},false]}", {"1", "null"}, {"'a'"});
    row("{'type':'object','properties':{'a':{},'b':{}},'additionalProperties':false,"
        "'anyOf':[{'required':['a']},{'required':['b']}]}",
        {"{'a':1}", "{'b':1}", "{'a':1,'b':1}"}, {"{}"});
    row("{'oneOf':[{'type':'integer'},{'type':'string'},{'const':null}]}", {"1", "'a'", "null"}, {"true"});
    row("{'oneOf':[{'properties':{'k':{'const':'a'}},'required':['k'],'type':'object','additionalProperties':"
        "false},"
        "{'$ref':'#/$defs/"
        "B'}],'$defs':{'B':{'type':'object','properties':{'k':{'enum':['b','c']}},'required':['k'],"
        "'additionalProperties':false}}}",
        {"{'k':'a'}", "{'k':'c'}"}, {"{'k':'d'}"});
    row("{'allOf':[{'$ref':'#/definitions/a'},{'properties':{'y':{'type':'null'}},'required':['y']}],"
        "'definitions':{'a':{'type':'object','properties':{'x':{'type':'integer'}},'required':['x']}}}",
        {"{'x':1,'y':null}", "{'x':1,'y':null,'z':0}"}, {"{'x':1}", "{'y':null}"});
    row("{'allOf':[{'type':'number','minimum':3},{'type':'integer','maximum':5}]}", {"3", "5"},
        {"2", "6", "3.5"});
    row("{'allOf':[{'properties':{'a':{'type':'number'}}},{'properties':{'a':{'minimum':1,'maximum':2}},"
        "'required':['a'],'additionalProperties':false}]}",
        {"{'a':1}", "{'a':1.5}"}, {"{'a':0}", "{}", "{'a':1,'b':2}"});
    row("{'$ref':'#/$defs/n','minimum':5,'$defs':{'n':{'type':'integer','maximum':6}}}", {"5", "6"},
        {"4", "7"});
    row("{'$ref':'#/$defs/a~1b%25','$defs':{'a/b%':{'const':1}}}", {"1"}, {"2"});
    row("{'type':'object','properties':{'next':{'$ref':'#'}},'additionalProperties':false}",
        {"{}", "{'next':{'next':{}}}"}, {"{'next':1}"});
  }
  void answers() {
    QFETCH(QString, schema);
    QFETCH(QStringList, accepted);
    QFETCH(QStringList, refused);
    const std::string text = quotedText(schema);
    const Grammar grammar = schemaGrammar(text);
    Recogniser recogniser(grammar);
    for (const QString& answer : accepted)
      QVERIFY2(recogniser.accepts(quotedText(answer)), qPrintable(answer));
    for (const QString& answer : refused)
      QVERIFY2(!recogniser.accepts(quotedText(answer)), qPrintable(answer));
  }

  void refused_data() {
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* schema, const char* words) {
      QTest::newRow(schema) << QString::fromUtf8(schema) << QByteArray(words);
    };
    row("{", "this is not JSON");
    row("1", "neither an object nor true");
    row("{'type':'string','type':'null'}", "\"type\" stands there twice");
    row("false", "no value satisfies it");
    row("{'properties':{'a':{'not':{}}}}", "at /properties/a: the keyword \"not\" is not followed");
    row("{'if':{}}", "the keyword \"if\"");
    row("{'dependentRequired':{}}", "\"dependentRequired\"");
    row("{'contains':{}}", "\"contains\"");
    row("{'propertyNames':{}}", "\"propertyNames\"");
    row("{'unevaluatedProperties':false}", "\"unevaluatedProperties\"");
    row("{'items':{'$id':'x'}}", "\"$id\" within a schema");
    row("{'type':'text'}", "\"type\" should be");
    row("{'type':[]}", "\"type\" should be");
    row("{'properties':[]}", "\"properties\" should be");
    row("{'required':[1]}", "\"required\" should be");
    row("{'minLength':-1}", "\"minLength\" should be");
    row("{'minLength':1.5}", "\"minLength\" should be");
    row("{'enum':1}", "\"enum\" should be");
    row("{'anyOf':[]}", "\"anyOf\" should be");
    row("{'minimum':'1'}", "\"minimum\" should be");
    row("{'items':1}", "at /items: a schema should be");
    row("{'type':'string','minLength':3,'maxLength':2}", "no value satisfies it");
    row("{'type':'integer','minimum':3,'maximum':2}", "no value satisfies it");
    row("{'type':'string','enum':[1]}", "no value satisfies it");
    row("{'required':['a'],'additionalProperties':false}", "no value satisfies it");
    row("{'allOf':[{'type':'string'},{'type':'null'}]}", "no value satisfies it");
    row("{'anyOf':[false]}", "no value satisfies it");
    row("{'type':'number','minimum':0.5}", "\"minimum\" of a number should be a whole number");
    row("{'type':'number','multipleOf':0.1}", "\"multipleOf\" of 0.1");
    row("{'type':'integer','multipleOf':7}", "\"multipleOf\" of 7");
    row("{'type':'integer','minimum':1e16}", "more than 15 digits");
    row("{'pattern':'(?=a)'}", "at /pattern: the regular expression has a look-around at character 1");
    row("{'pattern':'a','maxLength':3}", "\"minLength\" and \"maxLength\" beside a pattern");
    row("{'pattern':'a','format':'date'}", "\"pattern\" beside \"format\"");
    row("{'enum':['a'],'minLength':1}", "\"minLength\" beside \"enum\"");
    row("{'items':{'type':'string'},'uniqueItems':true}", "\"uniqueItems\"");
    row("{'items':{'enum':[1,2,3,4,5,6]},'uniqueItems':true}", "\"uniqueItems\"");
    row("{'oneOf':[{'type':'integer'},{'type':'number'}]}", "at /oneOf/1: a value may satisfy");
    row("{'oneOf':[{'required':['a']},{'required':['b']}]}", "at /oneOf/1: a value may satisfy");
    row("{'allOf':[{'pattern':'a'},{'pattern':'b'}]}", "both have \"pattern\"");
    row("{'allOf':[{'anyOf':[{'type':'null'}]},{'anyOf':[{}]}]}", "both have \"anyOf\"");
    row("{'properties':{'a':{},'b':{}},'minProperties':2}", "\"minProperties\"");
    row("{'type':'object','minProperties':2}", "\"minProperties\"");
    row("{'properties':{'a':{},'b':{}},'maxProperties':1}", "\"maxProperties\"");
    row("{'patternProperties':{'a':{},'b':{}}}", "\"patternProperties\"");
    row("{'patternProperties':{'a':{}},'required':['a']}", "\"patternProperties\"");
    row("{'$ref':'other.json'}", "it is no pointer into this schema");
    row("{'$ref':'#/nowhere'}", "leads to no schema");
    row("{'$ref':'#/type','type':'string'}", "leads to no schema");
    row("{'$ref':1}", "\"$ref\" should be a text");
    row("{'$ref':'#'}", "refers to itself without a value between");
    row("{'anyOf':[{'$ref':'#'},{'type':'null'}]}", "refers to itself without a value between");
    row("{'$ref':'#/$defs/b','$defs':{'a':{'anyOf':[{'$ref':'#/$defs/b'},{'type':'null'}]},"
        "'b':{'anyOf':[{'items':{'$ref':'#/$defs/a'}},{'$ref':'#/$defs/a'}]}}}",
        "refers to itself without a value between");
    row("{'allOf':[{'$ref':'#'}]}", "deeper than 64");
    row("{'allOf':[{'$ref':'#'},{'$ref':'#'}]}", "deeper than 64");
    row("{'properties':{'a':{'$ref':'#'}},'required':['a']}", "needs itself, so that no answer ever ends");
    row("{'type':'string','maxLength':1000000}", "more than 100000 parts");
    row("{'items':{'type':'null'},'maxItems':200000}", "more than 100000 parts");
  }
  void refused() {
    QFETCH(QString, schema);
    QFETCH(QByteArray, words);
    VERIFY_REFUSED(schemaGrammar(quotedText(schema)), "invalid_argument", words.toStdString());
  }

  // Small schemas that grow with each level are refused in a moment.
  void limits() {
    std::string deep, tooDeep;
    QVERIFY(!schemaGrammar(nestedLists(60, deep)).rules.empty());
    VERIFY_REFUSED(schemaGrammar(nestedLists(70, tooDeep)), "invalid_argument", "deeper than 64");
    VERIFY_REFUSED(schemaGrammar(std::string(kLongestGrammar + 1, ' ')), "invalid_argument", "65536 bytes");
    const auto begin = std::chrono::steady_clock::now();
    for (const char* const keyword : {"allOf", "anyOf", "oneOf"}) {
      Json schema = {{"$ref", "#/$defs/0"}, {"minimum", 0}, {"$defs", Json::object()}};
      for (int level = 0; level < 40; ++level) {
        const Json next = {{"$ref", "#/$defs/" + std::to_string(level + 1)}, {"maximum", 5}};
        schema["$defs"][std::to_string(level)] = {{keyword, {next, next}}, {"type", "integer"}};
      }
      schema["$defs"]["40"] = {{"type", "integer"}};
      VERIFY_REFUSED(schemaGrammar(schema.dump()), "invalid_argument", "the JSON schema");
    }
    Json chain = {{"$ref", "#/$defs/0"}, {"$defs", Json::object()}};
    for (int level = 0; level < 1000; ++level)
      chain["$defs"][std::to_string(level)] = {{"$ref", "#/$defs/" + std::to_string(level + 1)}};
    chain["$defs"]["1000"] = {{"const", 1}};
    QVERIFY(Recogniser(schemaGrammar(chain.dump())).accepts("1"));
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  }

  void rulesHaveNamesForPeople() {
    const Grammar grammar = schemaGrammar(quotedText(
        "{'properties':{'person':{'properties':{'name':{'type':'string'}},'required':['name']},"
        "'tags':{'items':{'$ref':'#/$defs/Tag'}}},'$defs':{'Tag':{'type':'string','maxLength':3}}}"));
    std::set<std::string> names;
    for (const Grammar::Rule& rule : grammar.rules)
      QVERIFY2(names.insert(rule.name).second, rule.name.c_str());
    for (const char* const name : {"answer", "person", "person.name", "string", "tags", "item of tags", "Tag",
                                   "other key of person", "blanks", "character"})
      QVERIFY2(names.contains(name), name);
    QCOMPARE(grammar.rules[static_cast<std::size_t>(grammar.root)].name, std::string("answer"));
  }

  void jsonIsAnyObject() {
    const Grammar grammar = jsonGrammar();
    Recogniser recogniser(grammar);
    QVERIFY(recogniser.accepts("{}") && recogniser.accepts("{\"a\": [1, {\"b\": null}], \"a\": \"\"}"));
    QVERIFY(!recogniser.accepts("[]") && !recogniser.accepts("{\"a\"}") && !recogniser.accepts(""));
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      const std::string text = Derivation(grammar, seed).text();
      QVERIFY2(Json::parse(text, nullptr, false).is_object(), text.c_str());
    }
  }

  void answersOfAnySchemaAreValid() {
    int followed = 0, checked = 0;
    for (std::uint32_t seed = 0; seed < 700; ++seed) {
      const Json schema = RandomSchema(seed).schema();
      Grammar grammar;
      try {
        grammar = schemaGrammar(schema.dump());
      } catch (const EngineError& error) {
        if (qEnvironmentVariableIsSet("SHOW_REFUSED")) qInfo("%s", error.what());
        continue;
      }
      ++followed;
      const SchemaCheck check(schema);
      for (std::uint32_t i = 0; i < 10; ++i) {
        const std::string text = Derivation(grammar, seed * 1000 + i).text();
        const Json value = Json::parse(text, nullptr, false);
        const std::string shown = schema.dump() + "\n" + text;
        QVERIFY2(!value.is_discarded() && check.isValid(value), shown.c_str());
        ++checked;
      }
    }
    qInfo("%d schemas of 700, %d answers", followed, checked);
    QVERIFY(followed > 400);
  }
};

QTEST_APPLESS_MAIN(TestSchemaGrammar)
#include "tst_schema_grammar.moc"
