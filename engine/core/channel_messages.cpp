#include "core/channel_messages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/begun_mark.h"
#include "vitrine/blanks.h"

namespace vitrine {
namespace {

using HeaderState = ChannelHeader::State;
using MessageKind = ChannelMessage::Kind;

constexpr std::string_view kAuthor = "<|start|>", kMarkBegin = "<|", kMarkEnd = "|>";
constexpr std::array kEnds = {kMessageEnd, kCallMessageEnd, std::string_view("<|return|>")};
constexpr std::array kChannels = {std::pair(std::string_view("analysis"), Channel::kAnalysis),
                                  std::pair(std::string_view("commentary"), Channel::kCommentary),
                                  std::pair(std::string_view("final"), Channel::kFinal)};

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

// Takes what it expects, one thing after the other.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : m_text(text), m_rest(text) {}

  ChannelHeader read() {
    ChannelHeader header;
    take(kMessageStart);
    takeRecipient(header.recipient);
    if (take(kChannelMark) && takeChannel(header.channel)) {
      if (header.recipient.empty()) takeRecipient(header.recipient);
      skipBlanks();
      take(kConstrainMark);
      takeWord();  // the form of the message, "json"
      skipBlanks();
      if (take(kMessageMark)) header.state = HeaderState::kWhole;
    }
    if (m_isCut) header.state = HeaderState::kBegun;
    header.size = m_text.size() - m_rest.size();
    return header;
  }

 private:
  // Once the text has ended within something, nothing more is taken.
  bool take(std::string_view mark) {
    if (m_isCut || !m_rest.starts_with(mark)) {
      m_isCut = m_isCut || mark.starts_with(m_rest);
      return false;
    }
    m_rest.remove_prefix(mark.size());
    return true;
  }

  std::string_view takeWord() {
    const auto end = std::ranges::find_if_not(m_rest, isOfWord);
    const std::string_view word = m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
    m_rest.remove_prefix(word.size());
    return word;
  }

  void takeRecipient(std::string_view& recipient) {
    skipBlanks();
    if (take("to=")) recipient = takeWord();
    skipBlanks();
  }

  bool takeChannel(Channel& channel) {
    return std::ranges::any_of(kChannels, [&](const auto& one) {
      channel = one.second;
      return take(one.first);
    });
  }

  void skipBlanks() { m_rest = withoutBlanksBefore(m_rest); }

  std::string_view m_text, m_rest;
  bool m_isCut = false;
};

struct Ending {
  std::size_t begin = std::string_view::npos, end = begin;
};

Ending endOf(std::string_view text) {
  for (std::size_t at = text.find(kMarkBegin); at != std::string_view::npos;
       at = text.find(kMarkBegin, at + 1))
    for (const std::string_view mark : kEnds)
      if (text.substr(at).starts_with(mark)) return {at, at + mark.size()};
  return {};
}

MessageKind kindOf(const ChannelHeader& header) {
  if (!header.recipient.empty()) return MessageKind::kCall;
  return header.channel == Channel::kAnalysis ? MessageKind::kThought : MessageKind::kWords;
}

class MessageReader {
 public:
  MessageReader(std::string_view answer, bool ended) : m_rest(answer), m_ended(ended) {}

  std::optional<std::vector<ChannelMessage>> read(bool thinks) {
    ChannelHeader header = nextHeader();
    if (header.state == HeaderState::kNone) {
      if (!thinks) return std::nullopt;
      take(MessageKind::kThought, 0);
      header = nextHeader();
    }
    for (; header.state == HeaderState::kWhole; header = nextHeader()) take(kindOf(header), header.size);
    // A model that forgets the header of its answer. Another author's message is none of the answer.
    if (header.state == HeaderState::kNone && isBehindThought() && saysWords()) take(MessageKind::kWords, 0);
    return std::move(m_messages);
  }

 private:
  // Of a header that a limit cut, a whole mark is left.
  ChannelHeader nextHeader() {
    const std::string_view text = withoutBlanksBefore(m_rest);
    ChannelHeader header = channelHeader(text);
    const bool isText = m_ended && text.find(kMarkEnd) == std::string_view::npos;
    if (header.state == HeaderState::kBegun && isText) header.state = HeaderState::kNone;
    if (header.state == HeaderState::kWhole) m_rest = text;
    return header;
  }

  void take(MessageKind kind, std::size_t headerSize) {
    const std::string_view body = m_rest.substr(headerSize);
    const Ending ending = endOf(body);
    const bool hasEnded = ending.begin != std::string_view::npos;
    std::string_view text = body.substr(0, ending.begin);
    if (!hasEnded && !m_ended) text = withoutBegunMark(text, kEnds);
    if (kind == MessageKind::kCall) text = hasEnded ? m_rest.substr(0, headerSize + ending.end) : m_rest;
    m_messages.push_back({kind, text, hasEnded});
    m_rest = hasEnded ? body.substr(ending.end) : std::string_view();
  }

  bool isBehindThought() const { return m_messages.back().kind == MessageKind::kThought; }
  bool saysWords() const {
    const std::string_view text = withoutBlanksBefore(m_rest);
    return !text.empty() && !text.starts_with(kAuthor);
  }

  std::string_view m_rest;
  bool m_ended;
  std::vector<ChannelMessage> m_messages;
};

}  // namespace

ChannelHeader channelHeader(std::string_view text) { return HeaderReader(text).read(); }

std::optional<std::vector<ChannelMessage>> channelMessages(std::string_view answer, bool thinks, bool ended) {
  return MessageReader(answer, ended).read(thinks);
}

}  // namespace vitrine
