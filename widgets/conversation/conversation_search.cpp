#include "widgets/conversation/conversation_search.h"

#include <algorithm>
#include <numeric>

#include "widgets/conversation/answer_calls.h"
#include "widgets/markdown/markdown_copy.h"
#include "widgets/markdown/markdown_stream.h"

namespace vitrine {
namespace {
constexpr int kFrameMs = 16;
constexpr long kRowWork = 64;  // of a message, however short

QString shownMarkdown(const QString& markdown) {
  std::string text;
  for (const Block& block : parseMarkdown(markdown.toStdString())) {
    if (!text.empty()) text += "\u2029";
    text += writtenPart(block, 0, block.text.size());
  }
  return QString::fromStdString(text).replace(u'\n', QChar::LineSeparator);
}

}  // namespace

QStringList shownParts(const ChatEntry& entry) {
  if (!isMarkdown(entry)) return {entry.thinking, entry.text};
  const ShownAnswer shown = shownAnswer(entry);
  QStringList parts = {entry.thinking, shownMarkdown(shown.text)};
  for (const ShownCall& call : shown.calls) parts << callInLines(call) << shownMarkdown(call.after.text);
  return parts;
}

int ConversationSearch::Row::hits() const { return std::accumulate(found.begin(), found.end(), 0); }

ConversationSearch::ConversationSearch(ChatModel* model, QObject* parent) : QObject(parent), m_model(model) {
  m_frames.setInterval(kFrameMs);
  connect(&m_frames, &QTimer::timeout, this, &ConversationSearch::work);
  const auto anew = [this] {
    if (m_sought.isEmpty()) return;
    reset();
    m_quiet = true;
    restart();
  };
  connect(model, &QAbstractItemModel::modelReset, this, anew);
  connect(model, &QAbstractItemModel::rowsRemoved, this, anew);
  connect(model, &QAbstractItemModel::rowsInserted, this, [this] {
    if (m_sought.isEmpty()) return;
    m_left += m_model->rowCount() - static_cast<int>(m_rows.size());
    m_rows.resize(static_cast<std::size_t>(m_model->rowCount()));  // a conversation grows at its end
    m_frames.start();
  });
  connect(model, &QAbstractItemModel::dataChanged, this,
          [this](const QModelIndex& first, const QModelIndex& last) {
            for (int row = first.row(); row <= last.row() && row < static_cast<int>(m_rows.size()); ++row) {
              Row& changed = m_rows[static_cast<std::size_t>(row)];
              if (changed.searched) ++m_left;
              changed.read = changed.searched = false;  // its hits stay until it is searched again
            }
            if (m_left > 0 && !m_sought.isEmpty()) m_frames.start();
          });
}

void ConversationSearch::reset() {
  m_rows.assign(static_cast<std::size_t>(m_model->rowCount()), {});
  m_row = -1;
}

void ConversationSearch::find(const SoughtText& sought, int row) {
  m_sought = sought;
  m_from = std::max(row, 0);
  m_quiet = false;
  if (m_rows.size() != static_cast<std::size_t>(m_model->rowCount())) m_rows.clear();
  if (sought.isEmpty())
    m_rows.clear();
  else if (m_rows.empty())
    reset();
  restart();
}

void ConversationSearch::restart() {
  const int rows = static_cast<int>(m_rows.size());
  for (Row& row : m_rows) row.searched = false, row.found.clear();
  m_row = -1;
  m_left = rows;
  m_next = rows == 0 ? 0 : std::min(m_from, rows - 1);
  work();
}

// Goes round from the row where it began, so that the first hit found is the first one wanted.
void ConversationSearch::work() {
  const int rows = static_cast<int>(m_rows.size());
  for (long spent = 0; m_left > 0 && spent < kWorkAFrame; m_next = (m_next + 1) % rows) {
    if (m_rows[static_cast<std::size_t>(m_next)].searched) continue;
    spent += search(m_next);
    --m_left;
    const Row& row = m_rows[static_cast<std::size_t>(m_next)];
    if (m_row < 0 && row.hits() > 0) setCurrent(m_next, 0);
    if (m_row == m_next && m_index >= row.hits()) m_row = -1;  // its text has changed
  }
  for (int i = 0; m_left == 0 && m_row < 0 && i < rows; ++i)
    if (const int row = (m_from + i) % rows; m_rows[static_cast<std::size_t>(row)].hits() > 0)
      setCurrent(row, 0);
  if (m_left > 0)
    m_frames.start();
  else
    m_frames.stop();
  m_quiet = m_quiet || m_left == 0;
  emit changed();
}

long ConversationSearch::search(int at) {
  Row& row = m_rows[static_cast<std::size_t>(at)];
  const ChatEntry& entry = m_model->at(at);
  const auto bytes = static_cast<long>(entry.text.size() + entry.thinking.size());
  const long spent = kRowWork + (row.read ? bytes / 16 : bytes);
  if (!row.read) row.shown = shownParts(entry);
  row.read = row.searched = true;
  row.found.clear();
  for (const QString& part : row.shown)
    row.found.push_back(static_cast<int>(occurrences(part, m_sought).size()));
  return spent;
}

int ConversationSearch::count() const {
  int all = 0;
  for (const Row& row : m_rows) all += row.hits();
  return all;
}

int ConversationSearch::position() const {
  if (m_row < 0) return -1;
  int before = m_index;
  for (int row = 0; row < m_row; ++row) before += m_rows[static_cast<std::size_t>(row)].hits();
  return before;
}

std::optional<FoundPlace> ConversationSearch::current() const {
  if (m_row < 0) return {};
  FoundPlace place{m_row, 0, m_index};
  for (const int found : m_rows[static_cast<std::size_t>(m_row)].found) {
    if (place.index < found) return place;
    ++place.part;
    place.index -= found;
  }
  return {};
}

void ConversationSearch::setCurrent(int row, int index) {
  m_row = row;
  m_index = index;
  if (!m_quiet) emit currentChanged();
}

void ConversationSearch::step(int by) {
  const int rows = static_cast<int>(m_rows.size());
  if (m_row < 0) return;
  int row = m_row, index = m_index + by;
  while (index < 0 || index >= m_rows[static_cast<std::size_t>(row)].hits()) {
    row = (row + (by < 0 ? rows - 1 : 1)) % rows;
    const int hits = m_rows[static_cast<std::size_t>(row)].hits();
    if (hits > 0) index = by < 0 ? hits - 1 : 0;
  }
  m_quiet = false;
  setCurrent(row, index);
  emit changed();
}

}  // namespace vitrine

#include "moc_conversation_search.cpp"
