// The automaton, its states and the masks over a vocabulary, against slow readers of the same grammars: for
// random grammars and texts, and for those that have gone wrong elsewhere.
#include <QTest>
#include <random>

#include "grammar/derive.h"
#include "grammar/gbnf.h"
#include "grammar/grammar_guide.h"
#include "grammar/random_grammar.h"
#include "grammar/utf8_ranges.h"
#include "vitrine/error.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Every byte, some texts, and parts of characters.
std::vector<std::string> someVocabulary(Random& random) {
  std::vector<std::string> tokens = {""};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(std::string(1, static_cast<char>(byte)));
  for (int i = 0; i < 200; ++i) {
    std::string text = someText(random, 4) + (below(random, 4) == 0 ? " a" : "");
    if (below(random, 3) == 0 && text.size() > 1) text.erase(0, 1);
    if (below(random, 3) == 0 && text.size() > 1) text.pop_back();
    if (below(random, 6) == 0) text.insert(0, " ");
    tokens.push_back(text);
  }
  return tokens;
}

bool has(const TokenMask& mask, std::size_t token) { return (mask[token / 64] >> token % 64 & 1) != 0; }

QByteArray refusal(const char* source) {
  try {
    const Automaton automaton(parseGbnf(source));
    return "taken";
  } catch (const EngineError& error) {
    return error.what();
  }
}

}  // namespace

class TestGrammarMatcher : public QObject {
  Q_OBJECT

