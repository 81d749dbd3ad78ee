#include "prose/speaker.h"

#include <algorithm>
#include <string_view>

#include "vitrine/prose/words.h"

namespace vitrine::prose {
namespace {

void replaceAll(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string Pattern::filled(const std::vector<std::string>& values) const {
  std::string text;
  for (std::size_t i = 0; i < m_text.size(); ++i) {
    const bool placeholder = m_text[i] == '%' && i + 1 < m_text.size() && m_text[i + 1] >= '1' &&
                             m_text[i + 1] < '1' + static_cast<int>(values.size());
    if (placeholder)
      text += values[static_cast<std::size_t>(m_text[++i] - '1')];
    else
      text += m_text[i];
  }
  return text;
}

Pattern Speaker::tr(const char* text, std::nullptr_t, int count) const {
  std::string pattern = m_language.translate(text, count);
  replaceAll(pattern, "%n", m_language.number(count));
  replaceAll(pattern, "(s)", count == 1 ? "" : "s");
  return {std::move(pattern), m_language};
}

std::string Speaker::requestName(RequestId id) const {
  return m_names.request ? m_names.request(id) : tr("request %1").arg(id);
}

std::string Speaker::rejection(const std::string& name, const std::string& reason) const {
  if (name.empty()) return tr("A request is rejected: %1").arg(reason);
  return tr("“%1” is rejected: %2").arg(name, reason);
}

std::string Speaker::sequence(SequenceId id) const {
  std::string name = m_names.sequence ? m_names.sequence(id) : tr("sequence %1").arg(id);
  return linked(std::move(name), {.sequence = id});
}

std::string Speaker::linked(std::string part, const Target& target) const {
  return m_names.link && !target.isEmpty() ? m_names.link(std::move(part), target) : part;
}

std::string Speaker::token(TokenId id, const PrefixMissed& missed) const {
  const std::string text = m_names.token ? m_names.token(id, missed) : std::string();
  return text.empty() ? tr("token %1").arg(id) : tr("token %1 “%2”").arg(id, visibleText(text));
}

std::string Speaker::blocks(int count) const { return tr("%n block(s)", nullptr, count); }
std::string Speaker::tokens(int count) const { return tr("%n token(s)", nullptr, count); }
std::string Speaker::sequences(int count) const { return tr("%n sequence(s)", nullptr, count); }

std::string Speaker::enumerated(const std::vector<std::string>& parts, int others) const {
  std::string list = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool isLast = others == 0 && i + 1 == parts.size();
    list = (isLast ? tr("%1 and %2") : tr("%1, %2")).arg(list, parts[i]);
  }
  return others == 0 ? list : std::string(tr("%1 and %n more", nullptr, others).arg(list));
}

std::string Speaker::positions(int first, int count, SequenceId of) const {
  std::string words =
      count == 1 ? tr("position %1").arg(first) : tr("positions %1 to %2").arg(first, first + count - 1);
  return of == 0 ? words : linked(std::move(words), {.sequence = of, .position = first});
}

std::string Speaker::optionName(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string Speaker::fault(const std::string& message, const std::string& hint) const {
  return hint.empty() ? tr("%1.").arg(message) : tr("%1. Hint: %2.").arg(message, hint);
}

}  // namespace vitrine::prose
