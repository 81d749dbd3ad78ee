#include "lessons/lesson_text.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "common/json_files.h"
#include "lessons/lesson_links.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr std::size_t kMostPages = 100;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct TextLine {
  std::string_view text;  // without its end
  int number = 0;
};

std::vector<TextLine> linesOf(std::string_view text) {
  std::vector<TextLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, static_cast<int>(lines.size()) + 1});
    begin = end + 1;
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The bytes of the character at the front; 0: they are not UTF-8.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return first == 0 ? 0 : 1;  // no NUL either
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F, beyond = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool isFrontMatterEdge(std::string_view line) { return trimmed(line) == "---" && line.starts_with('-'); }

// The title of a "## " heading; null for any other line.
std::optional<std::string_view> headingOf(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || first > 3) return std::nullopt;
  line.remove_prefix(first);
  if (!line.starts_with("##") || (line.size() > 2 && line[2] != ' ' && line[2] != '\t')) return std::nullopt;
  std::string_view title = trimmed(line.substr(2));
  const std::size_t closing = title.find_last_not_of('#');  // "## Title ##"
  if (closing == std::string_view::npos) return std::string_view();
  if (closing + 1 < title.size() && title[closing] == ' ') title = trimmed(title.substr(0, closing + 1));
  return title;
}

struct TaskItem {
  std::string_view text;
  bool right = false;
};

// "- [x] text"; null for any other line.
std::optional<TaskItem> taskItemOf(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || first > 3) return std::nullopt;
  line.remove_prefix(first);
  if (line.find_first_of("-*+") != 0) return std::nullopt;
  line = trimmed(line.substr(1));
  if (line.size() < 3 || line[0] != '[' || line[2] != ']') return std::nullopt;
  const bool right = line[1] == 'x' || line[1] == 'X';
  if (!right && line[1] != ' ') return std::nullopt;
  if (line.size() > 3 && line[3] != ' ' && line[3] != '\t') return std::nullopt;  // a link
  return TaskItem{trimmed(line.substr(3)), right};
}

class LessonReader {
 public:
  LessonReader(std::string name, std::vector<LessonProblem>& problems) : m_problems(problems) {
    m_lesson.name = m_lesson.title = std::move(name);
  }

  Lesson read(std::string_view text);

 private:
  void fault(int line, std::string words, std::string hint) {
    m_problems.push_back({line, std::move(words), std::move(hint)});
  }
  std::size_t readFrontMatter(const std::vector<TextLine>& lines);  // the number of its lines
  void readKey(const TextLine& line);
  int wholeNumberOf(std::string_view value, const TextLine& line);
  void beginPage(std::string_view title, int line);
  void endPage();
  void takeLine(const TextLine& line);
  bool takeChoiceLine(const TextLine& line);
  void readLinks();
  void readLinksOf(const LessonChoice& choice);
  std::optional<LessonAction> actionOf(const LinkInText& link, int line);

  std::vector<LessonProblem>& m_problems;
  Lesson m_lesson;
  std::set<std::string, std::less<>> m_keys;  // of the front matter
  LessonPage m_page;
  std::vector<TextLine> m_lines;  // of the page's text
  CodeFence m_fence;
  bool m_inChoice = false;    // the line before was of a choice
  bool m_afterEmpty = false;  // and empty lines came since
};

int LessonReader::wholeNumberOf(std::string_view value, const TextLine& line) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= 0) return number;
  fault(line.number, "\"" + forMessage(value, 60) + "\" is not a whole number of 0 or more", "write 10");
  return 0;
}

