// The tokenizer inside a GGUF file gives the ids of the tokenizer that it was made of: goldens of
// tests/golden/tokenizers under their GGUF keys, and kinds of words without a golden against the same
// tokenizer.json.
#include "text/gguf_tokenizer.h"
#include "text/pre_kinds.h"

#include "support/gguf_bytes.h"
#include "support/refusal.h"
#include "text/byte_level.h"
#include "text/json_field.h"
#include "text/pre_tokenizer.h"
#include "text/sentencepiece_model.h"
#include "text/work_limit.h"
#include "text_support.h"
#include "vitrine/chat_format.h"

#include <QStringList>
#include <QTest>
#include <array>

using namespace vitrine;
using namespace vitrine::test;
using nlohmann::json;

namespace {

constexpr std::int32_t kNormal = 1, kControl = 3, kUserDefined = 4;

// As llama.cpp's converter writes a byte-level BPE: every id's token, added ones with their kind.
GgufBytes ggufOf(const json& tokenizer, const std::string& pre, const json& names) {
  std::map<int, std::string> tokens;
  std::map<int, std::int32_t> kinds;
  for (const auto& [text, id] : tokenizer["model"]["vocab"].items()) tokens[id.get<int>()] = text;
  std::map<std::string, int> idOf;
  for (const json& token : tokenizer["added_tokens"]) {
    tokens[token["id"]] = token["content"];
    kinds[token["id"]] = token["special"].get<bool>() ? kControl : kUserDefined;
    idOf[token["content"]] = token["id"];
  }
  std::vector<std::string> list, merges;
  std::vector<std::int32_t> types;
  for (const auto& [id, text] : tokens) {
    list.push_back(text);
    types.push_back(kinds.contains(id) ? kinds[id] : kNormal);
  }
  for (const json& merge : tokenizer["model"]["merges"])
    merges.push_back(merge.is_string() ? merge.get<std::string>()
                                       : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
  GgufBytes file;
  file.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre);
  file.texts("tokenizer.ggml.tokens", list).numbers("tokenizer.ggml.token_type", GgufType::kInt32, types);
  file.texts("tokenizer.ggml.merges", merges);
  for (const auto& [key, name] : {std::pair("bos_token", "bos"), std::pair("eos_token", "eos")})
    if (names.contains(key))
      file.number("tokenizer.ggml." + std::string(name) + "_token_id",
                  static_cast<std::uint32_t>(idOf.at(names[key].get<std::string>())));
  return file;
}

// The words that a kind cuts a text into, with a bar between them.
std::string wordsOf(const char* pre, const std::string& text) {
  const json description = findPreKind(pre)->json();
  std::vector<Piece> pieces = {{text, -1, true}};
  WorkLimit limit(text.size());
  PreTokenizer(JsonField(description, "", "")).apply(pieces, limit);
  std::string words;
  for (const Piece& piece : pieces) {
    if (!words.empty()) words += "¦";
    byte_level::appendDecoded(words, piece.text);
  }
  return words;
}

// As the converter writes a tokenizer.model.
GgufBytes ggufOf(const SentencePieceModel& model) {
  std::vector<std::string> texts;
  std::vector<float> scores;
  std::vector<std::int32_t> kinds;
  for (const auto& [text, score, kind] : model.pieces) {
    texts.push_back(text);
    scores.push_back(score);
    kinds.push_back(static_cast<std::int32_t>(kind));
  }
  GgufBytes file;
  file.text("tokenizer.ggml.model", "llama").text("tokenizer.ggml.pre", "default");
  file.texts("tokenizer.ggml.tokens", texts);
  file.numbers("tokenizer.ggml.scores", GgufType::kFloat32, scores);
  file.numbers("tokenizer.ggml.token_type", GgufType::kInt32, kinds);
  file.number("tokenizer.ggml.bos_token_id", static_cast<std::uint32_t>(model.bosId));
  file.number("tokenizer.ggml.eos_token_id", static_cast<std::uint32_t>(model.eosId));
  file.flag("tokenizer.ggml.add_space_prefix", model.addDummyPrefix);
  return file;
}

json readJson(const char* tokenizer, const char* name) {
  return json::parse(readFile(kGolden / "tokenizers" / tokenizer / name));
}

std::unique_ptr<Tokenizer> tokenizerIn(const GgufBytes& file) {
  const std::string bytes = file.bytes();
  return readGgufTokenizer(openBytes(bytes));
}

void compareWithGolden(const Tokenizer& tokenizer, const char* name) {
  const json golden = readGolden(kGolden / "tokenizers" / name / "expected.json");
  QVERIFY(golden.contains("cases") && golden["cases"].size() >= 30);
  for (const json& item : golden["cases"]) {
    const auto text = item["text"].get<std::string>();
    QCOMPARE(tokenizer.encode(text, false), item["ids"].get<std::vector<TokenId>>());
    const auto whole = item["ids_special"].get<std::vector<TokenId>>();
    QCOMPARE(tokenizer.encode(text, true), whole);
    for (const auto& [key, skip] : {std::pair("decoded", false), std::pair("decoded_skip", true)})
      if (item.contains(key)) QCOMPARE(tokenizer.decode(whole, skip), item[key].get<std::string>());
  }
}

}  // namespace

class TestGgufTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void goldensOfByteLevelBpe_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("pre");
    QTest::addRow("llama-bpe") << "llama3"
                               << "llama-bpe";
    QTest::addRow("qwen2") << "qwen2"
                           << "qwen2";
    QTest::addRow("gpt-2") << "gpt2"
                           << "gpt-2";
  }
  void goldensOfByteLevelBpe() {
    QFETCH(QString, name);
    QFETCH(QString, pre);
    const std::string folder = name.toStdString();
    const auto file = ggufOf(readJson(folder.c_str(), "tokenizer.json"), pre.toStdString(),
                             readJson(folder.c_str(), "tokenizer_config.json"));
    compareWithGolden(*tokenizerIn(file), folder.c_str());
  }

  void goldensOfSentencePiece() {
    for (const char* name : {"sp-bpe", "sp-bpe-no-prefix"}) {
      const std::string bytes = readFile(kGolden / "tokenizers" / name / "tokenizer.model");
      SentencePieceModel model = SentencePieceModel::parse(bytes, name);
      const json config = readJson(name, "tokenizer_config.json");
      if (config.contains("add_prefix_space")) model.addDummyPrefix = config["add_prefix_space"].get<bool>();
      compareWithGolden(*tokenizerIn(ggufOf(model)), name);
    }
  }

  // smollm and tekken: the vocabulary of a golden under the words that their tokenizer.json would cut.
  void sameAsATokenizerJson_data() {
    QTest::addColumn<QString>("pre");
    QTest::addColumn<QString>("words");
    // Written with ' for ".
    QTest::addRow("smollm")
        << "smollm"
        << "{'type':'Sequence','pretokenizers':[{'type':'Digits','individual_digits':true},"
           "{'type':'ByteLevel','add_prefix_space':false,'use_regex':true}]}";
    QTest::addRow("tekken")
        << "tekken"
        << "{'type':'Sequence','pretokenizers':[{'type':'Split','pattern':{'Regex':"
           "'[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?[\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]*"
           "[\\\\p{Ll}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]+|"
           "[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?[\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]+"
           "[\\\\p{Ll}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]*|"
           "\\\\p{N}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n/]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+'},"
           "'behavior':'Isolated','invert':false},{'type':'ByteLevel','add_prefix_space':false,"
           "'use_regex':false}]}";
  }
  void sameAsATokenizerJson() {
    QFETCH(QString, pre);
    QFETCH(QString, words);
    json document = readJson("llama3", "tokenizer.json");
    document["pre_tokenizer"] = json::parse(quoted(words.toStdString()));
    document["model"]["ignore_merges"] = pre == "tekken";
    document.erase("post_processor");
    // Pairs that some ways to cut words leave whole and others part. The added tokens come after them, as in
    // every file.
    constexpr std::array kPairs{"7 9", "a B", "B a", "/ \xC4\x8A"};
    std::size_t id = document["model"]["vocab"].size();
    for (json& token : document["added_tokens"]) token["id"] = token["id"].get<std::size_t>() + kPairs.size();
    for (const char* pair : kPairs) {
      std::string merged = pair;
      merged.erase(merged.find(' '), 1);
      QVERIFY(!document["model"]["vocab"].contains(merged));
      document["model"]["vocab"][merged] = id++;
      document["model"]["merges"].push_back(
          json::array({std::string(pair).substr(0, std::string(pair).find(' ')),
                       std::string(pair).substr(std::string(pair).find(' ') + 1)}));
    }
    const auto wanted = parse(document.dump());
    const auto got = tokenizerIn(ggufOf(document, pre.toStdString(), json::object()));
    const auto llama3 = tokenizerIn(ggufOf(document, "llama-bpe", json::object()));
    std::vector<std::string> texts = {"79797979 a79", "aBaBa BaaB", "a/\n/\n b", "'S don'T"};
    const json golden = readGolden(kGolden / "tokenizers/llama3/expected.json");
    for (const json& item : golden["cases"]) texts.push_back(item["text"].get<std::string>());
    int different = 0;
    for (const std::string& text : texts) {
      QCOMPARE(got->encode(text, false), wanted->encode(text, false));
      different += got->encode(text, false) != llama3->encode(text, false);
    }
    QVERIFY(different > 0);  // other words than Llama 3's
  }

  // Contractions, numbers, scripts, line ends, spaces, marks and signs. Python's `regex` cut these words with
  // the kinds' patterns.
  void wordsOfKinds_data() {
    QTest::addColumn<QString>("pre");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* pre, const QStringList& words) {
      QTest::newRow(pre) << QString(pre) << words;
    };
    row("default",
        {"I¦'¦LL¦ we¦'¦ve¦ don¦'¦t¦ ¦'¦S¦ it¦'¦s", "123¦456¦7¦ ¦8¦ ¦٣٤٥٦¦ ¦½¦x¦12",
         "你好世界abc日本語テスト¦ 한국어¦。¦OK", "ภาษาไทย¦ ท¦ี่¦น¦ี่¦ ¦12", "a¦\n\n ¦ b¦\r\n\t¦ c¦   \n",
         " ¦ two¦  ¦ spaces¦\u3000¦end¦  ", "cafe¦\u0301¦s¦ HELLOWorld¦ iPhone¦ a¦_¦b¦/¦c¦//¦\n",
         "hi¦...¦ ¦(¦x¦+¦y¦)=$¦5¦^¦2¦~|¦`¦<¦tag¦>\u201c¦q¦\u201d"});
    row("gpt-4o", {"I'LL¦ we've¦ don't¦ '¦S¦ it's", "123¦456¦7¦ ¦8¦ ¦٣٤٥¦٦¦ ¦½¦x¦12",
                   "你好世界abc日本語テスト¦ 한국어¦。OK", "ภาษาไทย¦ ที่นี่¦ ¦12", "a¦\n\n¦ ¦ b¦\r\n¦\t¦ c¦   \n",
                   " ¦ two¦  ¦ spaces¦\u3000end¦  ", "cafe\u0301s¦ HELLOWorld¦ i¦Phone¦ a¦_b¦/c¦//\n",
                   "hi¦...¦ (¦x¦+y¦)=$¦5¦^¦2¦~|`<¦tag¦>\u201c¦q¦\u201d"});
    row("kimi-k2",
        {"I'LL¦ we've¦ don't¦ '¦S¦ it's", "123¦456¦7¦ ¦8¦ ¦٣٤٥¦٦¦ ¦½¦x¦12",
         "你好世界¦abc¦日本語¦テスト¦ 한국어¦。OK", "ภาษาไทย¦ ที่นี่¦ ¦12", "a¦\n\n¦ ¦ b¦\r\n¦\t¦ c¦   \n",
         " ¦ two¦  ¦ spaces¦\u3000end¦  ", "cafe\u0301s¦ HELLOWorld¦ i¦Phone¦ a¦_b¦/c¦//\n",
         "hi¦...¦ (¦x¦+y¦)=$¦5¦^¦2¦~|`<¦tag¦>\u201c¦q¦\u201d"});
    row("qwen35",
        {"I¦'LL¦ we¦'ve¦ don¦'t¦ '¦S¦ it¦'s", "1¦2¦3¦4¦5¦6¦7¦ ¦8¦ ¦٣¦٤¦٥¦٦¦ ¦½¦x¦1¦2",
         "你好世界abc日本語テスト¦ 한국어¦。OK", "ภาษาไทย¦ ที่นี่¦ ¦1¦2", "a¦\n\n¦ ¦ b¦\r\n¦\t¦ c¦   \n",
         " ¦ two¦  ¦ spaces¦\u3000end¦  ", "cafe\u0301s¦ HELLOWorld¦ iPhone¦ a¦_b¦/c¦//\n",
         "hi¦...¦ (¦x¦+y¦)=$¦5¦^¦2¦~|`<¦tag¦>\u201c¦q¦\u201d"});
    row("hunyuan",
        {"I¦'LL¦ we¦'ve¦ don¦'t¦ '¦S¦ it¦'s", "1¦2¦3¦4¦5¦6¦7¦ ¦8¦ ¦٣¦٤¦٥¦٦¦ ¦½¦x¦1¦2",
         "你好世界abc日本語テスト¦ 한국어¦。OK", "ภาษาไทย¦ ท¦ี่¦น¦ี่¦ ¦1¦2", "a¦\n\n¦ ¦ b¦\r\n¦\t¦ c¦   \n",
         " ¦ two¦  ¦ spaces¦\u3000end¦  ", "cafe¦\u0301s¦ HELLOWorld¦ iPhone¦ a¦_b¦/c¦//\n",
         "hi¦...¦ (¦x¦+y¦)=$¦5¦^¦2¦~|`<¦tag¦>\u201c¦q¦\u201d"});
    row("deepseek-v3",
        {"I¦'LL¦ we¦'ve¦ don¦'t¦ '¦S¦ it¦'s", "123¦456¦7¦ ¦8¦ ¦٣٤٥¦٦¦ ¦½¦x¦12",
         "你好世界¦abc¦日本語テスト¦ 한국어¦。¦OK", "ภาษาไทย¦ ที่นี่¦ ¦12", "a¦\n\n¦ ¦ b¦\r\n¦\t¦ c¦   \n",
         " ¦ two¦  ¦ spaces¦\u3000end¦  ", "cafe\u0301s¦ HELLOWorld¦ iPhone¦ a¦_b¦/c¦//\n",
         "hi¦...¦ (¦x¦+y¦)=$¦5¦^¦2¦~|`<¦tag¦>\u201c¦q¦\u201d"});
    row("deepseek-coder", {"I¦'¦LL¦ we¦'¦ve¦ don¦'¦t¦ '¦S¦ it¦'¦s", "1¦2¦3¦4¦5¦6¦7¦ ¦8¦ ¦٣¦٤¦٥¦٦¦ ¦½¦x¦1¦2",
                           "你好世界¦abc¦日本語テスト¦ ¦한국어¦。¦OK", "ภาษาไทย¦ ¦ท¦ี่¦น¦ี่¦ ¦1¦2",
                           "a¦\n¦\n¦ ¦ b¦\r¦\n¦\t¦ c¦   ¦\n", " ¦ two¦  ¦ spaces¦\u3000¦end¦  ",
                           "cafe¦\u0301¦s¦ HELLOWorld¦ iPhone¦ a¦_¦b¦/¦c¦//¦\n",
                           "hi¦...¦ (¦x¦+¦y¦)¦=$¦5¦^¦2¦~|`<¦tag¦>¦\u201c¦q¦\u201d"});
    row("deepseek-llm",
        {"I¦'¦LL¦ we¦'¦ve¦ don¦'¦t¦ '¦S¦ it¦'¦s", "1¦2¦3¦4¦5¦6¦7¦ ¦8¦ ¦٣¦٤¦٥¦٦¦ ¦½¦x¦1¦2",
         "你好世界¦abc¦日本語テスト¦ ¦한국어¦。¦OK", "ภาษาไทย¦ ¦ที่นี่¦ ¦1¦2", "a¦\n¦\n¦ ¦ b¦\r¦\n¦\t¦ c¦   ¦\n",
         " ¦ two¦  ¦ spaces¦\u3000¦end¦  ", "cafe¦\u0301¦s¦ HELLOWorld¦ iPhone¦ a¦_¦b¦/¦c¦//¦\n",
         "hi¦...¦ (¦x¦+¦y¦)=$¦5¦^¦2¦~|`<¦tag¦>¦\u201c¦q¦\u201d"});
  }
  void wordsOfKinds() {
    QFETCH(QString, pre);
    QFETCH(QStringList, words);
    for (const QString& wanted : words) {
      QString text = wanted;
      text.remove(QString("¦"));
      QCOMPARE(QString::fromStdString(wordsOf(pre.toUtf8(), text.toStdString())), wanted);
    }
  }

  // The converter names a folder's tokenizer by its way to cut; DeepSeek's have a sequence of no normalizers.
  void kindsAreFoundAgain() {
    for (const char* name : {"llama-bpe", "qwen2", "qwen35", "smollm", "gpt-2", "tekken", "gpt-4o", "kimi-k2",
                             "deepseek-v3", "deepseek-coder", "deepseek-llm"}) {
      const PreKind* const kind = findPreKind(name);
      QVERIFY2(kind != nullptr, name);
      json tokenizer = {{"pre_tokenizer", kind->json()}, {"model", {{"ignore_merges", kind->ignoresMerges}}}};
      if (kind->composes) tokenizer["normalizer"] = {{"type", "NFC"}};
      QCOMPARE(QString::fromStdString(std::string(preKindOf(tokenizer))), QString(name));
      if (kind->composes) continue;
      tokenizer["normalizer"] = {{"type", "Sequence"}, {"normalizers", json::array()}};
      QCOMPARE(QString::fromStdString(std::string(preKindOf(tokenizer))), QString(name));
    }
  }

  void namesAndTemplate() {
    GgufBytes file = ggufOf(readJson("llama3", "tokenizer.json"), "llama-bpe",
                            readJson("llama3", "tokenizer_config.json"));
    file.text("tokenizer.chat_template",
              "{{ bos_token }}{% for message in messages %}<|start_header_id|>{{ message['role'] }}"
              "<|end_header_id|>\n\n{{ message['content'] | trim }}<|eot_id|>{% endfor %}");
    const std::string bytes = file.bytes();
    const GgufFile opened = openBytes(bytes);
    QVERIFY(hasGgufTokenizer(opened));
    const auto tokenizer = readGgufTokenizer(opened);
    QCOMPARE(tokenizer->piece(*tokenizer->eosToken()), std::string("<|eot_id|>"));
    QVERIFY(tokenizer->isSpecial(*tokenizer->bosToken()));
    QCOMPARE(ChatFormat::ofModel(opened).render({{{ChatRole::kUser, "a"}}}).text,
             std::string("<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\na<|eot_id|>"));
    // A llama file that does not name them: SentencePiece's own two, for prompts and for conversations.
    GgufBytes spm;
    spm.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "a"});
    spm.numbers<float>("tokenizer.ggml.scores", GgufType::kFloat32, {0, 0, 0, -1});
    spm.numbers<std::int32_t>("tokenizer.ggml.token_type", GgufType::kInt32, {2, 3, 3, 1});
    spm.text("tokenizer.chat_template",
             "{{ bos_token }}{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + "
             "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}");
    const std::string unnamed = spm.bytes();
    const auto pieces = readGgufTokenizer(openBytes(unnamed));
    QCOMPARE(pieces->piece(*pieces->bosToken()), std::string("<s>"));
    QCOMPARE(pieces->piece(*pieces->eosToken()), std::string("</s>"));
    QVERIFY(ChatFormat::ofModel(openBytes(unnamed))
                .render({{{ChatRole::kUser, "a"}}})
                .text.starts_with("<s><|im_start|>"));
    const std::string bare = GgufBytes().bytes();
    QVERIFY(!hasGgufTokenizer(openBytes(bare)));
    QCOMPARE(QString(ChatFormat::ofModel(openBytes(bare)).name()), QString("plain"));
  }

  // llama.cpp has several names for most ways to cut words.
  void otherNames() {
    for (const auto& [other, first] : {std::pair("falcon3", "llama-bpe"),
                                       {"megrez", "qwen2"},
                                       {"command-r", "smollm"},
                                       {"llama4", "gpt-4o"},
                                       {"hunyuan", "qwen2"},
                                       {"hunyuan-dense", "deepseek-v3"},
                                       {"phi-2", "gpt-2"}}) {
      QVERIFY2(findPreKind(other) != nullptr, other);
      QCOMPARE(findPreKind(other), findPreKind(first));
    }
  }

  void refusals() {
    const auto bpe = [](const std::string& pre) {
      return ggufOf(readJson("gpt2", "tokenizer.json"), pre, json::object());
    };
    VERIFY_REFUSED(tokenizerIn(bpe("gpt-5")), "unsupported", "key tokenizer.ggml.pre is gpt-5");
    VERIFY_REFUSED(tokenizerIn(bpe("gpt-2 tekken")), "unsupported", "key tokenizer.ggml.pre is gpt-2 tekken");
    VERIFY_REFUSED(tokenizerIn(GgufBytes().text("tokenizer.ggml.model", "bert")), "unsupported",
                   "key tokenizer.ggml.model is bert");
    VERIFY_REFUSED(tokenizerIn(GgufBytes().text("tokenizer.ggml.model", "gpt2")), "unsupported",
                   "key tokenizer.ggml.pre is missing");
    VERIFY_REFUSED(tokenizerIn(GgufBytes().text("tokenizer.ggml.model", "llama")), "file_corrupt",
                   "key tokenizer.ggml.tokens is missing or empty");
    GgufBytes twice;
    twice.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
    twice.texts("tokenizer.ggml.tokens", {"a", "b", "a"});
    VERIFY_REFUSED(tokenizerIn(twice), "file_corrupt", "key tokenizer.ggml.tokens has an entry twice: a");
    GgufBytes kinds = bpe("gpt-2");
    kinds.number("tokenizer.ggml.bos_token_id", 100000);
    VERIFY_REFUSED(tokenizerIn(kinds), "file_corrupt", "key tokenizer.ggml.bos_token_id is 100000");
    GgufBytes few;
    few.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", {"<unk>", "a"});
    VERIFY_REFUSED(tokenizerIn(few), "file_corrupt", "key tokenizer.ggml.scores is missing");
    few.numbers<float>("tokenizer.ggml.scores", GgufType::kFloat32, {0});
    VERIFY_REFUSED(tokenizerIn(few), "file_corrupt", "key tokenizer.ggml.scores has 1 entries for 2 tokens");
    GgufBytes kindless;
    kindless.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", {"<unk>"});
    kindless.numbers<float>("tokenizer.ggml.scores", GgufType::kFloat32, {0});
    VERIFY_REFUSED(tokenizerIn(kindless), "file_corrupt", "key tokenizer.ggml.token_type is missing");
    GgufBytes unmerged;
    unmerged.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
    unmerged.texts("tokenizer.ggml.tokens", {"a", "b"});
    VERIFY_REFUSED(tokenizerIn(unmerged), "file_corrupt", "is missing");
    const std::string bytes = unmerged.bytes();
    VERIFY_REFUSED(ggufTokenizerJson(openBytes(bytes)), "file_corrupt", "is missing");
  }

  // A file that names a kind of tokenizer and lacks its tokens is refused; one that says it has none has
  // none.
  void aTokenizerWithoutTokens() {
    for (const auto& [kind, has] : {std::pair("gpt2", true), std::pair("llama", true),
                                    std::pair("none", false), std::pair("no_vocab", false)}) {
      const std::string bytes = GgufBytes().text("tokenizer.ggml.model", kind).bytes();
      QCOMPARE(hasGgufTokenizer(openBytes(bytes)), has);
    }
  }
};

QTEST_APPLESS_MAIN(TestGgufTokenizer)
#include "tst_gguf_tokenizer.moc"
