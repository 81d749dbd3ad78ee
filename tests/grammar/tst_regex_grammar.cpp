// Regular expressions as grammars: which texts they have, against PCRE2 and by hand, and what is
// refused.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "grammar/regex_grammar.h"

#include <pcre2.h>

#include <chrono>
#include <memory>
#include <optional>
#include <random>

#include "grammar/grammar_checks.h"

#include <QTest>

#include "grammar/derive.h"
#include "support/refusal.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const Grammar grammar = regexGrammar(pattern);
  return Recogniser(grammar).accepts(text);
}

bool matchesPart(std::string_view pattern, std::string_view text) {
  Grammar grammar;
  grammar.add("part", patternExpression(pattern, PatternFit::kPart));
  return Recogniser(grammar).accepts(text);
}

// The whole text, for PCRE2; nothing where it takes too long.
class OtherMatcher {
 public:
  explicit OtherMatcher(const std::string& pattern) {
    int error = 0;
    PCRE2_SIZE at = 0;
    m_code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                               PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF, &error, &at, nullptr));
    m_data.reset(pcre2_match_data_create(1, nullptr));
    m_context.reset(pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(m_context.get(), 100'000);
  }
  bool isThere() const { return m_code != nullptr; }
  std::optional<bool> matches(const std::string& text) const {
    const int result = pcre2_match(m_code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0,
                                   m_data.get(), m_context.get());
    if (result < 0 && result != PCRE2_ERROR_NOMATCH) return std::nullopt;
    return result >= 0;
  }

 private:
  struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  };
  std::unique_ptr<pcre2_code, Free> m_code;
  std::unique_ptr<pcre2_match_data, Free> m_data;
  std::unique_ptr<pcre2_match_context, Free> m_context;
};

// Patterns over a few letters, in the syntax that PCRE2 has, too.
class RandomPattern {
 public:
  explicit RandomPattern(std::uint32_t seed) : m_random(seed) {}

  std::string pattern(int depth = 3) {
    std::string text = branch(depth);
    while (below(3) == 0) text += "|" + branch(depth);
    return text;
  }
  std::string text() {
    static const char* const letters[] = {"a", "b", "c", "1", "_", " ", "-", "\n"};
    std::string text;
    for (int length = below(8); length > 0; --length) text += letters[below(below(3) == 0 ? 8 : 3)];
    return text;
  }

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

  std::string branch(int depth) {
    std::string text;
    for (int count = below(4); count > 0; --count) text += piece(depth);
    return text;
  }
  std::string piece(int depth) {
    static const char* const counts[] = {"",     "",      "",      "",   "*",  "+",  "?",      "{2}",
                                         "{1,}", "{0,1}", "{1,3}", "*?", "+?", "??", "{1,2}?", "{0}"};
    return atom(depth) + counts[below(16)];
  }
  std::string atom(int depth) {
    static const char* const atoms[] = {"a",   "b",      "c",   ".",    "\\d",   "\\w",    "\\s",
                                        "\\W", "\\S",    "\\D", "[ab]", "[^a]",  "[a-c1]", "[^\\w]",
                                        "\\-", "[\\d_]", "\\n", "[-a]", "\\x61", "[a-]",   "\\x62"};
    if (depth > 0 && below(4) == 0) return (below(2) == 0 ? "(" : "(?:") + pattern(depth - 1) + ")";
    return atoms[below(21)];
  }

  std::mt19937 m_random;
};

}  // namespace

class TestRegexGrammar : public QObject {
  Q_OBJECT

