// Small files and texts that ask for endless work or memory: what they may cost is counted in steps,
// comparisons and bytes, and beyond it they are refused.
#include "text/work_limit.h"

#include <sys/stat.h>
#include <utf8proc.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "text/normalizer.h"
#include "text/pre_tokenizer.h"
#include "text/regex.h"
#include "text/token_decoder.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "vitrine/chat_format.h"

#include <QTemporaryDir>
#include <QTest>

#include "support/allocations.h"
#include "support/refusal.h"
#include "text_support.h"

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

std::size_t largestAllocation = 0;

bool noteSize(std::size_t bytes, NewForm) {
  largestAllocation = std::max(largestAllocation, bytes);
  return true;
}

std::size_t allocations = 0;

bool countOne(std::size_t, NewForm) {
  ++allocations;
  return true;
}

template <typename Work>
std::size_t allocationsOf(const Work& work) {
  allocations = 0;
  allocationRule = countOne;
  work();
  allocationRule = nullptr;
  return allocations;
}

constexpr const char* kLlama3 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

template <typename Part>
Part partOf(const std::string& description) {
  const auto document = nlohmann::json::parse(quoted(description));
  return Part(JsonField(document, "tokenizer.json", "part"));
}

// `count` replacements of an a by a hundred.
std::string multiplying(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += std::string(i > 0 ? "," : "") + "{'type':'Replace','pattern':{'String':'a'},'content':'" +
            std::string(100, 'a') + "'}";
  return list;
}

// utf8proc's own way, which exchanges neighbours until a run of marks is in order.
std::string mapped(const std::string& text, int options) {
  utf8proc_uint8_t* bytes = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | options));
  const std::string result(reinterpret_cast<const char*>(bytes),
                           static_cast<std::size_t>(std::max<utf8proc_ssize_t>(length, 0)));
  std::free(bytes);
  return result;
}

// Letters, marks of many classes, Hangul, compatibility forms, and anything else.
std::string randomText(std::mt19937& dice) {
  std::string text;
  const int length = static_cast<int>(dice() % 40);
  for (int i = 0; i < length; ++i) {
    const char32_t pick = dice();
    switch (dice() % 6) {
      case 0:
        utf8::append(text, U'A' + pick % 58);
        break;
      case 1:
      case 2:
        utf8::append(text, 0x300 + pick % 0x70);
        break;
      case 3:
        utf8::append(text, dice() % 2 == 0 ? 0x1100 + pick % 0x100 : 0xAC00 + pick % 0x2BA4);
        break;
      case 4:
        utf8::append(text, dice() % 2 == 0 ? 0xF900 + pick % 0x6FE : 0x590 + pick % 0xA70);
        break;
      default:
        utf8::append(text, pick % 0xD800);
    }
  }
  return text;
}

// A model directory's text side, complete; `spoil` is put in the place of one of its files.
class TokenizerFolder {
 public:
  TokenizerFolder() {
    for (const char* name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"})
      write(name, readFile(kGolden / "tokenizers/llama3" / name));
    write("added_tokens.json", "{}");
  }
  fs::path path() const { return m_scratch.path().toStdString(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path() / name, std::ios::binary) << (bytes.empty() ? "{}" : bytes);
  }
  void open() const {
    loadTokenizer(path());
    ChatFormat::ofModel(path());
  }

 private:
  QTemporaryDir m_scratch;
};

}  // namespace

class TestWorkLimits : public QObject {
  Q_OBJECT

 private slots:
  void aPatternThatBacktracksIsRefusedByItsSteps() {
    const std::string text(200, 'a');
    const Regex regex("(?:a|a){20}[b-c]");
    WorkLimit limit(text.size());
    VERIFY_REFUSED(regex.stretches(text, limit), "file_corrupt", "(?:a|a){20}[b-c]");
    // What was tried before it was refused: at most twice what is allowed.
    QVERIFY(limit.stepsTaken() > limit.mostSteps() && limit.stepsTaken() < 2 * limit.mostSteps());
  }

