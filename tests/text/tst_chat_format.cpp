// Chat formats: what transformers' apply_chat_template renders (tests/golden/chat), and recognition.
#include "text_support.h"

#include "vitrine/chat_format.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::vector<ChatMessage> messagesOf(const nlohmann::json& list) {
  std::vector<ChatMessage> messages;
  for (const auto& entry : list) {
    const auto role = entry["role"].get<std::string>();
    messages.push_back({role == "system" ? ChatRole::kSystem
                        : role == "user" ? ChatRole::kUser
                                         : ChatRole::kAssistant,
                        entry["content"]});
  }
  return messages;
}

void write(const QTemporaryDir& folder, const char* name, const std::string& content) {
  std::ofstream(std::filesystem::path(folder.path().toStdString()) / name, std::ios::binary) << content;
}

}  // namespace

class TestChatFormat : public QObject {
  Q_OBJECT

 private slots:
  void sameAsTransformers_data() {
    QTest::addColumn<int>("index");
    const auto golden = readGolden(kGolden / "chat/expected.json");
    QVERIFY2(golden.contains("cases") && golden["cases"].size() > 90,
             "tests/golden/chat is missing; see tests/golden/README.md");
    for (std::size_t i = 0; i < golden["cases"].size(); ++i) {
      const auto& item = golden["cases"][i];
      QTest::newRow((item["template"].get<std::string>() + " " + std::to_string(i)).c_str())
          << static_cast<int>(i);
    }
  }

  void sameAsTransformers() {
    QFETCH(int, index);
    static const auto golden = readGolden(kGolden / "chat/expected.json");
    const auto& item = golden["cases"][static_cast<std::size_t>(index)];
    const auto text = golden["templates"][item["template"].get<std::string>()].get<std::string>();
    const auto bos = item["bos"].is_string() ? item["bos"].get<std::string>() : std::string();
    const ChatFormat format = ChatFormat::fromTemplate(text, bos, item["eos"].get<std::string>());
    QVERIFY(format.recognised());
    QCOMPARE(std::string(format.name()), item["kind"].get<std::string>());
    QCOMPARE(format.canThink(), !item["thinking"].is_null());
    const auto wanted = item["rendered"].get<std::string>();
    QCOMPARE(format.writesBos(), !bos.empty() && wanted.rfind(bos, 0) == 0);
    const bool thinking = item["thinking"].is_boolean() && item["thinking"].get<bool>();
    const std::string rendered = format.render(messagesOf(item["messages"]), thinking);
    QCOMPARE(rendered, wanted);
    const auto tokenizer = loadTokenizer(kGolden / "tokenizers" / item["tokenizer"].get<std::string>());
    const auto ids = tokenizer->encode(rendered, format.addsSpecialTokens());
    QVERIFY(!ids.empty());
    QVERIFY2(ids == item["ids"].get<std::vector<TokenId>>(), wanted.c_str());
  }

  void everyTemplateHasItsCases() {
    const auto golden = readGolden(kGolden / "chat/expected.json");
    QVERIFY(golden["templates"].size() >= 14);
    for (const auto& [name, text] : golden["templates"].items()) {
      const auto named = [&](const auto& item) { return item["template"] == name; };
      QVERIFY2(std::any_of(golden["cases"].begin(), golden["cases"].end(), named), name.c_str());
    }
  }

  void aBosTokenIsWrittenWhereTheTemplateWritesIt() {
    const std::string zephyr = "{{ '<|user|>\n' + message['content'] + eos_token }}<|assistant|>";
    const std::vector<ChatMessage> hi = {{ChatRole::kUser, "Hi"}};
    const std::string wanted = "<|user|>\nHi</s>\n<|assistant|>\n";
    QCOMPARE(ChatFormat::fromTemplate(zephyr).render(hi), wanted);
    QCOMPARE(ChatFormat::fromTemplate("{{ bos_token }}" + zephyr).render(hi), "<s>" + wanted);
    QCOMPARE(ChatFormat::fromTemplate("{{- bos_token -}}" + zephyr, "<b>").render(hi), "<b>" + wanted);
    // A name in a string or a condition writes nothing, nor does a token that the model does not have.
    QVERIFY(!ChatFormat::fromTemplate("{% if bos_token %}{{ 'bos_token' }}{% endif %}" + zephyr).writesBos());
    QCOMPARE(ChatFormat::fromTemplate("{{ bos_token }}" + zephyr, "").render(hi), wanted);
  }

