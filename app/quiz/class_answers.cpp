#include "quiz/class_answers.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "vitrine/blanks.h"
#include "vitrine/error.h"
#include "vitrine/prose/quiz_sheet.h"

namespace vitrine::quiz {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// All of the text as a whole number, not below zero.
std::optional<std::int64_t> countOf(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& message, std::string hint) {
  throw EngineError(ErrorCode::kInvalidArgument, message, std::move(hint));
}

std::string inQuotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

char separatorOf(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto occurrences = [line](char c) { return std::ranges::count(line, c); };
  return std::ranges::max(std::to_array({',', ';', '\t'}), {}, occurrences);
}

// Reads cells one after another.
class CellReader {
 public:
  CellReader(std::string_view text, char separator) : m_text(text), m_separator(separator) {}

  bool atEnd() const { return m_at == m_text.size(); }

  std::vector<std::string> line() {
    std::vector<std::string> cells;
    const int begun = m_line;
    for (bool more = true; more;) {
      std::string cell;
      more = readCell(cell, begun);
      cells.emplace_back(trimmed(cell));
    }
    return cells;
  }

 private:
  // Whether another cell follows in the line.
  bool readCell(std::string& cell, int begun) {
    bool isQuoted = false;
    for (; !atEnd(); ++m_at) {
      const char c = m_text[m_at];
      if (c == '\n') ++m_line;
      if (c == '"' && isQuoted && m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
        cell += m_text[++m_at];
      } else if (c == '"' && (isQuoted || trimmed(cell).empty())) {
        isQuoted = !isQuoted;
      } else if (!isQuoted && (c == m_separator || c == '\n')) {
        ++m_at;
        return c == m_separator;
      } else {
        cell += c;
      }
    }
    if (isQuoted)
      throw EngineError(ErrorCode::kFileCorrupt,
                        "line " + std::to_string(begun) + ": a quotation mark is never closed",
                        "close it, or write the cell without quotation marks");
    return false;
  }

  std::string_view m_text;
  char m_separator;
  std::size_t m_at = 0;
  int m_line = 1;
};

// The question that a heading names: "3", "Q3", "3.".
std::size_t questionOf(const std::string& heading, std::size_t questions) {
  std::string_view number = heading;
  if (!number.empty() && (number.front() == 'Q' || number.front() == 'q')) number.remove_prefix(1);
  if (!number.empty() && number.back() == '.') number.remove_suffix(1);
  const std::optional<std::int64_t> value = countOf(trimmed(number));
  if (!value || *value < 1 || *value > static_cast<std::int64_t>(questions))
    refuse("the heading " + inQuotes(heading) + " is no question of this quiz",
           "head the first column \"Name\" and the others with the questions' numbers, 1 to " +
               std::to_string(questions));
  return static_cast<std::size_t>(*value - 1);
}

std::vector<std::size_t> columnsOf(const std::vector<std::string>& headings, std::size_t questions) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 1; i < headings.size(); ++i) {
    columns.push_back(questionOf(headings[i], questions));
    if (std::ranges::count(columns, columns.back()) > 1)
      refuse("two columns are headed with question " + std::to_string(columns.back() + 1),
             "leave one of them out");
  }
  return columns;
}

Guess choicesOf(const QuizQuestion& question, std::string_view letters) {
  const char last = prose::choiceLetter(static_cast<int>(question.choices()) - 1);
  const bool isOne = question.kind == QuestionKind::kNextToken;
  const auto misread = [&] {
    refuse(inQuotes(letters) + " is no answer",
           isOne ? std::string("one letter from a to ") + last
                 : std::string("letters from a to ") + last + ", or \"none\"");
  };
  Guess guess;
  const std::string lower = lowered(letters);
  if (!isOne && (lower == "none" || lower == "-")) return guess;
  for (const char c : lower) {
    if (c == ' ' || c == ',' || c == ';' || c == '+') continue;
    if (c < 'a' || c > last) misread();
    guess.chosen.push_back(c - 'a');
  }
  std::ranges::sort(guess.chosen);
  guess.chosen.erase(std::unique(guess.chosen.begin(), guess.chosen.end()), guess.chosen.end());
  if (guess.chosen.empty() || (isOne && guess.chosen.size() > 1)) misread();
  return guess;
}

}  // namespace

std::optional<Guess> guessOf(const QuizQuestion& question, std::string_view cell) {
  const std::string_view said = trimmed(cell);
  if (said.empty()) return std::nullopt;
  if (!question.asksForNumber()) return choicesOf(question, said);
  const std::optional<std::int64_t> number = countOf(said);
  if (!number) refuse(inQuotes(said) + " is no answer", "a whole number, such as 3");
  return Guess{{}, *number};
}

std::vector<std::vector<std::string>> cellsOf(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::vector<std::string>> lines;
  CellReader reader(text, separatorOf(text));
  while (!reader.atEnd()) {
    std::vector<std::string> cells = reader.line();
    if (std::ranges::any_of(cells, [](const std::string& cell) { return !cell.empty(); }))
      lines.push_back(std::move(cells));
  }
  return lines;
}

std::vector<Paper> papersOf(std::string_view text, std::span<const AskedStep> items) {
  const auto lines = cellsOf(text);
  std::vector<Paper> papers;
  if (lines.empty()) return papers;
  const std::vector<std::size_t> columns = columnsOf(lines.front(), items.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string>& cells = lines[i];
    Paper paper{cells.front(), std::vector<std::optional<Guess>>(items.size())};
    if (cells.size() > columns.size() + 1)
      refuse(inQuotes(paper.name) + " has more answers than there are headings",
             "put a cell with commas into quotation marks");
    for (std::size_t column = 0; column + 1 < cells.size(); ++column) {
      const std::size_t question = columns[column];
      try {
        paper.guesses[question] = guessOf(items[question].questions.front(), cells[column + 1]);
      } catch (const EngineError& error) {
        throw EngineError(
            error.code(),
            inQuotes(paper.name) + ", question " + std::to_string(question + 1) + ": " + error.what(),
            error.hint());
      }
    }
    papers.push_back(std::move(paper));
  }
  return papers;
}

}  // namespace vitrine::quiz