  void theLimitHoldsForAllPiecesOfATextTogether() {
    const PreTokenizer cut = partOf<PreTokenizer>(
        "{'type':'Sequence','pretokenizers':[{'type':'Split','pattern':{'String':','},'behavior':'Removed',"
        "'invert':false},{'type':'Split','pattern':{'Regex':'(?:a|a){14}[b-c]'},'behavior':'Isolated',"
        "'invert':false}]}");
    const auto apply = [&](int count) {
      std::string text;
      for (int i = 0; i < count; ++i) text += std::string(20, 'a') + ",";
      std::vector<Piece> pieces = {{text, -1, true}};
      WorkLimit limit(text.size());
      cut.apply(pieces, limit);
      return pieces.size();
    };
    QCOMPARE(apply(2), std::size_t{2});
    VERIFY_REFUSED(apply(2000), "file_corrupt", "takes too many steps");
  }

  void ordinaryTextsTakeHardlyAStep() {
    std::string text;
    std::mt19937 dice(3);
    while (text.size() < 1'000'000) {
      for (unsigned letters = 1 + dice() % 9; letters > 0; --letters)
        text += static_cast<char>('a' + dice() % 26);
      text += dice() % 20 == 0 ? ".\n\n" : dice() % 9 == 0 ? " 1987 " : " ";
    }
    for (const std::string& ordinary :
         {text, std::string(1'000'000, ' '), std::string(1'000'000, 'x'), std::string(500'000, '\n') + "x"}) {
      WorkLimit limit(ordinary.size());
      const auto found = Regex(kLlama3).stretches(ordinary, limit);
      QVERIFY(!found.empty() && found.front().begin == 0 && found.back().end == ordinary.size());
      QVERIFY2(limit.stepsTaken() < limit.mostSteps() / 4,
               qPrintable(QString("%1 of %2").arg(limit.stepsTaken()).arg(limit.mostSteps())));
    }
  }

  // The stretches of starts that a search is cut into leave no trace in what it finds.
  void rareMatchesAreFoundWhereverTheyStand() {
    for (std::size_t gap = 100; gap < 400; ++gap) {
      const std::string text = std::string(gap, '-') + "\u00e9y" + std::string(gap, '-') + "y\u00e9y";
      const auto found = Regex("(?<=\u00e9)y").stretches(text);
      QCOMPARE(found.size(), std::size_t{4});
      QVERIFY(found[1].isMatch && found[1].begin == gap + 2 && found[1].end == gap + 3);
      QVERIFY(found[3].isMatch && found[3].begin == text.size() - 1);
    }
  }

  void normalFormsEqualThoseOfUtf8proc() {
    std::mt19937 dice(7);
    using unicode::Form;
    for (int i = 0; i < 20000; ++i) {
      const std::string text = randomText(dice);
      QVERIFY(unicode::normalized(text, Form::kNfc) == mapped(text, UTF8PROC_COMPOSE));
      QVERIFY(unicode::normalized(text, Form::kNfd) == mapped(text, UTF8PROC_DECOMPOSE));
      QVERIFY(unicode::normalized(text, Form::kNfkc) == mapped(text, UTF8PROC_COMPOSE | UTF8PROC_COMPAT));
      QVERIFY(unicode::normalized(text, Form::kNfkd) == mapped(text, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT));
    }
  }

  void aLongRunOfMarksIsSortedAndNotExchanged() {
    std::vector<std::int32_t> marks;  // above and below by turns: classes 230 and 220
    for (int i = 0; i < 80'000; ++i) marks.push_back(i % 2 == 0 ? 0x301 : 0x323);
    QVERIFY(unicode::orderMarks(marks) < 80'000 * 18);
    QCOMPARE(std::count(marks.begin(), marks.begin() + 40'000, 0x323), std::ptrdiff_t{40'000});
    std::string text = "a", sorted = "\u1ea1";  // a with the first dot below
    for (int i = 0; i < 80'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
    for (int i = 0; i < 79'999; ++i) sorted += i < 39'999 ? "\u0323" : "\u0301";
    QVERIFY(unicode::normalized(text, unicode::Form::kNfc) == sorted);
    QCOMPARE(unicode::orderMarks({}), std::size_t{0});
  }

  void replacementsThatMultiplyATextAreRefusedBeforeTheyTakeTheMemory() {
    const auto normalizer = partOf<Normalizer>("{'type':'Sequence','normalizers':[" + multiplying(5) + "]}");
    const auto decoder = partOf<TokenDecoder>("{'type':'Sequence','decoders':[" + multiplying(5) + "]}");
    allocationRule = noteSize;
    largestAllocation = 0;
    WorkLimit limit(1);
    VERIFY_REFUSED(normalizer.apply("a", limit), "file_corrupt", "make a text of 10000 bytes");
    VERIFY_REFUSED(decoder.decode({"a"}), "file_corrupt", "make a text of 10000 bytes");
    QVERIFY(largestAllocation < 10'000);
    largestAllocation = 0;
    const std::string text(20'000, 'a');
    VERIFY_REFUSED(normalizer.apply(text, limit), "file_corrupt", "make a text of 2000000 bytes");
    VERIFY_REFUSED(decoder.decode({text, text}), "file_corrupt", "make a text of");
    QVERIFY(largestAllocation < 2'000'000);
    const auto prepend = partOf<Normalizer>("{'type':'Prepend','prepend':'" + std::string(1000, 'p') + "'}");
    VERIFY_REFUSED(prepend.apply("a", limit), "file_corrupt", "make a text of 1001 bytes");
  }

  void manyStepsAreRefusedAndLongOnesAreNot() {
    std::string digits;
    for (int i = 0; i < 65; ++i) digits += std::string(i > 0 ? "," : "") + "{'type':'Lowercase'}";
    VERIFY_REFUSED(partOf<Normalizer>("{'type':'Sequence','normalizers':[" + digits + "]}"), "file_corrupt",
                   "one step more than the 64");
    // The longest character there is, and a space that becomes three bytes, are no reason to refuse.
    const auto normalizer = partOf<Normalizer>(
        "{'type':'Sequence','normalizers':[{'type':'NFKD'},"
        "{'type':'Replace','pattern':{'String':' '},'content':'\u2581'}]}");
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "\uFDFA";
    WorkLimit limit(text.size());
    QVERIFY(normalizer.apply(text, limit).size() > 10 * text.size());
  }

  // A prompt costs one rendering: what the template does on trial is known when its format has been made.
  void aPromptRendersItsTemplateOnce() {
    const ChatFormat format(PromptTemplate(
        "{% set all = namespace(words='') %}{% for i in range(999) %}{% set all.words = all.words ~ i %}"
        "{% endfor %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}"
        "{{ c.function | tojson }}{% endfor %}<|end|>{% endfor %}"));
    const Dialogue dialogue{{{ChatRole::kUser, "Hi"},
                             {ChatRole::kAssistant, "", "", {{"f", R"({"city":"Paris"})"}}},
                             {.role = ChatRole::kTool, .text = "Sunny", .tool = "f"}}};
    const Conversation conversation = format.conversation(dialogue);
    const std::size_t once = allocationsOf([&] { format.chatTemplate().render(conversation); });
    QVERIFY(once > 999);
    QVERIFY(format.render(dialogue).text.find("Paris") != std::string::npos);
    const std::size_t prompt = allocationsOf([&] { format.render(dialogue); });
    QVERIFY2(prompt < once + once / 2, std::to_string(prompt).c_str());
    const TokenizerFolder folder;
    const auto tokenizer = loadTokenizer(folder.path());
    const std::size_t stops = allocationsOf([&] { format.stopStrings(*tokenizer); });
    QVERIFY2(stops < once / 2, std::to_string(stops).c_str());
    const ChatFormat copy = format;
    QVERIFY(allocationsOf([&] { ChatFormat(copy).stopStrings(*tokenizer); }) < once / 2);
  }

  void whatIsNoFileBesideATokenizerIsNamed_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"tokenizer.json", "tokenizer.model", "tokenizer_config.json",
                             "special_tokens_map.json", "added_tokens.json", "chat_template.jinja"})
      QTest::newRow(name) << name;
  }
  void whatIsNoFileBesideATokenizerIsNamed() {
    QFETCH(QString, name);
    const TokenizerFolder folder;
    folder.open();
    const fs::path place = folder.path() / name.toStdString();
    if (name == "tokenizer.model") fs::remove(folder.path() / "tokenizer.json");
    fs::remove(place);
    QCOMPARE(::mkfifo(place.c_str(), 0600), 0);
    VERIFY_REFUSED(folder.open(), "file_unreadable", place.string() + " is a pipe, not a file");
    fs::remove(place);
    fs::create_symlink(place.filename(), place);
    VERIFY_REFUSED(folder.open(), "file_unreadable", place.string() + " is a symbolic link loop");
    fs::remove(place);
    fs::create_directory(place);
    VERIFY_REFUSED(folder.open(), "file_unreadable", place.string() + " is a folder, not a file");
  }
};

QTEST_APPLESS_MAIN(TestWorkLimits)
#include "tst_work_limits.moc"
