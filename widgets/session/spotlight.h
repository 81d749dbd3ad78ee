// Spotlight: what the user points at now: words of "Why this step?", a block, a request's card, a lane's
// cell. All views share it through their session. A view that the mouse or the keyboard points in says so,
// and each view lights what it shows of the target. Thread: the window's.
#pragma once

#include <QObject>
#include <span>

#include "vitrine/prose/link.h"

namespace vitrine {

class Spotlight : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const prose::Target& target() const { return m_target; }
  void point(const prose::Target& target);  // an empty one: at nothing
  void clear() { point({}); }

  // Of a sequence's name, card or lane.
  bool isOnSequence(SequenceId sequence, RequestId request) const;
  // A card that stands for all answers of its request.
  bool isOnRequest(RequestId request) const { return request != 0 && m_target.request == request; }
  // Of what a step did with the sequence.
  bool isOnCell(SequenceId sequence, int step) const;
  // Of a block with these owners: named itself, or with all blocks of a sequence or request.
  bool isOnBlock(BlockId block, std::span<const SequenceId> owners,
                 std::span<const RequestId> requests) const;

 signals:
  void changed();

 private:
  bool isWhole() const { return m_target.step == 0 && m_target.position < 0 && m_target.blocks.empty(); }

  prose::Target m_target;
};

}  // namespace vitrine
