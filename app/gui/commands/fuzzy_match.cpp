#include "gui/commands/fuzzy_match.h"

#include <limits>
#include <set>
#include <vector>

namespace vitrine {

namespace {

constexpr int kAtWord = 8;         // a letter at the beginning of a word
constexpr int kInside = 1;         // the first letter, inside a word
constexpr int kContinued = 6;      // a letter right behind the one before
constexpr int kJump = -2;          // from one word of the text to another
constexpr int kWholeWord = 3;      // the last letter ends a word
constexpr int kMain = 1;           // a letter in the main part
constexpr int kLongestQuery = 64;  // characters
constexpr int kNone = std::numeric_limits<int>::min() / 2;

// Letter by letter, so that places stay as they are: QString's own makes two of one in "Straße".
QString folded(QString text) {
  for (QChar& letter : text) letter = letter.toCaseFolded();
  return text;
}

// One way to place the first letters of a word: its score, and where the letter before the last one stands.
struct Placed {
  int score = kNone;
  int before = -1;
};

class WordMatch {
 public:
  WordMatch(const QString& text, int mainPart) : m_text(folded(text)), m_mainPart(mainPart) {
    for (int i = 0; i < m_text.size(); ++i) {
      const bool letter = m_text[i].isLetterOrNumber();
      m_begins.push_back(letter && (i == 0 || !m_text[i - 1].isLetterOrNumber()));
    }
  }

  // The best way to place the word; a score of kNone when there is none.
  FuzzyMatch place(const QString& word) const {
    const int letters = static_cast<int>(word.size()), places = static_cast<int>(m_text.size());
    std::vector<std::vector<Placed>> table(static_cast<std::size_t>(letters),
                                           std::vector<Placed>(static_cast<std::size_t>(places)));
    for (int letter = 0; letter < letters; ++letter) placeLetter(table, word, letter);
    const std::vector<Placed>& last = table.back();
    int end = -1;
    FuzzyMatch best{kNone};
    for (int i = 0; i < places; ++i) {
      const int score = last[static_cast<std::size_t>(i)].score + (endsWord(i) ? kWholeWord : 0);
      if (score <= best.score || score < 0) continue;
      best.score = score;
      end = i;
    }
    for (int letter = letters - 1; letter >= 0 && end >= 0; --letter) {
      best.hits.prepend(end);
      end = table[static_cast<std::size_t>(letter)][static_cast<std::size_t>(end)].before;
    }
    return best;
  }

 private:
  bool endsWord(int i) const { return i + 1 == m_text.size() || !m_text[i + 1].isLetterOrNumber(); }

  void placeLetter(std::vector<std::vector<Placed>>& table, const QString& word, int letter) const {
    std::vector<Placed>& row = table[static_cast<std::size_t>(letter)];
    const std::vector<Placed>* above = letter > 0 ? &table[static_cast<std::size_t>(letter - 1)] : nullptr;
    Placed jump;  // from the best place at least two to the left
    for (int i = 0; i < m_text.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (above && i >= 2 && (*above)[at - 2].score > jump.score) jump = {(*above)[at - 2].score, i - 2};
      if (m_text[i] != word[letter]) continue;
      Placed& here = row[at];
      if (!above) {
        here.score = m_begins[at] ? kAtWord : kInside;
      } else {
        if (i >= 1 && (*above)[at - 1].score > kNone) here = {(*above)[at - 1].score + kContinued, i - 1};
        const int jumped = jump.score + kAtWord + kJump;
        if (m_begins[at] && jump.before >= 0 && jumped > here.score) here = {jumped, jump.before};
      }
      if (here.score > kNone && i >= m_mainPart) here.score += kMain;
    }
  }

  QString m_text;
  int m_mainPart;
  std::vector<bool> m_begins;  // at each place, whether a word begins there
};

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& text, const QString& query, int mainPart) {
  FuzzyMatch whole;
  const QString words = folded(query.left(kLongestQuery)).simplified();
  if (words.isEmpty()) return whole;
  const WordMatch match(text, mainPart);
  std::set<int> hits;
  for (const QString& word : words.split(u' ')) {
    const FuzzyMatch one = match.place(word);
    if (one.score < 0) return std::nullopt;
    whole.score += one.score;
    hits.insert(one.hits.begin(), one.hits.end());
  }
  whole.hits = QList<int>(hits.begin(), hits.end());
  return whole;
}

}  // namespace vitrine
