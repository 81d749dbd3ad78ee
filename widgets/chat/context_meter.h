// ContextMeter: what fills the context of a sequence, in tokens and in blocks: a bar of parts, with all
// numbers in its tooltip and for screen readers. Thread: the window's.
#pragma once

#include <QWidget>
#include <vector>

#include "widgets/session/prefix_chains.h"
#include "widgets/session/session.h"
#include "widgets/support/theme.h"

namespace vitrine {

// What the host knows of a prompt, in tokens. The prompt's other tokens are the history.
struct ContextShares {
  int system = 0;   // the system message
  int files = 0;    // of questions, what came from files
  int draft = 0;    // being typed: not yet in the context
  int leftOut = 0;  // of the conversation, and not in the context any more
  // All that the conversation would take, the system message and the files included. It counts where no
  // sequence has it: in a chat that was opened, and not yet gone on with.
  int conversation = 0;

  bool operator==(const ContextShares&) const = default;
};

enum class ContextPart : std::uint8_t { kSystem, kHistory, kFiles, kAnswer, kDraft };
inline constexpr int kContextParts = 5;
QColor contextColour(ContextPart part, const Theme& theme);  // at least 3 : 1 on base

class ContextMeter : public QWidget {
  Q_OBJECT
 public:
  struct Part {
    ContextPart part;
    int tokens, blocks;  // a block belongs to the part that begins it

    bool operator==(const Part&) const = default;
  };

  explicit ContextMeter(Session* session, QWidget* parent = nullptr);

  // Says which blocks of a sequence that has ended are still cached. Without it that is not said. It must
  // outlive the meter.
  void setChains(const PrefixChains* chains);
  const PrefixChains* chains() const { return m_chains; }
  // That the newest answer of the conversation is; 0: none.
  void setSequence(SequenceId sequence);
  void setShares(const ContextShares& shares);
  const ContextShares& shares() const { return m_shares; }

  // How often the cached blocks were counted, which reads all blocks of the machine.
  int countings() const { return m_countings; }

  int tokens() const { return m_tokens; }
  // Tokens that fit: of the model's context or of the KV pool, whichever is smaller.
  int limit() const { return m_limit; }
  bool isPoolSmaller() const { return m_limit < m_context; }
  std::vector<Part> parts() const;  // in their order in the context; none that is empty
  // "312 of 2,048 tokens · 20 blocks", "about 300 of 1,024 tokens of KV memory", and of a sequence that has
  // ended: "312 of 2,048 tokens · 19 blocks cached"
  QString text() const;
  QString legend() const;  // a line for each part, and what is free

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  // What the number of cached blocks depends on.
  struct CountedFor {
    const PrefixChains* chains = nullptr;
    std::int64_t changes = 0;
    std::int64_t past = 0;  // events before the state shown; kLive: the newest state
    SequenceId sequence = 0;
    std::size_t tokens = 0;  // of the sequence

    static constexpr std::int64_t kLive = -1;
    bool operator==(const CountedFor&) const = default;
  };

  void refresh();
  int cachedBlocks(const SequenceState& sequence);
  void tell();
  void paintParts(QPainter& painter, const QRectF& bar) const;

  Session* m_session;
  SequenceId m_sequence = 0;
  ContextShares m_shares;
  bool m_known = false;  // the sequence is there in the state shown
  const PrefixChains* m_chains = nullptr;
  int m_tokens = 0, m_prompt = 0, m_context = 0, m_limit = 0, m_blockSize = 0;
  int m_blocks = 0;       // held, or cached if the sequence has ended
  bool m_isHeld = false;  // the sequence holds blocks
  CountedFor m_countedFor;
  int m_counted = 0, m_countings = 0;
};

}  // namespace vitrine
