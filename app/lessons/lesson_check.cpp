#include "lessons/lesson_check.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "lessons/lesson_links.h"
#include "lessons/lesson_options.h"
#include "scenarios/scenario_edits.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

constexpr int kLeastBullets = 3, kMostBullets = 5;  // of the summary

// The first byte of a character of three or four bytes from U+2E80 on: Chinese, Japanese, Korean.
bool beginsWideCharacter(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first == 0xE2 && at + 1 < text.size()) return static_cast<unsigned char>(text[at + 1]) >= 0xBA;
  return first >= 0xE3;
}

std::filesystem::path folderOf(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).lexically_normal().parent_path();
}

// "zh_CN", "de".
bool isLanguageFolder(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  const auto isLower = [&](std::size_t i) { return name[i] >= 'a' && name[i] <= 'z'; };
  return name.size() >= 2 && isLower(0) && isLower(1) && (name.size() == 2 || name[2] == '_');
}

int bulletsIn(const std::string& text) {
  std::istringstream lines(withoutCodeBlocks(text));
  int bullets = 0;
  for (std::string line; std::getline(lines, line);)
    bullets += line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") ? 1 : 0;
  return bullets;
}

bool namesASource(const LessonPage& page) {
  return std::ranges::any_of(linksIn(withoutCodeBlocks(page.text)), [](const LinkInText& link) {
    return link.address.find("://arxiv.org/") != std::string::npos ||
           link.address.find("://doi.org/") != std::string::npos;
  });
}

bool sameOptions(const EngineOptions& one, const EngineOptions& other) {
  bool same = true;
  forEachEngineOption([&](const auto&, const auto& access) { same = same && access(one) == access(other); });
  return same;
}

class LessonForm {
 public:
  explicit LessonForm(const Lesson& lesson) : m_lesson(lesson) {}

  std::vector<LessonProblem> problems() {
    checkEnd();
    checkQuestions();
    for (const LessonPage& page : m_lesson.pages) {
      checkLength(page);
      for (const LessonAction& action : page.actions) check(action);
    }
    std::ranges::stable_sort(m_problems, {}, &LessonProblem::line);
    return std::move(m_problems);
  }

 private:
  void fault(int line, std::string words, std::string hint) {
    m_problems.push_back({line, std::move(words), std::move(hint)});
  }

  void checkEnd() {
    const std::vector<LessonPage>& pages = m_lesson.pages;
    const LessonPage& last = pages.back();
    if (!namesASource(last))
      fault(last.line, "the last page names no source",
            "end with \"## Further reading\" and at least one link to arxiv.org or doi.org");
    if (pages.size() < 2) return fault(last.line, "the lesson has no summary", "write \"## Summary\"");
    const LessonPage& summary = pages[pages.size() - 2];
    const int bullets = bulletsIn(summary.text);
    if (bullets < kLeastBullets || bullets > kMostBullets)
      fault(summary.line, "the summary has " + std::to_string(bullets) + " bullets",
            "write three to five on the page before the last");
    for (const LessonPage* page : {&summary, &last}) {
      const char* const name = page == &last ? "the further reading" : "the summary";
      if (!page->actions.empty())
        fault(page->actions.front().line, std::string(name) + " has an action", "move it to a page before");
      if (!page->choices.empty())
        fault(page->choices.front().line, std::string(name) + " has a question", "move it to a page before");
    }
  }

  void checkQuestions() {
    const auto asks = [](const LessonPage& page) { return !page.choices.empty(); };
    if (std::ranges::none_of(m_lesson.pages, asks))
      fault(1, "the lesson asks nothing", "give a page choices: \"- [ ] one\" and \"- [x] the right one\"");
    for (const LessonPage& page : m_lesson.pages) {
      if (page.choices.empty()) continue;
      const int line = page.choices.front().line;
      if (page.choices.size() == 1) fault(line, "the question has one choice", "write two or more");
      if (std::ranges::none_of(page.choices, &LessonChoice::right))
        fault(line, "no choice of the question is right", "write [x] before each right one");
    }
  }

  void checkLength(const LessonPage& page) {
    const int words = wordsOfPage(page);
    if (words > kMostWordsOfAPage)
      fault(page.line, "the page has " + std::to_string(words) + " words",
            "write at most 110, or make two pages of it");
  }

  void check(const LessonAction& action) {
    switch (action.deed) {
      case LessonDeed::kScenario:
        m_playing.reset();
        m_began = true;
        m_playing = checkedScenario(action);
        break;
      case LessonDeed::kCompare:
        checkedScenario(action);
        break;
      case LessonDeed::kUntil:
        if (requiresScenario(action) && m_playing) checkRequest(action);
        break;
      case LessonDeed::kStep:
        requiresScenario(action);
        break;
      case LessonDeed::kShow:
        break;
    }
  }

  bool requiresScenario(const LessonAction& action) {
    if (!m_began)
      fault(action.line, std::string("no scenario runs before this \"") + nameOf(action.deed) + ":\"",
            "write a link to scenario:NAME before it");
    return m_began;
  }