 private slots:
  // Each code point has exactly one way, and no bytes that are not UTF-8 have any.
  void rangesOfCharactersAreWhole() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
      const char32_t ends[] = {0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
      const auto pick = [&]() -> char32_t {
        const char32_t code = below(random, 3) == 0 ? ends[below(random, 10)] : random() % 0x110000;
        return code >= 0xD800 && code <= 0xDFFF ? 0xE000 : code;
      };
      const char32_t a = pick(), b = pick();
      for (const CodeRange& range : oneOf({{std::min(a, b), std::max(a, b)}}).ranges) {
        const std::vector<Utf8Range> all = utf8RangesOf(range);
        const auto ways = [&](char32_t code) {
          std::string bytes;
          utf8::append(bytes, code);
          return std::ranges::count_if(all, [&](const Utf8Range& one) {
            if (one.length != static_cast<int>(bytes.size())) return false;
            for (std::size_t k = 0; k < bytes.size(); ++k) {
              const auto byte = static_cast<std::uint8_t>(bytes[k]);
              if (byte < one.bytes[k].first || byte > one.bytes[k].second) return false;
            }
            return true;
          });
        };
        for (const char32_t code :
             {range.first, range.last, static_cast<char32_t>((range.first + range.last) / 2)})
          if (code < 0xD800 || code > 0xDFFF) QCOMPARE(ways(code), 1);
        if (range.first > 0 && range.first != 0xE000) QCOMPARE(ways(range.first - 1), 0);
        if (range.last < 0x10FFFF && range.last != 0xD7FF) QCOMPARE(ways(range.last + 1), 0);
        std::uint64_t characters = 0;
        for (const Utf8Range& one : all) {
          std::uint64_t product = 1;
          for (int k = 0; k < one.length; ++k)
            product *= 1U + one.bytes[static_cast<std::size_t>(k)].second -
                       one.bytes[static_cast<std::size_t>(k)].first;
          characters += product;
        }
        QCOMPARE(characters, std::uint64_t{range.last} - range.first + 1);
      }
    }
  }

  void textsAreTakenAsTheReferenceTakesThem() {
    Random random(2);
    int taken = 0;
    for (int i = 0; i < 600; ++i) {
      const Grammar grammar = someGrammar(random);
      std::unique_ptr<Automaton> automaton;
      try {
        automaton = std::make_unique<Automaton>(grammar);
      } catch (const EngineError&) {
        continue;  // a rule that never ends, or begins with itself by way of an empty one
      }
      GrammarMatcher matcher(*automaton);
      for (int text = 0; text < 60; ++text) {
        const std::string bytes = someText(random, 8);
        const bool wanted = Recogniser(grammar).accepts(bytes);
        QVERIFY2(matcher.mayEnd(matcher.advance(matcher.start(), bytes)) == wanted,
                 (toGbnf(grammar) + "\n" + bytes).c_str());
        taken += wanted ? 1 : 0;
      }
      // GBNF has the same language.
      const Automaton again(parseGbnf(toGbnf(grammar)));
      GrammarMatcher other(again);
      for (int text = 0; text < 10; ++text) {
        const std::string bytes = someText(random, 6);
        QCOMPARE(other.mayEnd(other.advance(other.start(), bytes)),
                 matcher.mayEnd(matcher.advance(matcher.start(), bytes)));
      }
    }
    QVERIFY2(taken > 1500, QByteArray::number(taken).constData());
  }

  // A token is allowed exactly when its bytes lead somewhere; along random answers, also after forgetting.
  void masksAllowWhatGoesOn() {
    Random random(3);
    int steps = 0;
    for (int i = 0; i < 150; ++i) {
      const Grammar grammar = someGrammar(random);
      const std::vector<std::string> tokens = someVocabulary(random);
      const bool dropsSpace = below(random, 2) == 0;
      std::unique_ptr<GrammarGuide> guide;
      try {
        guide = std::make_unique<GrammarGuide>(grammar, std::make_shared<TokenTrie>(tokens, dropsSpace));
      } catch (const EngineError&) {
        continue;
      }
      const Automaton automaton(grammar);
      GrammarMatcher matcher(automaton);
      std::string text;
      std::vector<TokenId> output;
      GrammarPlace place;
      for (int step = 0; step < 12; ++step, ++steps) {
        const auto state = guide->stateAfter(place, output);
        const auto here = matcher.advance(matcher.start(), text);
        QCOMPARE(guide->mayEnd(state), matcher.mayEnd(here));
        QCOMPARE(guide->isOver(state), matcher.isOver(here));
        const TokenMask mask = guide->allowed(state, output.size());
        std::vector<std::size_t> allowed;
        for (std::size_t token = 0; token < tokens.size(); ++token) {
          std::string_view bytes = tokens[token];
          if (output.empty() && dropsSpace && bytes.starts_with(' ')) bytes.remove_prefix(1);
          const bool wanted = !bytes.empty() && matcher.advance(here, bytes) != GrammarMatcher::kDead;
          QVERIFY2(has(mask, token) == wanted,
                   (toGbnf(grammar) + "\nafter " + text + "\ntoken " + tokens[token]).c_str());
          const auto next = guide->advance(state, static_cast<TokenId>(token), output.size());
          QCOMPARE(next != GrammarMatcher::kDead, wanted);
          if (wanted) allowed.push_back(token);
        }
        if (allowed.empty()) {
          QVERIFY(guide->isOver(state));  // with all bytes in the vocabulary, something always goes on
          break;
        }
        const std::size_t token = allowed[random() % allowed.size()];
        const bool drops = output.empty() && dropsSpace && tokens[token].starts_with(' ');
        text += drops ? tokens[token].substr(1) : tokens[token];
        output.push_back(static_cast<TokenId>(token));
        if (below(random, 4) == 0) place = {};  // it is read anew
      }
    }
    QVERIFY(steps > 500);
  }

  void brokenRulesAreRefusedByName() {
    QVERIFY(refusal("root ::= list\nlist ::= \"a\" list").contains("the rule \"list\" never ends"));
    QVERIFY(refusal("root ::= sum\nsum ::= sum \"+\" [0-9] | [0-9]")
                .contains("the rule \"sum\" begins with itself"));
    QVERIFY(refusal("root ::= b\nb ::= c* b \"x\" | \"\"\nc ::= \"y\"").contains("\"b\" begins with itself"));
    QVERIFY(refusal("root ::= a\na ::= b \"x\" | \"y\"\nb ::= a").contains("begins with itself"));
    QVERIFY(refusal("root ::= (\"a\"{1000}){1000}").contains("too large"));
    QCOMPARE(refusal("root ::= (\"a\"*)* | \"b\" root"), "taken");
  }

  void manyRulesInAChainAreCompiledInNoTime() {
    std::string source = "root ::= r0\n";
    for (int i = 0; i < 2500; ++i)
      source += "r" + std::to_string(i) + " ::= r" + std::to_string(i + 1) + "\n";
    source += "r2500 ::= \"y\"\n";
    const Automaton automaton(parseGbnf(source));
    GrammarMatcher matcher(automaton);
    QVERIFY(matcher.isOver(matcher.advance(matcher.start(), "y")));
  }

  // As many ways as a text has brackets to the power of two: a bounded number is followed.
  void anAmbiguousGrammarStaysBounded() {
    const Automaton automaton(parseGbnf("root ::= s\ns ::= \"a\" s | \"a\" s s | \"a\" s s s | \"a\""));
    GrammarMatcher matcher(automaton);
    auto state = matcher.start();
    for (int i = 0; i < 200; ++i) {
      state = matcher.advance(state, 'a');
      QVERIFY(state != GrammarMatcher::kDead && matcher.ways(state).size() <= GrammarMatcher::kMostWays);
    }
  }

  void aPlaceIsNamedForPeople() {
    const Automaton automaton(
        parseGbnf("root ::= \"{\" pair (\",\" pair)* \"}\"\n"
                  "pair ::= key \":\" number \";\"\nkey ::= [a-z]+\nnumber ::= \"-\"? [0-9]+"));
    GrammarMatcher matcher(automaton);
    const auto at = [&](std::string_view text) { return matcher.advance(matcher.start(), text); };
    QCOMPARE(matcher.rulesAt(at("{")), (std::vector<std::string>{"root", "pair", "key"}));
    QCOMPARE(matcher.expectedAt(at("{"), 8), "a-z");
    QCOMPARE(matcher.rulesAt(at("{a:")), (std::vector<std::string>{"root", "pair", "number"}));
    QCOMPARE(matcher.expectedAt(at("{a:"), 8), "- 0-9");
    QCOMPARE(matcher.expectedAt(at("{a:1;"), 8), ", }");
    QCOMPARE(matcher.expectedAt(at("{a:1"), 1), "0-9 …");
  }
};

QTEST_GUILESS_MAIN(TestGrammarMatcher)
#include "tst_grammar_matcher.moc"
