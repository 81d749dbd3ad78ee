// ConversationSearch: where the messages of a chat have what is sought, in the text as it is shown.
//
// It reads the model alone, so a hit needs no widget. The work is bounded: find() and each frame after it
// read kWorkAFrame units, beginning with the message that it is told, so a long chat is searched while the
// window stays alive. Shown texts are kept while something is sought. Thread: the window's. Read next:
// find_bar.h, transcript_view.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "widgets/conversation/chat_model.h"
#include "widgets/conversation/sought_text.h"

namespace vitrine {

// The parts of a message in which is searched: what was thought, then the text; of an answer with calls of
// tools then each call and the text behind it.
inline constexpr int kThinkingPart = 0, kTextPart = 1;

// One hit: of the hits in one part of a message, the `index`th.
struct FoundPlace {
  int row = 0;
  int part = kTextPart;
  int index = 0;

  bool operator==(const FoundPlace&) const = default;
};

// Each part as a document of the message has it, formulas as they are written: paragraphs apart by U+2029,
// line breaks within them U+2028.
QStringList shownParts(const ChatEntry& entry);

class ConversationSearch : public QObject {
  Q_OBJECT
 public:
  static constexpr long kWorkAFrame = 128 * 1024;  // bytes that are parsed; a byte that is searched is 1/16

  explicit ConversationSearch(ChatModel* model, QObject* parent = nullptr);

  // Nothing sought: forgets all. The first hit at or after `row` becomes the present one.
  void find(const SoughtText& sought, int row);
  const SoughtText& sought() const { return m_sought; }

  int count() const;     // found so far
  int position() const;  // of the present hit, from 0; -1: none
  bool isSearching() const { return m_left > 0; }
  std::optional<FoundPlace> current() const;
  void step(int by);  // to the next hit or the one before, around the ends

 signals:
  void changed();         // count, position or whether it still searches
  void currentChanged();  // a person went to another hit, or to the same one again

 private:
  struct Row {
    bool read = false, searched = false;
    QStringList shown = {};
    std::vector<int> found = {};  // hits in each part
    int hits() const;
  };

  void reset();
  void restart();
  void work();
  long search(int row);
  void setCurrent(int row, int index);

  ChatModel* m_model;
  SoughtText m_sought;
  std::vector<Row> m_rows;
  int m_from = 0, m_next = 0, m_left = 0;  // rows; m_left are not searched
  int m_row = -1, m_index = 0;             // the present hit: of the row's, the thinking's first
  bool m_quiet = false;                    // a hit that comes by itself moves nothing
  QTimer m_frames;
};

}  // namespace vitrine