void LessonReader::readKey(const TextLine& line) {
  const std::size_t colon = std::min(line.text.find(':'), line.text.size());
  const std::string_view key = trimmed(line.text.substr(0, colon));
  std::string_view value = trimmed(line.text.substr(std::min(colon + 1, line.text.size())));
  if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
    value = value.substr(1, value.size() - 2);
  constexpr const char* kKeys = "front matter has title, about, order and minutes, each in a line";
  if (colon == line.text.size()) {
    fault(line.number, "\"" + forMessage(key, 60) + "\" is no \"key: value\"", kKeys);
  } else if (!m_keys.emplace(key).second) {
    fault(line.number, "the key \"" + forMessage(key, 60) + "\" is there twice", "leave one out");
  } else if (key == "title") {
    m_lesson.title = value;
  } else if (key == "about") {
    m_lesson.about = value;
  } else if (key == "order") {
    m_lesson.order = wholeNumberOf(value, line);
  } else if (key == "minutes") {
    m_lesson.minutes = wholeNumberOf(value, line);
  } else {
    fault(line.number, "there is no key \"" + forMessage(key, 60) + "\"", kKeys);
  }
}

std::size_t LessonReader::readFrontMatter(const std::vector<TextLine>& lines) {
  constexpr const char* kForm = "begin with a line ---, then \"title: ...\" and \"about: ...\", then ---";
  if (lines.empty() || !isFrontMatterEdge(lines[0].text)) {
    fault(1, "the lesson has no front matter", kForm);
    return 0;
  }
  std::size_t end = 1;
  while (end < lines.size() && !isFrontMatterEdge(lines[end].text) && !headingOf(lines[end].text)) ++end;
  const bool closed = end < lines.size() && isFrontMatterEdge(lines[end].text);
  if (!closed) {
    fault(1, "the front matter does not end", "write a line --- behind it");
    return end;
  }
  for (std::size_t i = 1; i < end; ++i)
    if (!trimmed(lines[i].text).empty()) readKey(lines[i]);
  if (!m_keys.contains("title") || m_lesson.title.empty())
    fault(1, "the lesson has no title", "write \"title: ...\" into the front matter");
  if (m_lesson.about.empty())
    fault(1, "the lesson does not say what it is about", "write \"about: ...\" into the front matter");
  return end + 1;
}

void LessonReader::beginPage(std::string_view title, int line) {
  endPage();
  m_page.title = title;
  m_page.line = line;
  if (title.empty()) fault(line, "the page has no title", "write it behind ##");
}

void LessonReader::takeLine(const TextLine& line) {
  const bool code = m_fence.takes(line.text);
  if (!code) {
    if (const auto title = headingOf(line.text)) return beginPage(*title, line.number);
    if (takeChoiceLine(line)) return;
  }
  m_inChoice = false;
  m_lines.push_back(line);
}

// A choice, or a line of the one before.
bool LessonReader::takeChoiceLine(const TextLine& line) {
  const bool empty = trimmed(line.text).empty();
  if (const auto item = taskItemOf(line.text)) {
    if (item->text.empty()) fault(line.number, "the choice has no text", "write it behind the box");
    m_page.choices.push_back({std::string(item->text), {}, item->right, line.number});
    m_inChoice = true;
    m_afterEmpty = false;
    return true;
  }
  if (!m_inChoice) return false;
  if (empty) {
    m_afterEmpty = true;
    return true;
  }
  if (line.text.starts_with("  ") || line.text.starts_with('\t')) {
    std::string& because = m_page.choices.back().because;
    if (!because.empty()) because += m_afterEmpty ? "\n\n" : "\n";
    because += trimmed(line.text);
    m_afterEmpty = false;
    return true;
  }
  if (!m_afterEmpty)
    fault(line.number, "the line belongs to no choice",
          "indent it by two spaces when it says why, or leave an empty line before it");
  return false;
}

std::optional<LessonAction> LessonReader::actionOf(const LinkInText& link, int line) {
  try {
    auto action = actionOfLink(link.address);
    if (!action) return std::nullopt;
    if (link.form != LinkForm::kInline)
      throw UsageError("an action has its address behind its words", "write [words](" + link.address + ")");
    if (link.words.empty())
      throw UsageError("the action has no words", "write what is done between [ and ], a verb first");
    action->words = link.words;
    action->line = line;
    return action;
  } catch (const UsageError& error) {
    fault(line, error.what(), error.hint());
    return std::nullopt;
  }
}

