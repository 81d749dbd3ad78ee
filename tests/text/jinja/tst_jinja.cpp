// The interpreter of Jinja: each part of the language, errors and their places, bounds, and where bytes come
// from. tst_jinja_as_python compares far more with Jinja itself.
#include "jinja_support.h"

#include <QElapsedTimer>
#include <QTest>

using namespace vitrine;
using namespace vitrine::jinja;
using namespace vitrine::test;

namespace {

const nlohmann::ordered_json& variables() {
  static const auto json = nlohmann::ordered_json::parse(
      "{\"name\": \"World\", \"zero\": 0, \"three\": 3, \"pi\": 3.25, \"yes\": true, \"nothing\": null, "
      "\"empty\": [],"
      " \"numbers\": [3, 1, 2], \"words\": [\"pear\", \"Apple\", \"fig\"], \"unicode\": \"ÄÖ日本😀\","
      " \"person\": {\"name\": \"Ada\", \"age\": 36, \"items\": \"a key\"},"
      " \"messages\": [{\"role\": \"system\", \"content\": \"Be brief.\"},"
      "                {\"role\": \"user\", \"content\": \" Hi \"}, {\"role\": \"assistant\", \"content\": "
      "\"Yes?\"}],"
      " \"tree\": [{\"n\": 1, \"below\": [{\"n\": 2, \"below\": []}, {\"n\": 3, \"below\": []}]}]}");
  return json;
}

std::string rendered(const std::string& text) {
  return Template::parse(text).render(variablesOf(variables()), testOptions()).text;
}

// The kind of a refusal, its place and its words: "syntax 1:4 ...".
std::string errorOf(const std::string& text, const RenderOptions& options = testOptions()) {
  try {
    Template::parse(text).render(variablesOf(variables(), Mark::ofInput(1)), options);
  } catch (const TemplateError& error) {
    const char* kinds[] = {"syntax", "failed", "limit", "refused"};
    return std::string(kinds[static_cast<int>(error.kind())]) + " " + std::to_string(error.line()) + ":" +
           std::to_string(error.column()) + " " + error.problem();
  }
  return "no error";
}

void row(const char* name, const char* text, const char* wanted) {
  QTest::newRow(name) << QByteArray(text) << QByteArray(wanted);
}

// The pieces of a rendering of `messages`, each of which carries its index as its origin: the template's
// bytes as they are, those of message 1 as "<1:...>", each with "@owner" where it has one, and "|" between.
std::string markedPieces(const std::string& text) {
  Values messages;
  std::int32_t index = 0;
  for (const auto& message : variables()["messages"])
    messages.push_back(fromJson(message, Mark::ofInput(index++)));
  const Rendered output =
      Template::parse(text).render({{"messages", Value::list(messages)},
                                    {"bos", Value::string("<s>")},
                                    {"question", Value::string(MarkedText("<|x|>", Mark::ofInput()))}});
  std::string result;
  std::size_t at = 0;
  for (const Piece& piece : output.pieces) {
    if (!result.empty()) result += "|";
    const std::string bytes = output.text.substr(at, piece.bytes);
    at += piece.bytes;
    const std::string origin = piece.origin == kNoOrigin ? "?" : std::to_string(piece.origin);
    result += piece.fromInput ? "<" + origin + ":" + bytes + ">" : bytes;
    if (piece.owner != kNoOrigin) result += "@" + std::to_string(piece.owner);
  }
  return at == output.text.size() ? result : "the pieces do not cover the text";
}

// The places of the pieces: "line:column" of each.
std::string placesOfPieces(const std::string& text) {
  std::string result;
  for (const Piece& piece : Template::parse(text).render(variablesOf(variables())).pieces)
    result += (result.empty() ? "" : " ") + std::to_string(piece.line) + ":" + std::to_string(piece.column);
  return result;
}

}  // namespace

class TestJinja : public QObject {
  Q_OBJECT

