// Tokenizers small enough to reason about, and files that are broken on purpose.
#include "text_support.h"

#include "text/regex.h"
#include "text/unicode.h"
#include "text/utf8.h"

#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Ids = std::vector<TokenId>;

const std::string kLetters =
    "{'type':'BPE','vocab':{'a':0,'b':1,'c':2,'ab':3,'bc':4,'abc':5,'aa':6,' ':7},'merges':[['a','b'],'b "
    "c',['ab','c'],'a a']}";

Ids encoded(const std::string& json, const std::string& text, bool special = false) {
  return parse(json)->encode(text, special);
}

std::string added(const std::string& flags) {
  return "'added_tokens':[{'id':8,'content':'<x>','special':true" + flags + "}]";
}

void write(const QTemporaryDir& folder, const char* name, const std::string& content) {
  std::ofstream(std::filesystem::path(folder.path().toStdString()) / name, std::ios::binary) << content;
}

}  // namespace

class TestTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void theLowestRankMergesFirstAndTheLeftmostOfEquals() {
    QCOMPARE(encoded(tokenizerJson(kLetters), "abc"), Ids({5}));  // ab, then abc; never bc
    QCOMPARE(encoded(tokenizerJson(kLetters), "aaa"), Ids({6, 0}));
    QCOMPARE(encoded(tokenizerJson(kLetters), "aab"), Ids({0, 3}));  // ab has the lower rank
    QCOMPARE(encoded(tokenizerJson(kLetters), ""), Ids());
    QCOMPARE(encoded(tokenizerJson(kLetters), "azb"), Ids({3}));  // z is nothing without an unknown token
  }

  // Merging in quadratic time would not end within CTest's limit.
  void aWordOfAMillionLettersEnds() {
    const auto tokenizer = parse(tokenizerJson(kLetters));
    std::string text(1'000'000, 'a');
    QCOMPARE(tokenizer->encode(text, false).size(), std::size_t{500'000});
  }

  void addedTokensStripAsTheirFlagsSay() {
    QCOMPARE(encoded(tokenizerJson(kLetters, added("")), "a <x> b"), Ids({0, 7, 8, 7, 1}));
    QCOMPARE(encoded(tokenizerJson(kLetters, added(",'lstrip':true")), "a <x> b"), Ids({0, 8, 7, 1}));
    QCOMPARE(encoded(tokenizerJson(kLetters, added(",'rstrip':true")), "a <x> b"), Ids({0, 7, 8, 1}));
    QCOMPARE(encoded(tokenizerJson(kLetters, added(",'single_word':true")), "a<x>"), Ids({0}));
  }

  void specialTokensAreLeftOutOfText() {
    const auto tokenizer = parse(tokenizerJson(kLetters, added("") + ",'decoder':{'type':'Fuse'}"));
    QCOMPARE(tokenizer->decode(Ids({0, 8, 1, 99, -1}), true), std::string("ab"));
    QCOMPARE(tokenizer->decode(Ids({0, 8, 1}), false), std::string("a<x>b"));
    QVERIFY(tokenizer->isSpecial(8));
    QVERIFY(!tokenizer->isSpecial(0) && !tokenizer->isSpecial(99) && !tokenizer->isSpecial(-1));
    QCOMPARE(tokenizer->vocabularySize(), 9);
    QCOMPARE(tokenizer->piece(8), std::string("<x>"));
    QCOMPARE(tokenizer->piece(99), std::string());
    QVERIFY(tokenizer->find("abc") == 5 && tokenizer->find("<x>") == 8 && !tokenizer->find("zz"));
  }

  // "<", "x" and ">" are no letters of the vocabulary, so as text they are nothing.
  void specialTokensThatAPersonWritesAreText() {
    using Ranges = std::vector<TextRange>;
    const auto ids = [](const std::string& json, const std::string& text, const Ranges& written) {
      return parse(json)->encode(text, false, written);
    };
    const std::string json = tokenizerJson(kLetters, added(""));
    QCOMPARE(ids(json, "a<x>b<x>c", {}), Ids({0, 8, 1, 8, 2}));
    QCOMPARE(ids(json, "a<x>b<x>c", Ranges({{1, 4}})), Ids({3, 8, 2}));
    QCOMPARE(ids(json, "a<x>b<x>c", Ranges({{0, 2}, {7, 9}})), Ids({5}));  // what touches is enough
    QCOMPARE(ids(json, "a<x>b<x>c", Ranges({{0, 1}, {4, 5}, {8, 9}})), Ids({0, 8, 1, 8, 2}));

    const std::string inside = tokenizerJson(
        kLetters,
        "'added_tokens':[{'id':8,'content':'<x>','special':true},{'id':9,'content':'x>b','special':false}]");
    QCOMPARE(ids(inside, "a<x>b", {}), Ids({0, 8, 1}));
    QCOMPARE(ids(inside, "a<x>b", Ranges({{0, 5}})), Ids({0, 9}));  // no mark, but a token all the same

    const std::string longer = tokenizerJson(
        kLetters, added(",'normalized':true") +
                      ",'normalizer':{'type':'Replace','pattern':{'String':'q'},'content':'aaa'}");
    QCOMPARE(ids(longer, "q<x>q<x>", {}), Ids({6, 0, 8, 6, 0, 8}));
    QCOMPARE(ids(longer, "q<x>q<x>", Ranges({{4, 8}})), Ids({6, 0, 8, 6, 0}));
    QCOMPARE(ids(longer, "q<x>q<x>", Ranges({{0, 4}})), Ids({6, 6, 6, 8}));
  }

  void textThatIsNotUtf8IsRefused() {
    const auto tokenizer = parse(tokenizerJson(kLetters));
    for (const char* text : {"a\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"})
      QVERIFY(errorOf([&] { tokenizer->encode(text, false); }).rfind("invalid_argument", 0) == 0);
  }

  void brokenUtf8BecomesOneReplacementASequence() {
    QCOMPARE(utf8::repaired("a\xE2\x82z"), std::string("a\xEF\xBF\xBDz"));
    QCOMPARE(utf8::repaired("\xF0\x9F\x98"), std::string("\xEF\xBF\xBD"));
    QCOMPARE(utf8::repaired("\xFF\xFE"), std::string("\xEF\xBF\xBD\xEF\xBF\xBD"));
    QCOMPARE(utf8::repaired("\xED\xA0\x80"), std::string("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
  }

  void configAddsNamesAndWhatStandsAround() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    write(folder, "tokenizer.json",
          tokenizerJson(kLetters, "'added_tokens':[{'content':'abc','special':false}]"));
    write(
        folder, "tokenizer_config.json",
        quoted("{'bos_token':{'content':'<s>'},'eos_token':'</"
               "s>','pad_token':'<pad>','add_bos_token':true,'add_eos_token':true,"
               "'added_tokens_decoder':{'5':{'content':'abc','special':true},'8':{'content':'<y>','special':"
               "false}}}"));
    write(folder, "added_tokens.json", quoted("{'<z>':9,'<pad>':10}"));
    const auto tokenizer = loadTokenizer(path);
    QVERIFY(tokenizer->find("<y>") == 8 && tokenizer->find("<z>") == 9);
    QVERIFY(tokenizer->bosToken() && tokenizer->isSpecial(*tokenizer->bosToken()));
    QCOMPARE(tokenizer->encode("a<z>", true), Ids({*tokenizer->bosToken(), 0, 9, *tokenizer->eosToken()}));
    QCOMPARE(tokenizer->encode("a", false), Ids({0}));
    QVERIFY(tokenizer->find("<pad>") == 10 && tokenizer->isSpecial(10) && !tokenizer->isSpecial(9));
    QVERIFY(tokenizer->isSpecial(5));  // the config's flags win over the tokenizer's
  }

  void aDirectoryWithoutATokenizerSaysSo() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY(!hasTokenizer(path));
    QVERIFY(errorOf([&] { loadTokenizer(path); }).rfind("file_not_found", 0) == 0);
  }

  void brokenFilesNameTheField_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* name, const std::string& json, const char* wanted) {
      QTest::newRow(name) << QString::fromStdString(json) << wanted;
    };
    row("empty", "", "file_corrupt: tokenizer.json");
    row("cut short", tokenizerJson(kLetters).substr(0, 80), "file_corrupt: tokenizer.json: this is not JSON");
    row("a list", "[]", "file_corrupt: tokenizer.json: the file should be an object");
    row("no model", "{}", "file_corrupt: tokenizer.json: the file has no \"model\"");
    row("unigram", tokenizerJson("{'type':'Unigram','vocab':[]}"),
        "unsupported: tokenizer.json: model is a model of the kind Unigram");
    row("wordpiece", tokenizerJson("{'type':'WordPiece'}"),
        "unsupported: tokenizer.json: model is a model of the kind WordPiece");
    row("vocab a list", tokenizerJson("{'type':'BPE','vocab':[],'merges':[]}"),
        "file_corrupt: tokenizer.json: model.vocab should be an object");
    row("id below zero", tokenizerJson("{'type':'BPE','vocab':{'a':-1},'merges':[]}"),
        "file_corrupt: tokenizer.json: model.vocab[\"a\"] is -1");
    row("id absurd", tokenizerJson("{'type':'BPE','vocab':{'a':4294967295},'merges':[]}"),
        "file_corrupt: tokenizer.json: model.vocab[\"a\"] is 4294967295");
    row("id huge", tokenizerJson("{'type':'BPE','vocab':{'a':18446744073709551615},'merges':[]}"),
        "file_corrupt: tokenizer.json: model.vocab[\"a\"] should be a whole");
    row("id a fraction", tokenizerJson("{'type':'BPE','vocab':{'a':1.5},'merges':[]}"),
        "file_corrupt: tokenizer.json: model.vocab[\"a\"] should be a whole");
    row("merge of one", tokenizerJson("{'type':'BPE','vocab':{'a':0},'merges':['a']}"),
        "file_corrupt: tokenizer.json: model.merges[0] should be two tokens");
    row("merge of three", tokenizerJson("{'type':'BPE','vocab':{'a':0},'merges':['a a a']}"),
        "file_corrupt: tokenizer.json: model.merges[0] should be two tokens");
    row("merge of numbers", tokenizerJson("{'type':'BPE','vocab':{'a':0},'merges':[[1,2]]}"),
        "file_corrupt: tokenizer.json: model.merges[0] should be a pair");
    row("merge unknown", tokenizerJson("{'type':'BPE','vocab':{'a':0},'merges':['a a']}"),
        "file_corrupt: tokenizer.json: model.merges[0] names a token");
    row("suffix", tokenizerJson("{'type':'BPE','end_of_word_suffix':'</w>','vocab':{},'merges':[]}"),
        "unsupported: tokenizer.json: model is BPE with a end_of");
    row("empty vocabulary", tokenizerJson("{'type':'BPE','vocab':{},'merges':[]}"),
        "file_corrupt: tokenizer.json: model has an empty vocabulary");
    row("normalizer", tokenizerJson(kLetters, "'normalizer':{'type':'Nmt'}"),
        "unsupported: tokenizer.json: normalizer is a normalizer of the kind Nmt");
    row("normalizer inside",
        tokenizerJson(kLetters,
                      "'normalizer':{'type':'Sequence','normalizers':[{'type':'NFC'},{'type':'Bert'}]}"),
        "unsupported: tokenizer.json: normalizer.normalizers[1] is a normalizer of the kind Bert");
    row("pre-tokenizer", tokenizerJson(kLetters, "'pre_tokenizer':{'type':'BertPreTokenizer'}"),
        "unsupported: tokenizer.json: pre_tokenizer is a pre-tokenizer");
    row("decoder", tokenizerJson(kLetters, "'decoder':{'type':'CTC'}"),
        "unsupported: tokenizer.json: decoder is a decoder of the kind CTC");
    row("post-processor", tokenizerJson(kLetters, "'post_processor':{'type':'Other'}"),
        "unsupported: tokenizer.json: post_processor is a post-processor");
    row("template without text",
        tokenizerJson(kLetters,
                      "'post_processor':{'type':'TemplateProcessing','single':[],'special_tokens':{}}"),
        "unsupported: ");
    row("template unknown id",
        tokenizerJson(kLetters,
                      "'post_processor':{'type':'TemplateProcessing','single':[{'SpecialToken':{'id':'<s>'}},"
                      "{'Sequence':{'id':'A'}}],"
                      "'special_tokens':{'<s>':{'ids':[77]}}}"),
        "file_corrupt: tokenizer.json: post_processor names the id 77");
    row("behavior",
        tokenizerJson(kLetters,
                      "'pre_tokenizer':{'type':'Split','pattern':{'String':'a'},'behavior':'Sometimes'}"),
        "file_corrupt: tokenizer.json: pre_tokenizer.behavior is \"Sometimes\"");
    row("empty pattern",
        tokenizerJson(kLetters,
                      "'pre_tokenizer':{'type':'Split','pattern':{'String':''},'behavior':'Isolated'}"),
        "file_corrupt: tokenizer.json: pre_tokenizer.pattern.String");
    row("regex",
        tokenizerJson(kLetters,
                      "'pre_tokenizer':{'type':'Split','pattern':{'Regex':'(a'},'behavior':'Isolated'}"),
        "unsupported: the tokenizer's regular");
    row("added a number", tokenizerJson(kLetters, "'added_tokens':[{'content':5}]"),
        "file_corrupt: tokenizer.json: added_tokens[0].content should be a string");
    row("added too long",
        tokenizerJson(kLetters, "'added_tokens':[{'content':'" + std::string(5000, 'x') + "'}]"),
        "file_corrupt: tokenizer.json: added_tokens[0] is longer");
    row("version", quoted("{'version':'9.9','model':" + kLetters + "}"),
        "unsupported: tokenizer.json: version");
    row("metaspace of two",
        tokenizerJson(kLetters, "'pre_tokenizer':{'type':'Metaspace','replacement':'ab'}"),
        "file_corrupt: tokenizer.json: pre_tokenizer should have one");
  }

  void brokenFilesNameTheField() {
    QFETCH(QString, json);
    QFETCH(QString, wanted);
    const std::string error = errorOf([&] { parse(json.toStdString()); });
    QVERIFY2(error.rfind(wanted.toStdString(), 0) == 0, error.c_str());
  }

  void nestingWithoutEndIsRefused() {
    std::string normalizer = "{'type':'NFC'}", json;
    for (int i = 0; i < 2000; ++i) normalizer = "{'type':'Sequence','normalizers':[" + normalizer + "]}";
    QVERIFY(errorOf([&] {
              parse(tokenizerJson(kLetters, "'normalizer':" + normalizer));
            }).rfind("file_corrupt", 0) == 0);
    json = std::string(200'000, '[');
    QVERIFY(errorOf([&] { parse(json); }).rfind("file_corrupt", 0) == 0);
  }

  void anUnknownTokenThatIsMissingIsAnErrorWhenNeeded() {
    const auto tokenizer =
        parse(tokenizerJson("{'type':'BPE','unk_token':'<u>','vocab':{'a':0},'merges':[]}"));
    QCOMPARE(tokenizer->encode("a", false), Ids({0}));
    QVERIFY(errorOf([&] { tokenizer->encode("b", false); }).rfind("file_corrupt", 0) == 0);
  }

  void anyCutOfAGoodFileIsAnErrorNeverACrash() {
    const std::string bytes = readFile(kGolden / "tokenizers/llama3/tokenizer.json");
    QVERIFY(bytes.size() > 1000);
    std::mt19937 dice(3);
    for (int round = 0; round < 60; ++round) {
      const std::size_t length = dice() % (bytes.size() - 2);
      QVERIFY(!errorOf([&] { parse(bytes.substr(0, length)); }).empty());
    }
  }

  void aFlippedByteNeverCrashes() {
    const std::string bytes = readFile(kGolden / "tokenizers/pre-digits/tokenizer.json");
    QVERIFY(bytes.size() > 1000);
    std::mt19937 dice(5);
    int errors = 0;
    for (int round = 0; round < 400; ++round) {
      std::string broken = bytes;
      for (unsigned flips = 1 + dice() % 3; flips > 0; --flips)
        broken[dice() % broken.size()] = static_cast<char>(dice());
      errors += !errorOf([&] { parse(broken)->encode("Hello 12 world", true); }).empty();
    }
    QVERIFY(errors > 50);
  }

  void aPatternThatBacktracksWithoutEndIsAnError() {
    for (const char* pattern : {"(a+)+$", "(a*)*b", "(a|aa)+$", "(?:a?){60}a{60}"}) {
      const Regex regex(pattern);
      const std::string error = errorOf([&] { regex.stretches(std::string(5000, 'a') + "!"); });
      QVERIFY2(error.empty() || error.rfind("file_corrupt", 0) == 0, error.c_str());
    }
    QVERIFY(!errorOf([&] { Regex("(a+)+$").stretches(std::string(64, 'a') + "!"); }).empty());
  }

  void patternsMeanWhatOnigurumaMeans() {
    const auto matches = [](const char* pattern, const std::string& text) {
      std::vector<std::string> found;
      for (const Stretch& stretch : Regex(pattern).stretches(text))
        if (stretch.isMatch) found.push_back(text.substr(stretch.begin, stretch.end - stretch.begin));
      return found;
    };
    using Found = std::vector<std::string>;
    QCOMPARE(matches(R"(\s+)", "a\u00a0\u3000b\u0085c"), Found({"\u00a0\u3000", "\u0085"}));
    QCOMPARE(matches(R"(\s)", "a\u180eb"), Found());
    QCOMPARE(matches(R"([\s,]+)", "a,\u2003b"), Found({",\u2003"}));
    QCOMPARE(matches(R"(\S+)", "ab cd"), Found({"ab", "cd"}));
    QCOMPARE(matches(R"(\p{N}{1,3})", "1234٣"), Found({"123", "4٣"}));
    QCOMPARE(matches(R"((?i:'s|'t))", "it'S can\u2019t don'T"), Found({"'S", "'T"}));
    QCOMPARE(matches(R"(\w+)", "e\u0301a_b-½"), Found({"e\u0301a_b"}));
    QCOMPARE(matches("^b$", "a\nb\nc"), Found({"b"}));
    QCOMPARE(matches(R"(\h+)", "xyzff09"), Found({"ff09"}));
    QCOMPARE(matches("a*", "baac"), Found({"", "aa", ""}));
    QCOMPARE(matches(R"([]\[]+)", "a[]b"), Found({"[]"}));
    QCOMPARE(matches(R"(x[a-f&&[^bc]]+|[\p{L}&&[\p{Han}]])", "xabxdefbg\u4f60e"),
             Found({"xa", "xdef", "\u4f60"}));
    QCOMPARE(matches(R"([\p{Han}]+|\p{Thai})", "\u4f60\u3002a\u0e01"), Found({"\u4f60", "\u0e01"}));
    for (const char* pattern : {"[a&&b]", "[&&[a]]", "[^a&&[b]]", "[a&&[b]c]", "[a&&[b", "[a&&[b]", "[a[b]]",
                                "(?m:.)", "a{,3}", "a{2}+", "\\Ka", "[\\W]", "[a", "\\", "(?<n>a", "\\C"})
      QVERIFY2(errorOf([&] { Regex regex(pattern); }).rfind("unsupported", 0) == 0, pattern);
  }

  void thePatternsOfKnownFamiliesCompile() {
    for (const char* pattern : {// GPT-4o and Mistral's tekken
                                "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}"
                                "\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
                                "\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
                                // cl100k with possessive quantifiers
                                "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}| "
                                "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
                                // DeepSeek
                                "[!\"#$%&'()*+,\\-./"
                                ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}"
                                "]+| ?[\\p{P}\\p{S}]+[\\r\\n]*",
                                "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+", "\\d{1,3}(?=(?:\\d{3})*\\b)"})
      QCOMPARE(errorOf([&] { Regex regex(pattern); }), std::string());
  }

  void normalFormsAndCases() {
    QCOMPARE(unicode::normalized("e\u0301ﬁ", unicode::Form::kNfc), std::string("éﬁ"));
    QCOMPARE(unicode::normalized("éﬁ", unicode::Form::kNfkd), std::string("e\u0301fi"));
    QCOMPARE(unicode::normalized(std::string_view("a\0b", 3), unicode::Form::kNfc), std::string("a\0b", 3));
    QCOMPARE(unicode::lowercased("ÀΣİ"), std::string("àσi\u0307"));
  }
};

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