void LessonReader::readLinks() {
  const std::string text = withoutCodeBlocks(m_page.text);
  std::size_t seen = 0, line = 0;
  for (const LinkInText& link : linksIn(text)) {
    line +=
        static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(seen),
                                            text.begin() + static_cast<std::ptrdiff_t>(link.begin), '\n'));
    seen = link.begin;
    if (auto action = actionOf(link, m_lines[line].number)) m_page.actions.push_back(*std::move(action));
  }
}

void LessonReader::readLinksOf(const LessonChoice& choice) {
  for (const LinkInText& link : linksIn(choice.text + "\n\n" + choice.because))
    if (actionOf(link, choice.line))
      fault(choice.line, "an action stands in a choice", "move the link into the page's text");
}

void LessonReader::endPage() {
  const auto isEmpty = [](const TextLine& line) { return trimmed(line.text).empty(); };
  m_lines.erase(m_lines.begin(), std::ranges::find_if_not(m_lines, isEmpty));
  while (!m_lines.empty() && isEmpty(m_lines.back())) m_lines.pop_back();
  const bool isFirst = m_lesson.pages.empty() && m_page.line == 0;
  if (isFirst && !m_lines.empty()) m_page.line = m_lines.front().number;
  if (isFirst && m_lines.empty() && !m_page.choices.empty()) m_page.line = m_page.choices.front().line;
  for (const TextLine& line : m_lines) m_page.text.append(line.text).append("\n");
  if (!m_page.text.empty()) m_page.text.pop_back();
  readLinks();
  for (const LessonChoice& choice : m_page.choices) readLinksOf(choice);
  if (m_page.line > 0) {
    if (isFirst) m_page.title = m_lesson.title;
    if (m_lesson.pages.size() == kMostPages)
      fault(m_page.line, "the lesson has more than " + std::to_string(kMostPages) + " pages",
            "make two lessons of it");
    if (m_lesson.pages.size() < kMostPages) m_lesson.pages.push_back(std::move(m_page));
  }
  m_page = {};
  m_lines.clear();
  m_inChoice = m_afterEmpty = false;
}

Lesson LessonReader::read(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.size() > kMostLessonBytes) {
    fault(1, "the lesson is larger than 1 MiB", "make two lessons of it");
    text = {};
  }
  std::vector<TextLine> lines = linesOf(text);
  for (TextLine& line : lines)
    if (!isUtf8(line.text)) {
      fault(line.number, "the line is not UTF-8", "save the file as UTF-8");
      line.text = {};
    }
  if (!lines.empty() || m_problems.empty())
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(readFrontMatter(lines)));
  for (const TextLine& line : lines) takeLine(line);
  endPage();
  if (m_lesson.pages.empty()) {
    if (m_problems.empty()) fault(1, "the lesson has no page", "write a text behind the front matter");
    m_lesson.pages.push_back({.title = m_lesson.title, .text = {}, .actions = {}, .choices = {}, .line = 1});
  }
  std::ranges::stable_sort(m_problems, {}, &LessonProblem::line);
  return std::move(m_lesson);
}

}  // namespace

Lesson lessonFromText(std::string_view text, const std::string& name, std::vector<LessonProblem>& problems) {
  problems.clear();
  return LessonReader(name, problems).read(text);
}

Lesson lessonFromText(std::string_view text, const std::string& name) {
  std::vector<LessonProblem> problems;
  Lesson lesson = lessonFromText(text, name, problems);
  if (problems.empty()) return lesson;
  const LessonProblem& first = problems.front();
  throw UsageError("line " + std::to_string(first.line) + ": " + first.words, first.hint);
}

bool looksLikeLesson(std::string_view text) {
  constexpr std::size_t kLongestFrontMatter = 4096;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::vector<TextLine> lines = linesOf(text.substr(0, kLongestFrontMatter));
  if (lines.empty() || !isFrontMatterEdge(lines[0].text)) return false;
  bool titled = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (isFrontMatterEdge(lines[i].text)) return titled;
    titled = titled || lines[i].text.starts_with("title:");
  }
  return false;
}

}  // namespace vitrine
