#include "gui/machine/prompt_query.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "common/chat_prompt.h"
#include "vitrine/blanks.h"
#include "vitrine/prompt_spans.h"

namespace vitrine {
namespace {

// The places of a template's tags and of the text between them, by line and column.
class TemplatePlaces {
 public:
  explicit TemplatePlaces(std::string_view source) : m_source(source) {
    m_lines.push_back(0);
    for (std::size_t i = 0; i < source.size(); ++i)
      if (source[i] == '\n') m_lines.push_back(i + 1);
  }

  PromptWriter at(int line, int column) const {
    const std::size_t begin = offset(line, column);
    const bool isTag = m_source.substr(begin, 2) == "{{";
    const std::size_t end = isTag ? m_source.find("}}", begin) : nextTag(begin);
    return {line, begin, end == std::string_view::npos ? m_source.size() : end + (isTag ? 2 : 0)};
  }

 private:
  // Columns count code points.
  std::size_t offset(int line, int column) const {
    if (line < 1 || line > std::ssize(m_lines)) return m_source.size();
    std::size_t at = m_lines[static_cast<std::size_t>(line - 1)];
    for (int left = column - 1; left > 0 && at < m_source.size(); --left) do
        ++at;
      while (at < m_source.size() && (static_cast<unsigned char>(m_source[at]) & 0xC0U) == 0x80);
    return at;
  }
  std::size_t nextTag(std::size_t from) const {
    std::size_t end = std::string_view::npos;
    for (const char* tag : {"{{", "{%", "{#"}) end = std::min(end, m_source.find(tag, from));
    return end;
  }

  std::string_view m_source;
  std::vector<std::size_t> m_lines;
};

bool touches(const TextRange& a, const TextRange& b) { return a.begin < b.end && b.begin < a.end; }

// As <think> is spelled, which files do not list among the special tokens.
bool hasNameOfMark(const std::string& text) {
  return text.size() > 2 && text.front() == '<' && text.back() == '>' &&
         text.find_first_of(" \n") == std::string::npos;
}

// The tokens of a prompt, each with its part of the text.
class Reading {
 public:
  Reading(const Tokenizer& tokenizer, const PromptText& prompt, std::vector<TokenId> ids)
      : m_tokenizer(tokenizer),
        m_prompt(prompt),
        m_ids(std::move(ids)),
        m_ranges(tokenRanges(tokenizer, prompt.text, m_ids)) {}

  const std::vector<TextRange>& ranges() const { return m_ranges; }

  // Names of special tokens that stand in a message, where they are read as such.
  std::vector<TextRange> marksInMessages() const {
    const std::vector<TextRange> written = m_prompt.written();
    std::vector<TextRange> marks;
    for (std::size_t i = 0; i < m_ids.size(); ++i)
      if (isMark(i) && m_ranges[i].begin < m_ranges[i].end &&
          std::ranges::any_of(written, [&](const TextRange& one) { return touches(one, m_ranges[i]); }))
        marks.push_back(m_ranges[i]);
    return marks;
  }
  int tokensIn(const std::vector<TextRange>& marks) const {
    return static_cast<int>(std::ranges::count_if(m_ranges, [&](const TextRange& range) {
      return std::ranges::any_of(marks, [&](const TextRange& mark) { return touches(mark, range); });
    }));
  }

  void tell(SeenPrompt& seen, const std::vector<TextRange>& typed) const {
    const TemplatePlaces places(seen.source);
    std::map<std::pair<int, int>, int> writers;
    std::size_t part = 0, mark = 0;
    for (std::size_t i = 0; i < m_ids.size(); ++i) {
      const TextRange range = m_ranges[i];
      while (part + 1 < m_prompt.parts.size() && m_prompt.parts[part].range.end <= range.begin) ++part;
      while (mark < typed.size() && typed[mark].end <= range.begin) ++mark;
      SeenToken token{.id = m_ids[i], .isMark = isMark(i)};
      token.isTyped = mark < typed.size() && touches(typed[mark], range);
      const bool isSpelled = range.begin < range.end;
      if (isSpelled && part < m_prompt.parts.size()) {
        const PromptPart& from = m_prompt.parts[part];
        token.isWritten = from.written;
        token.message = messageOf(part);
        const auto [known, isNew] =
            writers.try_emplace({from.line, from.column}, static_cast<int>(seen.writers.size()));
        if (isNew) seen.writers.push_back(places.at(from.line, from.column));
        token.writer = known->second;
      }
      const std::string spelled = m_prompt.text.substr(range.begin, range.end - range.begin);
      token.isMark = token.isMark || (!token.isWritten && hasNameOfMark(spelled));
      token.continues = isSpelled && i > 0 && m_ranges[i - 1].begin == range.begin;
      token.text = !isSpelled || isMark(i) ? m_tokenizer.piece(m_ids[i])
                   : token.continues       ? std::string()
                                           : spelled;
      seen.tokens.push_back(std::move(token));
    }
    int first = static_cast<int>(seen.tokens.size());
    while (first > 0 && seen.tokens[static_cast<std::size_t>(first - 1)].message < 0) --first;
    if (first < std::ssize(seen.tokens)) seen.answerBegins = first;
  }

