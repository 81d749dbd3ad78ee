#include "vitrine/prose/quiz_sheet.h"

#include "prose/speaker.h"

namespace vitrine::prose {
namespace {

// What a name or a token may hold and Markdown would read.
std::string escapedForMarkdown(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>()#|!").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' || c == '\r' ? ' ' : c;
  }
  return escaped;
}

class SheetText : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  SheetText(std::span<const AskedStep> items, const Names& names, const Language& language)
      : Speaker(names, language), m_items(items) {}

  String markdown() {
    add("# " + String(tr("Predict, then step")));
    add(String(tr("Name:")) + " ______________________________");
    add(
        tr("Each question is about one step of an engine that serves language models. The table shows the "
           "machine as it stands before that step. A right answer is worth a point; the guess of a token is "
           "worth the probability that the model gave to it."));
    for (std::size_t i = 0; i < m_items.size(); ++i) addItem(static_cast<int>(i), m_items[i]);
    add("---");
    add("## " + String(tr("Answers")));
    String answers;
    for (std::size_t i = 0; i < m_items.size(); ++i) answers += answer(static_cast<int>(i)) + "\n";
    m_text += answers;
    return std::move(m_text);
  }

 private:
  void add(const String& paragraph) { m_text += paragraph + "\n\n"; }

  void addItem(int index, const AskedStep& item) {
    const QuizQuestion& question = item.questions.front();
    add("## " + String(tr("%1. Before step %2").arg(index + 1, item.facts.step)));
    addTable(item.facts);
    add(factsText(item.facts, m_language));
    const String soFar = textSoFar(question, item.facts, m_names, m_language);
    if (!soFar.empty()) add(escapedForMarkdown(soFar));
    add("**" + escapedForMarkdown(questionText(question, m_names, m_language)) + "** (" +
        difficultyName(question.difficulty, m_language) + ")");
    add(question.asksForNumber() ? String("______") : choices(question));
  }

  void addTable(const StepFacts& facts) {
    const auto rows = factTable(facts, m_names, m_language);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      m_text += "|";
      for (const String& cell : rows[row]) m_text += " " + escapedForMarkdown(cell) + " |";
      m_text += "\n";
      if (row > 0) continue;
      m_text += "|";
      for (std::size_t column = 0; column < rows[row].size(); ++column)
        m_text += column < 2 ? "---|" : "--:|";
      m_text += "\n";
    }
    m_text += "\n";
  }

  String choices(const QuizQuestion& question) const {
    String list;
    for (int place = 0; place < static_cast<int>(question.choices()); ++place)
      list += String("- ") + choiceLetter(place) + "\\) " +
              escapedForMarkdown(choiceText(question, place, m_names, m_language)) + "\n";
    if (question.kind != QuestionKind::kNextToken) list += "- " + String(tr("none of them")) + "\n";
    list.pop_back();
    return list;
  }

  String answer(int index) const {
    const QuizQuestion& question = m_items[static_cast<std::size_t>(index)].questions.front();
    String letters;
    for (const int place : question.answer.chosen) letters += choiceLetter(place);
    return std::to_string(index + 1) + ". " + (letters.empty() ? String() : letters + ": ") +
           escapedForMarkdown(guessText(question, question.answer, m_names, m_language));
  }

  std::span<const AskedStep> m_items;
  String m_text;
};

}  // namespace

std::string quizSheet(std::span<const AskedStep> items, const Names& names, const Language& language) {
  return SheetText(items, names, language).markdown();
}

}  // namespace vitrine::prose