  void unknownTemplatesFallBackAndSaySo() {
    for (const char* text :
         {"{{ messages }}",
          "{% for m in messages %}<|user|>\n{{ m['content'] }}<|end|>\n<|assistant|>\n{% endfor %}",
          "<|im_start|>user<|im_sep|>", "[SYSTEM_PROMPT]x[/SYSTEM_PROMPT][INST]", "{{ 'unfinished", "{%", "",
          "{{ '\\"}) {
      const ChatFormat format = ChatFormat::fromTemplate(text);
      QVERIFY2(!format.recognised(), text);
      QCOMPARE(std::string(format.name()), std::string("plain"));
    }
    const std::vector<ChatMessage> messages = {{ChatRole::kSystem, "Be brief."}, {ChatRole::kUser, "Hi"}};
    QCOMPARE(ChatFormat().render(messages), std::string("Be brief.\n\nUser: Hi\nAssistant:"));
    QVERIFY(ChatFormat().recognised());
  }

  void aTemplateThatAlwaysThinksBeginsTheThought() {
    const ChatFormat format = ChatFormat::fromTemplate(
        "{{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>\\n' }}{%- if "
        "add_generation_prompt %}"
        "{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}");
    QVERIFY(!format.canThink());
    QCOMPARE(format.render({{ChatRole::kUser, "Hi"}}),
             std::string("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n"));
  }

  void aConversationThatEndsInNothingRenders() {
    for (const auto kind : {ChatFormatKind::kPlain, ChatFormatKind::kZephyr, ChatFormatKind::kChatMl,
                            ChatFormatKind::kLlama2, ChatFormatKind::kLlama3, ChatFormatKind::kMistral}) {
      QVERIFY(!ChatFormat(kind).stopStrings().empty());
      ChatFormat(kind).render({});
      ChatFormat(kind).render({{ChatRole::kAssistant, "</think>"}, {ChatRole::kSystem, "late"}});
    }
    QCOMPARE(ChatFormat(ChatFormatKind::kZephyr).render({{ChatRole::kUser, "Hi"}}),
             std::string("<|user|>\nHi</s>\n<|assistant|>\n"));
  }

  void readsTheFilesBesideAModel() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY(ChatFormat::ofModel(path).recognised());
    QCOMPARE(ChatFormat::ofModel(path).kind(), ChatFormatKind::kPlain);
    write(folder, "tokenizer_config.json", "{\"chat_template\": ");
    QVERIFY(errorOf([&] { ChatFormat::ofModel(path); }).rfind("file_corrupt", 0) == 0);
    write(
        folder, "tokenizer_config.json",
        "{\"eos_token\":{\"content\":\"<|end|>\"},\"chat_template\":[{\"name\":\"tool\",\"template\":\"x\"},"
        "{\"name\":\"default\",\"template\":\"{{ '<|user|>\\n' + message['content'] + eos_token "
        "}}<|assistant|>\"}]}");
    QCOMPARE(ChatFormat::ofModel(path).render({{ChatRole::kUser, "Hi"}}),
             std::string("<|user|>\nHi<|end|>\n<|assistant|>\n"));
    write(folder, "chat_template.jinja", "{{'<|im_start|>' + message['role']}}");
    QCOMPARE(ChatFormat::ofModel(path).kind(), ChatFormatKind::kChatMl);
    write(folder, "chat_template.jinja", "{{ nothing known }}");
    QVERIFY(!ChatFormat::ofModel(path).recognised());
  }
};

QTEST_APPLESS_MAIN(TestChatFormat)
#include "tst_chat_format.moc"