  std::optional<Scenario> checkedScenario(const LessonAction& action) {
    try {
      LessonAction plain = action;
      plain.options.clear();
      const Scenario before = scenarioOf(m_lesson, plain);
      for (const auto& [name, value] : action.options) {
        EngineArguments changed = before.engine;
        changeOption(changed, name, value);
        if (sameOptions(before.engine.options, changed.options))
          fault(action.line, name + "=" + value + " changes nothing: the scenario has it already",
                "leave it out, or choose another value");
      }
      return scenarioOf(m_lesson, action);
    } catch (const UsageError& error) {
      fault(action.line, error.what(), error.hint().empty() ? "choose another value" : error.hint());
    } catch (const EngineError& error) {
      fault(action.line, error.what(), error.hint());
    }
    return std::nullopt;
  }

  void checkRequest(const LessonAction& action) {
    const Breakpoint& moment = action.moment;
    const bool unnamed = moment.requestName.empty() || hasRequest(*m_playing, moment.requestName);
    const bool numbered = moment.request <= static_cast<RequestId>(m_playing->requests.size());
    if (unnamed && numbered) return;
    std::string names;
    for (const RequestLine& line : m_playing->requests)
      names += (names.empty() ? "" : ", ") + line.arguments.request.name;
    const std::string request =
        unnamed ? "#" + std::to_string(moment.request) : forMessage(moment.requestName, 60);
    fault(action.line, "the scenario " + m_playing->name + " has no request " + request,
          "write one of " + names);
  }

  const Lesson& m_lesson;
  std::vector<LessonProblem> m_problems;
  bool m_began = false;               // a scenario, readable or not
  std::optional<Scenario> m_playing;  // the last one that began; null: it cannot be read
};

}  // namespace

int wordsOfPage(const LessonPage& page) {
  const std::string text = withoutLinks(page.text);
  int words = 0, wide = 0;
  bool within = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0xE2 && beginsWideCharacter(text, i)) {
      ++wide;
      within = false;
      i += byte >= 0xF0 ? 3 : 2;
    } else if (std::isspace(byte) != 0) {
      within = false;
    } else if (!within && (byte >= 0x80 || std::isalnum(byte) != 0)) {
      within = true;
      ++words;
    }
  }
  return words + wide / 2;
}

std::vector<LessonProblem> problemsOf(const Lesson& lesson) { return LessonForm(lesson).problems(); }

std::vector<std::filesystem::path> translationsOf(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> found;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folderOf(file), failure))
    if (entry.is_directory(failure) && isThere(entry.path() / file.filename()))
      found.push_back(entry.path() / file.filename());
  std::ranges::sort(found);
  return found;
}

std::vector<LessonProblem> problemsOfFile(const std::filesystem::path& file) {
  std::vector<LessonProblem> problems;
  Lesson lesson = lessonFromText(readWholeFile(file, kMostLessonBytes), file.stem().string(), problems);
  lesson.folder = folderOf(file);
  const std::filesystem::path original = lesson.folder.parent_path() / file.filename();
  const bool translated = isLanguageFolder(lesson.folder) && isThere(original);
  if (translated) lesson.folder = lesson.folder.parent_path();
  const auto add = [&](std::vector<LessonProblem> more) {
    problems.insert(problems.end(), more.begin(), more.end());
  };
  add(problemsOf(lesson));
  if (!translated) {
    add(problemsInPlay(lesson));
  } else {
    try {
      add(problemsOfTranslation(readLesson(original.string()), lesson));
    } catch (const UsageError& error) {
      add({{1, "the original cannot be read: " + std::string(error.what()), error.hint()}});
    }
  }
  std::ranges::stable_sort(problems, {}, &LessonProblem::line);
  return problems;
}

std::vector<LessonProblem> problemsOfTranslation(const Lesson& original, const Lesson& translated) {
  std::vector<LessonProblem> problems;
  if (original.pages.size() != translated.pages.size())
    problems.push_back({translated.pages.back().line,
                        "the lesson has " + std::to_string(translated.pages.size()) +
                            " pages, the original " + std::to_string(original.pages.size()),
                        "translate page by page"});
  if (original.order != translated.order || original.minutes != translated.minutes)
    problems.push_back({1, "order or minutes are not those of the original", "copy them"});
  for (std::size_t i = 0; i < std::min(original.pages.size(), translated.pages.size()); ++i) {
    const LessonPage &there = original.pages[i], &here = translated.pages[i];
    const bool sameActions =
        std::ranges::equal(there.actions, here.actions,
                           [](const LessonAction& a, const LessonAction& b) { return a.doesTheSameAs(b); });
    if (!sameActions)
      problems.push_back(
          {here.line,
           "the page's actions are not those of the original's page at line " + std::to_string(there.line),
           "copy their addresses, in the same order"});
    if (!std::ranges::equal(there.choices, here.choices, {}, &LessonChoice::right, &LessonChoice::right))
      problems.push_back(
          {here.line,
           "the page's choices are not those of the original's page at line " + std::to_string(there.line),
           "keep their number, and which are right"});
  }
  return problems;
}

}  // namespace vitrine