 private slots:
  void renders_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    // White space, as trim_blocks and lstrip_blocks have it.
    row("plain text", "Hello", "Hello");
    row("last line end goes", "Hello\n", "Hello");
    row("only one of them", "Hello\n\n", "Hello\n");
    row("line ends", "a\r\nb\rc", "a\nb\nc");
    row("block on its line", "a\n  {% if yes %}\nb\n  {% endif %}\nc", "a\nb\nc");
    row("output keeps its space", "a\n  {{ name }}\nb", "a\n  World\nb");
    row("minus", "a \n {%- if yes -%} \n b {%- endif %} c", "ab c");
    row("plus", "a\n  {%+ if yes +%}\nb{% endif %}", "a\n  \nb");
    row("comment", "a{# {{ x }} #}\nb{#- c -#}  d", "abd");
    row("raw", "{% raw %}{{ x }}{% endraw %}", "{{ x }}");
    row("raw with signs", "a {%- raw -%} {{ b }} {%- endraw %} c", "a{{ b }} c");
    row("minus at output", "a {{- name -}} b", "aWorldb");
    // Statements.
    row("if", "{% if zero %}a{% elif three %}b{% else %}c{% endif %}", "b");
    row("inline if", "{{ 'a' if yes }}{{ 'b' if zero }}{{ 'c' if zero else 'd' }}", "ad");
    row("set", "{% set x, y = 1, 'b' %}{{ x }}{{ y }}", "1b");
    row("set block", "{% set x %}a{{ name }}{% endset %}{{ x|upper }}", "AWORLD");
    row("set block with filter", "{% set x | upper | replace('A', 'o') %}aba{% endset %}{{ x }}", "oBo");
    row("loop scope", "{% set x = 1 %}{% for i in [1, 2] %}{% set x = i * 5 %}{{ x }}{% endfor %}{{ x }}",
        "5101");
    row("if has no scope", "{% if yes %}{% set x = 2 %}{% endif %}{{ x }}", "2");
    row("namespace",
        "{% set ns = namespace(n=0) %}{% for i in numbers %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}",
        "6");
    row("for else", "{% for x in empty %}a{% else %}b{% endfor %}", "b");
    row("for if", "{% for x in numbers if x > 1 %}{{ x }}{{ loop.index }}{{ loop.length }}{% endfor %}",
        "312222");
    row("unpacking", "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "123");
    row("loop",
        "{% for x in words %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}"
        "{{ loop.last }}{{ loop.cycle('x', 'y') }} {% endfor %}",
        "032TrueFalsex 121FalseFalsey 210FalseTruex ");
    row("neighbours", "{% for x in numbers %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {% endfor %}",
        "<3>1 3<1>2 1<2> ");
    row("changed", "{% for x in [1, 1, 2] %}{{ loop.changed(x) }} {% endfor %}", "True False True ");
    row("recursive",
        "{% for x in tree recursive %}{{ loop.depth }}{{ x.n }}({{ loop(x.below) }}){% endfor %}",
        "11(22()23())");
    row("break", "{% for x in numbers %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}", "3");
    row("continue", "{% for x in numbers %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}",
        "32");
    row("macro",
        "{% macro m(a, b='B', c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m('A') }} {{ m(1, c=3) }}",
        "ABA 1B3");
    row("varargs", "{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}",
        "(2, 3){'x': 4}");
    row("recursive macro",
        "{% macro f(n) %}{{ n }}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "3210");
    row("call block",
        "{% macro m(x) %}[{{ caller(x) }}]{% endmacro %}{% call(y) m(3) %}<{{ y }}>{% endcall %}", "[<3>]");
    row("filter block", "{% filter upper|replace('B', '!') %}ab{{ name }}{% endfilter %}", "A!WORLD");
    row("with", "{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", "211");
    row("generation", "a{% generation %}b{% set name = 'c' %}{% endgeneration %}{{ name }}", "abWorld");
    row("print", "{% print 'a', 1 %}", "a1");
    // Expressions.
    row("arithmetic",
        "{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ 1 + 2.0 }}",
        "3 -4 2 3.5 1024 0.5 3.0");
    row("floats", "{{ 1e16 }} {{ 0.1 + 0.2 }} {{ 1e-5 }} {{ 100.0 }} {{ 1.5e300 }}",
        "1e+16 0.30000000000000004 1e-05 100.0 1.5e+300");
    row("repeated", "{{ 'ab' * 3 }}{{ 2 * [1] }}", "ababab[1, 1]");
    row("comparison chain", "{{ 1 < 2 < 3 }} {{ 1 < 3 > 5 }} {{ 1 == 1.0 }} {{ 'a' < 'b' }}",
        "True False True True");
    row("logic",
        "{{ zero or 'a' }} {{ three and 'b' }} {{ not zero }} {{ 'x' in 'xyz' }} {{ 4 not in numbers }}",
        "a b True True True");
    row("concatenation", "{{ 1 ~ 'a' ~ none ~ missing }}", "1aNone");
    row("slices", "{{ numbers[1:] }}{{ 'abcdef'[::-2] }}{{ unicode[-3:-1] }}{{ unicode[2] }}",
        "[1, 2]fdb日本日");
    row("attributes", "{{ person.name }}{{ person['age'] }}{{ person.items() | list }}",
        "Ada36[('name', 'Ada'), ('age', 36), ('items', 'a key')]");
    row("repr", "{{ [1, 'a', \"it's\", none, true, 1.0, {'k': (1,)}] }}",
        "[1, 'a', \"it's\", None, True, 1.0, {'k': (1,)}]");
    row("undefined",
        "{{ missing }}{{ person.none }}{% for x in missing %}a{% endfor %}{{ missing is defined }}", "False");
    row("literals", "{{ 0x1F + 0b11 + 0o17 + 1_000 }}{{ '\\u00e4\\x41\\n' }}", "1049äA\n");
    row("safe", "{{ ('<b>'|safe) + '<i>' }}", "<b>&lt;i&gt;");
    // Tests, filters and methods.
    row("tests",
        "{{ 1 is odd }}{{ 4 is divisibleby 2 }}{{ none is none }}{{ person is mapping }}{{ 'a' is in 'ab' }}"
        "{{ 3 is not string }}",
        "TrueTrueTrueTrueTrueTrue");
    row("filters",
        "{{ words|sort|join('+') }} {{ words|map('upper')|list }} {{ numbers|sum }} {{ ' a '|trim }}",
        "Apple+fig+pear ['PEAR', 'APPLE', 'FIG'] 6 a");
    row("selectattr", "{{ messages|selectattr('role', 'equalto', 'user')|map(attribute='content')|first }}",
        " Hi ");
    row("groupby", "{% for g in messages|groupby('role') %}{{ g.grouper }}{{ g.list|length }} {% endfor %}",
        "assistant1 system1 user1 ");
    row("generators are read once", "{% set g = numbers|select('odd') %}{{ g|list }}{{ g|list }}",
        "[3, 1][]");
    row("indent", "{{ 'a\nb\n\nc'|indent(2) }}", "a\n  b\n\n  c");
    row("default", "{{ missing|default('d') }}{{ zero|default('e') }}{{ zero|d('f', true) }}", "d0f");
    row("tojson", "{{ {'a': [1, none], 'ü': '<\"'}|tojson }}", "{\"a\": [1, null], \"ü\": \"<\\\"\"}");
    row("tojson indent", "{{ {'a': [1]}|tojson(indent=2) }}", "{\n  \"a\": [\n    1\n  ]\n}");
    row("methods",
        "{{ 'a b  c'.split() }}{{ 'a-b-c'.rsplit('-', 1) }}{{ '-x-'.strip('-') }}{{ 'ß'.upper() }}",
        "['a', 'b', 'c']['a-b', 'c']xSS");
    row("formats", "{{ '%s has %d%%' % ('it', 3) }} {{ '{:>4}|{n:.2f}'.format(1, n=2) }}",
        "it has 3%    1|2.00");
    row("date", "{{ strftime_now('%d %B %Y, %A') }}", "09 July 2025, Wednesday");
  }

  void renders() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(rendered(text.toStdString())), wanted);
  }

  void errorsNameTheirPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    row("refused", "a\n {{ raise_exception('Roles must alternate') }}", "refused 2:5 Roles must alternate");
    row("undefined", "{{ name }}\n{{ missing.x }}", "failed 2:11 'missing' is undefined.");
    row("column in letters", "äöü {{ 1 + 'a' }}",
        "failed 1:10 '+' does not work between values of type int and str.");
    row("in a macro", "{% macro m() %}\n{{ 1 / 0 }}{% endmacro %}{{ m() }}",
        "failed 2:6 A number is divided by zero.");
    row("not callable", "{{ name() }}", "failed 1:4 A value of type str cannot be called.");
    row("immutable", "{{ numbers.append(1) }}", "failed 1:11 A template may not use 'append' of a list.");
    row("no end", "{% if a %}", "syntax 1:11 The block has no end: '{% endif %}' is missing.");
    row("wrong end", "{% for x in y %}{% endif %}",
        "syntax 1:20 The tag 'endif' is out of place: '{% endfor %}' is missing before it, or there is no "
        "such tag.");
    row("unknown tag", "{% foo %}", "syntax 1:4 The tag 'foo' is out of place: there is no such tag.");
    row("left out", "{% include 'x' %}", "syntax 1:4 The tag 'include' is not supported.");
    row("unknown filter", "{{ name|foo }}", "syntax 1:9 There is no filter 'foo'.");
    row("unknown filter in if", "{% if yes %}{{ name|foo }}{% endif %}",
        "failed 1:21 There is no filter 'foo'.");
    row("brackets", "{{ (1] }}", "syntax 1:6 ']' stands where ')' is missing.");
    row("text without end", "{{ 'a }}", "syntax 1:4 The text has no closing quotation mark.");
    row("comment without end", "\n{# a", "syntax 2:1 The comment has no end: '#}' is missing.");
    row("expression missing", "{{ 1 + }}", "syntax 1:8 an expression is missing before '}}'.");
    row("break outside", "{% break %}", "syntax 1:1 'break' stands outside of a loop.");
    row("overflow", "{{ 9223372036854775807 + 1 }}", "failed 1:24 A whole number does not fit into 64 bits.");
    row("arguments", "{{ 'a'|replace('b') }}", "failed 1:8 replace needs the argument new.");
    row("not UTF-8", "\xff", "syntax 1:1 The template is not UTF-8.");
  }

  void errorsNameTheirPlace() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(errorOf(text.toStdString())), wanted);
  }

  void theMessageBeginsWithThePlace() {
    try {
      Template::parse("{{ x");
      QFAIL("no error");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
      QCOMPARE(std::string(error.what()).rfind("line 1, column ", 0), std::size_t{0});
    }
  }

  void bytesKeepTheirOrigin_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    row("mixed", "{{ bos }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}!",
        "<s>|[@0|<0:system>@0|]@0|<0:Be brief.>@0|[@1|<1:user>@1|]@1|<1: Hi "
        ">@1|[@2|<2:assistant>@2|]@2|<2:Yes?>@2|!");
    row("concatenation", "{{ 'a' + messages[1].content + 'b' }}", "a|<1: Hi >|b");
    row("tilde", "{{ 'a' ~ messages[1].content ~ 1 }}", "a|<1: Hi >|1");
    row("trim", "{{ messages[1].content|trim }}{{ messages[1].content.strip() }}", "<1:Hi>|<1:Hi>");
    row("slice", "{{ ('ab' + messages[1].content)[1:4] }}", "b|<1: H>");
    row("split", "{{ ('a,' + messages[2].content + ',b').split(',')[1] }}", "<2:Yes?>");
    row("replace", "{{ messages[1].content.replace('H', '<|h|>') }}", "<1: >|<|h|>|<1:i >");
    row("join", "{{ messages|map(attribute='role')|join(', ') }}", "<0:system>|, |<1:user>|, |<2:assistant>");
    row("upper", "{{ ('x' ~ messages[1].content)|upper }}", "X|<1: HI >");
    row("percent", "{{ '(%s)' % messages[1].content }}", "(|<1: Hi >|)");
    row("braces", "{{ '({:>5})'.format(messages[1].content) }}", "( |<1: Hi >|)");
    row("indent", "{{ ('a\n' ~ messages[1].content)|indent(1) }}", "a\n |<1: Hi >");
    row("tojson of the input", "{{ messages[1]|tojson }}", "<1:{\"role\": \"user\", \"content\": \" Hi \"}>");
    row("tojson of the template", "{{ {'a': messages[1].role}|tojson }}", "{\"a\": |<1:\"user\">|}");
    row("repr", "{{ [messages[1].role] }}", "[|<1:'user'>|]");
    row("without a number", "{{ 'a' ~ question }}", "a|<?:<|x|>>");
    row("macro",
        "{% macro m(x) %}<{{ x.role }}>{% endmacro %}{% for x in messages[:1] %}{{ m(x) }}{% endfor %}",
        "<@0|<0:system>@0|>@0");
    row("set block", "{% set x %}a{{ messages[1].role }}{% endset %}{{ x ~ 'b' }}", "a|<1:user>|b");
    row("inner loop keeps the owner",
        "{% for m in messages[1:2] %}{% for i in [1, 2] %}{{ i }}{% endfor %}{% endfor %}", "12@1");
    row("parts of content",
        "{% for m in messages[1:2] %}{% for c in m.content.split() %}{{ c }}{% endfor %}{% endfor %}",
        "<1:Hi>@1");
    row("owner ends with the loop", "{% for m in messages[:1] %}a{% endfor %}b", "a@0|b");
  }

  void bytesKeepTheirOrigin() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    QCOMPARE(QByteArray::fromStdString(markedPieces(text.toStdString())), wanted);
  }

  void piecesNameTheirPlace() {
    QCOMPARE(placesOfPieces("ab{{ name }}\n  {% if yes %}\nx{% endif %}"), std::string("1:1 1:3 1:13 3:1"));
    // Of what a macro wrote, the place in the macro.
    QCOMPARE(placesOfPieces("{% macro m() %}\n a{{ name }}{% endmacro %}{{ m() }}"), std::string("2:1 2:3"));
  }

  void aTemplateThatExplodesEnds_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
    row("loops", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}");
    row("doubling",
        "{% set ns = namespace(s='ab') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}");
    row("doubled list",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}");
    row("repeated text", "{{ 'x' * 10**9 }}");
    row("repeated list", "{{ [1] * 10**15 }}");
    row("recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}");
    row("recursion twice", "{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}");
    row("call blocks", "{% macro m() %}{% call m() %}{% endcall %}{{ caller }}{% endmacro %}{{ m() }}");
    row("loop in itself", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}");
    row("json indent", "{{ [[1]]|tojson(indent=10**9) }}");
    row("json indent of much", "{{ range(9999)|list|tojson(indent=9999) }}");
    row("center", "{{ 'x'|center(10**9) }}");
    row("ljust", "{{ 'x'.ljust(10**15) }}");
    row("zfill", "{{ 'x'.zfill(10**15) }}");
    row("percent width", "{{ '%999999999d' % 1 }}");
    row("percent star", "{{ '%*d' % (10**15, 1) }}");
    row("brace width", "{{ '{:999999999}'.format(1) }}");
    row("brace precision", "{{ '{:.999999999f}'.format(1.0) }}");
    row("replace", "{{ ('x' * 99999).replace('x', 'y' * 99999) }}");
    row("replace nothing", "{{ ('x' * 99999).replace('', 'y' * 99999) }}");
    row("join", "{{ range(99999)|join('y' * 99999) }}");
    row("indent", "{{ ('x\n' * 99999)|indent(99999) }}");
    row("expandtabs", "{{ ('\t' * 99999).expandtabs(99999) }}");
    row("batch", "{{ [1]|batch(10**12, 0)|list }}");
    row("slice", "{{ [1]|slice(10**12)|list }}");
    row("range", "{{ range(10**15)|list }}");
    row("shared list",
        "{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}"
        "{{ ns.x }}");
    row("deep list",
        "{% set ns = namespace(x=[1]) %}{% for i in range(9999) %}{% set ns.x = [ns.x] %}{% endfor %}");
    row("shared tuple as a key",
        "{% set ns = namespace(x=(1,)) %}{% for i in range(50) %}{% set ns.x = (ns.x, ns.x) %}"
        "{% endfor %}{{ {ns.x: 1} }}");
    row("equal lists",
        "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(50) %}{% set ns.x = [ns.x, ns.x] %}"
        "{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}");
    row("namespace in itself", "{% set ns = namespace() %}{% set ns.me = [ns] %}{{ ns }}");
    row("slow search",
        "{% set a = 'a' * 4000000 %}{% for i in range(999) %}{{ (a + 'b') in a }}{% endfor %}");
    row("sorting", "{% for i in range(99) %}{{ range(99999)|sort|length }}{% endfor %}");
    row("upper", "{% set a = 'ä' * 4000000 %}{% for i in range(99) %}{{ a|upper|length }}{% endfor %}");
    row("indexing", "{% set a = 'ä' * 4000000 %}{% for i in range(9999) %}{{ a[3999999] }}{% endfor %}");
    row("power", "{{ 9 ** 9 ** 9 }}");
    row("long key",
        "{% set a = 'x' * 4000000 %}{% set d = {a: 1} %}{% for i in range(9999) %}{{ d[a] }}{% endfor %}");
    row("long needle", "{% set a = 'x' * 4000000 %}{% for i in range(9999) %}{{ a.find(a) }}{% endfor %}");
    row("marks",
        "{% set ns = namespace(s='a' ~ name) %}{% for i in range(30) %}{% set ns.s = ns.s ~ ns.s %}{% endfor "
        "%}");
    row("many arguments",
        "{% set a = range(9999)|list %}{% for i in range(9999) %}{{ loop.cycle(*a) }}{% endfor %}");
    row("arguments of map", "{{ ([[]] * 99999)|map('select', *range(9999))|list }}");
    row("equal long texts",
        "{% set a = 'x' * 2000000 %}{% set b = 'x' * 2000000 %}{{ [a] * 9999 == [b] * 9999 }}");
  }

  void aTemplateThatExplodesEnds() {
    QFETCH(QByteArray, text);
    QElapsedTimer timer;
    timer.start();
    const std::string error = errorOf(text.toStdString());
    qInfo("%lld ms: %s", static_cast<long long>(timer.elapsed()), error.c_str());
    QVERIFY2(error.rfind("limit ", 0) == 0 || error.rfind("failed ", 0) == 0, error.c_str());
  }

  void limitsAreOptions() {
    RenderOptions options = testOptions();
    options.limits.steps = 20;
    options.limits.stepsPerInput = options.limits.mostOfSquare = 0;
    QCOMPARE(errorOf("{{ 1 }}", options), std::string("no error"));
    const std::string error = errorOf("\n{% for x in range(50) %}{{ x }}{% endfor %}", options);
    QVERIFY2(error.rfind("limit 2:", 0) == 0 && error.ends_with(" The template takes more than 20 steps."),
             error.c_str());
    options.limits.stepsPerInput = 32;
    QCOMPARE(errorOf("{% for x in range(50) %}{{ x }}{% endfor %}", options), std::string("no error"));
    options = testOptions();
    options.limits.textBytes = 10;
    QCOMPARE(errorOf("{{ 'a' * 10 }}", options), std::string("no error"));
    QCOMPARE(errorOf("{{ 'a' * 5 }}{{ 'a' * 6 }}", options),
             std::string("limit 1:14 The template makes a text of more than 10 bytes."));
  }

  // Reka's copies all text before each message, Gemma's looks through all messages for each of them.
  void aLongConversationIsRenderedByTemplatesThatLookBack() {
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    for (int i = 0; i < 600; ++i) messages.push_back({{"role", "user"}, {"content", std::string(800, 'a')}});
    const nlohmann::ordered_json variables = {{"messages", messages}};
    const std::string copies =
        "{% set ns = namespace(out='') %}{% for m in messages %}{% set ns.out = ns.out ~ '<' %}"
        "{% set ns.out = ns.out ~ m.content %}{% set ns.out = ns.out ~ '>' %}{% endfor %}{{ ns.out }}";
    const std::string looks =
        "{% for m in messages %}{% set ns = namespace(n=0) %}{% for o in messages %}"
        "{% if o.role == 'user' %}{% set ns.n = ns.n + 1 %}{% endif %}{% endfor %}{{ ns.n }} {% endfor %}";
    for (const auto& [text, bytes] : {std::pair(copies, 600 * 802), std::pair(looks, 600 * 4)}) {
      const auto rendered = renderedJson(text, variables);
      QVERIFY2(rendered.contains("text"), rendered.dump().c_str());
      QCOMPARE(rendered["text"].get<std::string>().size(), static_cast<std::size_t>(bytes));
    }
  }

  void deepNestingIsRefused() {
    const auto nested = [](const char* open, const char* close, int count) {
      std::string text;
      for (int i = 0; i < count; ++i) text += open;
      for (int i = 0; i < count; ++i) text += close;
      return text;
    };
    QCOMPARE(errorOf("{{ " + nested("(", ")", 100) + "|length }}"), std::string("no error"));
    for (const std::string& text :
         {"{{ " + nested("(", ")", 9999) + " }}", "{{ " + nested("[", "]", 9999) + " }}",
          "{{ " + nested("not ", "", 9999) + "1 }}", "{{ " + nested("-", "", 9999) + "1 }}",
          "{{ 1" + nested("+1", "", 9999) + " }}", "{{ x" + nested(".x", "", 9999) + " }}",
          "{{ x" + nested("|list", "", 9999) + " }}", "{{ 1" + nested(" if 1 else 1", "", 9999) + " }}",
          nested("{% if 1 %}", "{% endif %}", 9999), nested("{% for x in [1] %}", "{% endfor %}", 9999)}) {
      const std::string error = errorOf(text);
      QVERIFY2(error.rfind("syntax 1:", 0) == 0, error.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(TestJinja)
#include "tst_jinja.moc"