 private slots:
  void matches_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QStringList>("accepted");
    QTest::addColumn<QStringList>("refused");
    const auto row = [](const char* pattern, const QStringList& accepted, const QStringList& refused) {
      QTest::newRow(pattern) << QString::fromUtf8(pattern) << accepted << refused;
    };
    row("", {""}, {"a"});
    row("abc", {"abc"}, {"ab", "abcd", ""});
    row("^abc$", {"abc"}, {"ab", "abcd"});
    row("^a$|^b|c$", {"a", "b", "c"}, {"ab", "d"});
    row("(^a$)|((?:^b)|c$)", {"a", "b", "c"}, {"ab", "d"});
    row("\\Aab\\Z", {"ab"}, {"b"});
    row("a.c", {"abc", "a c", QString::fromUtf8("aéc")}, {"a\nc", "ac", "abbc", "a\rc"});
    row("a|bc|", {"a", "bc", ""}, {"b", "abc"});
    row("(?<year>\\d{4})-(?P<month>\\d\\d)", {"2026-11"}, {"226-11", "2026-1"});
    row("a{2}", {"aa"}, {"a", "aaa"});
    row("a{2,}", {"aa", "aaaaa"}, {"a"});
    row("a{,2}", {"", "a", "aa"}, {"aaa"});
    row("a{1,2}?b*?", {"a", "aa", "aabb"}, {"", "aaab"});
    row("a{b}{", {"a{b}{"}, {"ab"});
    row("[^a-c]", {"d", "\n", QString::fromUtf8("ü")}, {"a", "b", "c", ""});
    row("[\\w-]+", {"a-b", "_9"}, {"a b", ""});
    row("[\\]\\\\^-]+", {"]\\^-"}, {"a"});
    row("[a\\-z]+", {"a-z"}, {"b"});
    row("[\\b]", {"\b"}, {"b"});
    row("\\x41\\u0042\\u{43}\\U00000044\\cA\\0", {QString("ABCD\1") + QChar(0)}, {"ABCD"});
    row("\\ud83d\\ude00", {QString::fromUtf8("😀")}, {"a"});
    row("[😀-😂]", {QString::fromUtf8("😁")}, {QString::fromUtf8("😃")});
    row("\\.\\*\\/\\$\\^", {".*/$^"}, {"a*/$^"});
    row("\\p{Lu}\\p{L}*", {"Abc", QString::fromUtf8("Éß")}, {"abc", "A1"});
    row("[\\p{Nd}\\P{L}]", {"1", " "}, {"a"});
    row("\\s\\S\\d\\D\\w\\W", {"\tx1xa-"}, {"xx1xa-"});
    row("(a*)*", {"", "a", "aaa"}, {"b"});
    row("(|a)+b", {"b", "ab", "aab"}, {"a", ""});
    row("(a|b)*abb", {"abb", "babb", "aabbabb"}, {"ab", "abba"});
  }
  void matches() {
    QFETCH(QString, pattern);
    QFETCH(QStringList, accepted);
    QFETCH(QStringList, refused);
    for (const QString& text : accepted)
      QVERIFY2(::matches(pattern.toStdString(), text.toStdString()), qPrintable(text));
    for (const QString& text : refused)
      QVERIFY2(!::matches(pattern.toStdString(), text.toStdString()), qPrintable(text));
  }

  void aPartMatches() {
    QVERIFY(matchesPart("b", "abc") && matchesPart("b", "b") && !matchesPart("b", "ac"));
    QVERIFY(matchesPart("^b", "bc") && !matchesPart("^b", "ab"));
    QVERIFY(matchesPart("b$", "ab") && !matchesPart("b$", "bc"));
    QVERIFY(matchesPart("^b$", "b") && !matchesPart("^b$", "bb"));
    QVERIFY(matchesPart("^a|b$", "ac") && matchesPart("^a|b$", "cb") && !matchesPart("^a|b$", "cbc"));
    QVERIFY(matchesPart("b", "\nb\n") && matchesPart("", "anything"));
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* pattern, const char* words) {
      QTest::newRow(pattern) << QByteArray(pattern) << QByteArray(words);
    };
    row("a(?=b)", "a look-around at character 2");
    row("(?!b)", "a look-around at character 1");
    row("(?<=b)c", "a look-around");
    row("(?<!b)c", "a look-around");
    row("(a)\\1", "a back reference at character 4");
    row("(?P<x>a)(?P=x)", "a back reference at character 9");
    row("(?<x>a)\\k<x>", "a back reference");
    row("\\bword", "a word boundary at character 1");
    row("a\\B", "a word boundary");
    row("a^b", "an anchor that is not at an end at character 2");
    row("a$b", "an anchor that is not at an end at character 2");
    row("a(^b)", "an anchor");
    row("(a$)b", "an anchor");
    row("a++", "a possessive repetition at character 3");
    row("a**", "a repetition of a repetition at character 3");
    row("a{2}{3}", "a repetition of a repetition");
    row("(?>a)", "an atomic group");
    row("(?i)a", "flags, a condition or a comment at character 1");
    row("(?i:a)", "flags");
    row("(?#x)", "flags, a condition or a comment");
    row("(?<a", "a group's name that does not end");
    row("(a", "a bracket that is not closed at character 1");
    row("a)", "a closing bracket without its opening one at character 2");
    row("((a)", "a bracket that is not closed at character 1");
    row("[a", "a class that is not closed at character 1");
    row("[]", "a class that is empty");
    row("[^]", "a class that is empty");
    row("[z-a]", "a range that is none at character 2");
    row("[\\d-z]", "a range that is none");
    row("[[:alpha:]]", "a POSIX class at character 2");
    row("[^\\s\\S]", "a class of no characters");
    row("[^\\u{0}-\\u{d7ff}\\u{e000}-\\u{10ffff}]", "a class of no characters");
    row("*a", "a repetition of nothing at character 1");
    row("a|{2}", "a repetition of nothing at character 3");
    row("a{2,1}", "a repetition of at least 2 and at most 1 at character 2");
    row("\\", "a backslash at its end");
    row("\\y", "the unknown escape \\y at character 1");
    row("\\x4", "fewer than 2 hexadecimal digits");
    row("\\u00", "fewer than 4 hexadecimal digits");
    row("\\u{}", "\\u{ without digits");
    row("\\u{110000}", "the number of no character");
    row("\\ud800", "the number of no character");
    row("\\ud800\\u0041", "the number of no character");
    row("\\012", "an octal number");
    row("\\p{Greek}", "the unknown property \\p{Greek}");
    row("\\pL", "the unknown property");
    row("\\p{Cs}", "the unknown property \\p{Cs}");
    row("(a{1000}){1000}", "more than 100000 parts");
    row("a{999999999999}", "more than 100000 parts");
    row("a\xff", "not UTF-8 at character 2");
  }
  void refused() {
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, words);
    VERIFY_REFUSED(regexGrammar(pattern.toStdString()), "invalid_argument", words.toStdString());
  }

  void limits() {
    const std::string open(64, '('), close(64, ')');
    QVERIFY(::matches(open + "a" + close, "a"));
    VERIFY_REFUSED(regexGrammar("(" + open + "a" + close + ")"), "invalid_argument", "nested deeper than 64");
    VERIFY_REFUSED(regexGrammar(std::string(kLongestGrammar + 1, 'a')), "invalid_argument", "65536 bytes");
    std::string classes;
    while (classes.size() < 10'000) classes += "\\p{L}";
    VERIFY_REFUSED(regexGrammar(classes), "invalid_argument", "100000 ranges");
    // Brackets that no other closes are looked for once for each depth.
    const auto begin = std::chrono::steady_clock::now();
    std::string unclosed;
    while (unclosed.size() < kLongestGrammar) unclosed += "(|";
    VERIFY_REFUSED(regexGrammar(unclosed.substr(0, kLongestGrammar)), "invalid_argument", "nested deeper");
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  }

  // The same language as PCRE2 has, over texts drawn at random and over the grammar's own.
  void agreesWithAnotherMatcher() {
    int accepted = 0, refused = 0, tooLong = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
      RandomPattern random(seed);
      const std::string pattern = random.pattern();
      const Grammar grammar = regexGrammar(pattern);
      const OtherMatcher other(pattern);
      QVERIFY2(other.isThere(), pattern.c_str());
      Recogniser recogniser(grammar);
      Derivation derivation(grammar, seed);
      for (int i = 0; i < 20; ++i) {
        const bool own = i % 2 == 0;
        const std::string text = own ? derivation.text(60) : random.text();
        // \s and . know more spaces and line ends here.
        const bool plain = std::ranges::all_of(text, [](char c) { return c >= 0 && c != '\r'; });
        const std::optional<bool> expected = text.size() > 60 || !plain ? std::nullopt : other.matches(text);
        if (!expected) {
          ++tooLong;
          continue;
        }
        const std::string shown = pattern + " | " + text;
        QVERIFY2(recogniser.accepts(text) == *expected, shown.c_str());
        QVERIFY2(*expected || !own, shown.c_str());
        ++(*expected ? accepted : refused);
      }
    }
    qInfo("%d accepted, %d refused, %d left out", accepted, refused, tooLong);
    QVERIFY(accepted > 8000 && refused > 8000);
  }
};

QTEST_APPLESS_MAIN(TestRegexGrammar)
#include "tst_regex_grammar.moc"