 private:
  // Text that one tag writes around a message's words belongs to the message, also outside of a loop.
  int messageOf(std::size_t part) const {
    const std::vector<PromptPart>& parts = m_prompt.parts;
    const auto isOfTag = [&](const PromptPart& one) {
      return one.line == parts[part].line && one.column == parts[part].column;
    };
    for (std::size_t i = part; i < parts.size() && isOfTag(parts[i]); ++i)
      if (parts[i].message >= 0) return parts[i].message;
    for (std::size_t i = part; i > 0 && isOfTag(parts[i - 1]); --i)
      if (parts[i - 1].message >= 0) return parts[i - 1].message;
    return -1;
  }
  bool isMark(std::size_t i) const { return m_tokenizer.isSpecial(m_ids[i]); }

  const Tokenizer& m_tokenizer;
  const PromptText& m_prompt;
  const std::vector<TokenId> m_ids;
  const std::vector<TextRange> m_ranges;
};

// The words of a message that the template was given, as OpenAI's API has it.
QString wordsOf(const QJsonObject& message) { return message["content"].toString().trimmed(); }
QStringList callsOf(const QJsonObject& message) {
  QStringList names;
  for (const auto& call : message["tool_calls"].toArray())
    names << call.toObject()["function"].toObject()["name"].toString();
  return names;
}

// Of an answer that calls tools: whether all that the prompt has from it is of its calls. Templates write
// arguments in another order, and with other spaces, but with the same words.
bool isOfCallsAlone(const QString& written, const QJsonObject& message) {
  static const QRegularExpression kWord(QStringLiteral("\\w+"),
                                        QRegularExpression::UseUnicodePropertiesOption);
  const auto wordsIn = [](const QString& text) {
    QSet<QString> words;
    for (auto match = kWord.globalMatch(text); match.hasNext();) words << match.next().captured();
    return words;
  };
  const QByteArray calls =
      QJsonDocument(message["tool_calls"].toArray()).toJson(QJsonDocument::Compact).replace('\\', ' ');
  return wordsIn(QString::fromUtf8(calls)).contains(wordsIn(written));
}

// Messages of which nothing stands in the prompt; one without words leaves nothing out. Then, of answers that
// call tools, words or calls that do not.
void findMessagesLeftOut(SeenPrompt& seen, const PromptText& prompt) {
  using Part = LeftOutMessage::Part;
  const QJsonArray messages = QJsonDocument::fromJson(QByteArray::fromStdString(seen.messages)).array();
  const auto leaveOut = [&](int message, const QString& text, Part part) {
    if (!text.isEmpty()) seen.messagesLeftOut.push_back({message, text.toStdString(), part});
  };
  std::map<int, QString> written;  // of answers that call tools, what the prompt has of them
  for (int i = 0; i < messages.size(); ++i)
    if (!callsOf(messages.at(i).toObject()).isEmpty()) written[i];
  for (const int message : messagesLeftOut(prompt)) {
    const QJsonObject object = messages.at(message).toObject();
    const QString words = wordsOf(object);
    leaveOut(message, words.isEmpty() ? callsOf(object).join(QStringLiteral(", ")) : words, Part::kAll);
    written.erase(message);
  }
  for (const PromptPart& part : prompt.parts)
    if (const auto of = written.find(part.message); of != written.end() && part.written)
      of->second +=
          QString::fromStdString(prompt.text.substr(part.range.begin, part.range.end - part.range.begin)) +
          u' ';
  for (const auto& [message, text] : written) {
    const QJsonObject object = messages.at(message).toObject();
    const QString words = wordsOf(object);
    QStringList calls;
    for (const QString& name : callsOf(object))
      if (!text.contains(name)) calls << name;
    if (!text.contains(words) && isOfCallsAlone(text, object)) leaveOut(message, words, Part::kWords);
    leaveOut(message, calls.join(QStringLiteral(", ")), Part::kCalls);
  }
  std::ranges::stable_sort(seen.messagesLeftOut, {}, &LeftOutMessage::message);
}

void findThoughts(SeenPrompt& seen, const Tokenizer& tokenizer, const Dialogue& dialogue) {
  for (std::size_t i = 0; i < dialogue.messages.size(); ++i) {
    const std::string_view thought = trimmed(dialogue.messages[i].thinking);
    if (thought.empty() || seen.text.find(thought) != std::string::npos) continue;
    seen.thoughtsLeftOut.push_back(static_cast<int>(i));
    seen.thoughtTokensLeftOut += static_cast<int>(tokenizer.encode(thought, false).size());
  }
}

// A mark or two may open the thought: <think>, or <|channel|>analysis<|message|>.
constexpr std::size_t kMostBeforeThought = 40;  // bytes

void compareWithBefore(SeenPrompt& seen, const Engine& engine, const PromptQuery& query) {
  if (query.before.empty()) return;
  const auto theirs = std::ranges::mismatch(seen.tokens, query.before, {}, &SeenToken::id).in2;
  PromptBefore& before = seen.before;
  before.tokens = static_cast<int>(query.before.size());
  before.promptTokens = query.beforePrompt;
  before.shared = static_cast<int>(theirs - query.before.begin());
  before.isCached = engine.description().options.prefixCache;
  if (theirs == query.before.end()) return;
  const Tokenizer& tokenizer = *engine.tokenizer();
  before.theirs = tokenizer.decode({&*theirs, 1}, false);
  const std::string rest = tokenizer.decode({theirs, query.before.end()}, false);
  before.hasThought = std::ranges::any_of(seen.thoughtsLeftOut, [&](int message) {
    const std::string& thought = query.dialogue.messages[static_cast<std::size_t>(message)].thinking;
    return rest.find(trimmed(thought)) <= kMostBeforeThought;
  });
}

}  // namespace

SeenPrompt showPrompt(const Engine& engine, const PromptQuery& query) {
  const ChatFormat& format = engine.chatFormat();
  SeenPrompt seen;
  seen.source = format.chatTemplate().text();
  seen.place = format.chatTemplate().place();
  seen.isPlain = format.addsSpecialTokens();
  seen.problem = format.problem();
  seen.typedMarksCount = query.dialogue.typedMarks;
  try {
    const ReadPrompt read = readPrompt(engine, query.dialogue, query.thought);
    const Tokenizer& tokenizer = *engine.tokenizer();
    const std::vector<TextRange> written = read.prompt.written();
    const auto idsOf = [&](bool typedMarks) {
      if (typedMarks == query.dialogue.typedMarks) return read.ids;
      const std::vector<TextRange> asText = typedMarks ? std::vector<TextRange>() : written;
      return tokenizer.encode(read.prompt.text, format.addsSpecialTokens(), asText);
    };
    const Reading asMarks(tokenizer, read.prompt, idsOf(true));
    const Reading asText(tokenizer, read.prompt, idsOf(false));
    const std::vector<TextRange> typed = asMarks.marksInMessages();
    seen.text = read.prompt.text;
    seen.roles = read.prompt.roles;
    seen.typedMarks = static_cast<int>(typed.size());
    seen.typedAsText = asText.tokensIn(typed);
    (query.dialogue.typedMarks ? asMarks : asText).tell(seen, typed);
    const Conversation told = format.conversation(query.dialogue);
    seen.messages = told.messages;
    seen.tools = told.tools;
    seen.variables = told.variables;
    findMessagesLeftOut(seen, read.prompt);
    findThoughts(seen, tokenizer, query.dialogue);
    compareWithBefore(seen, engine, query);
  } catch (const ChatRefusal& refusal) {
    seen.refusal = refusal.what();
  } catch (const EngineError& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    seen.refusal = error.what();
  }
  return seen;
}

}  // namespace vitrine
