// The texts of LaneModel: of a cell, for tooltips, tables and screen readers, and of the tokens under it.
#include <algorithm>

#include "widgets/requests/lane_model.h"
#include "widgets/support/formats.h"
#include "widgets/support/token_ink.h"

namespace vitrine {

LaneModel::Computed LaneModel::computedIn(int step, SequenceId sequence) const {
  Computed computed;
  try {
    for (const Event& event : session()->recording().eventsOf(step)) {
      const auto* admitted = bodyOf<SequenceAdmitted>(event);
      if (admitted && admitted->sequence == sequence) computed.cachedTokens = admitted->cachedTokens;
      const auto* sampled = bodyOf<TokenSampled>(event);
      if (sampled && sampled->sequence == sequence)
        computed.text += QString::fromStdString(inkOf(*sampled));  // a draft yields several
    }
  } catch (const EngineError&) {  // a part that the disk has lost cannot be described
  }
  return computed;
}

LaneModel::StepTexts LaneModel::textsIn(int step) const {
  constexpr int kTokensTold = 8;  // of a prompt chunk
  StepTexts chunks, texts;
  try {
    for (const Event& event : session()->recording().eventsOf(step)) {
      if (const auto* sampled = bodyOf<TokenSampled>(event)) {
        texts[sampled->sequence] += visibleToken(inkOf(*sampled));
      } else if (const auto* work = bodyOf<SequenceScheduled>(event);
                 work && work->kind == WorkKind::kPrefill) {
        QString& chunk = chunks[work->sequence];
        for (int i = 0; i < std::min(work->tokens, kTokensTold); ++i)
          chunk += visibleToken(session()->recordedText(work->sequence, work->firstPosition + i));
      }
    }
  } catch (const EngineError&) {  // a part that the disk has lost has no texts
  }
  texts.merge(chunks);  // a chunk that ends the prompt shows the token it led to
  return texts;
}

QString LaneModel::textAt(int lane, int step) const {
  constexpr std::size_t kMostSteps = 512;
  if (cell(lane, step).kind == LaneKind::kNone) return {};
  auto known = m_texts.find(step);
  if (known == m_texts.end()) {
    if (m_texts.size() >= kMostSteps) m_texts.clear();
    known = m_texts.emplace(step, textsIn(step)).first;
  }
  const auto text = known->second.find(m_lanes[static_cast<std::size_t>(lane)].sequence);
  return text == known->second.end() ? QString() : text->second;
}

QString LaneModel::cellText(int lane, int step) const {
  const LaneCell& data = cell(lane, step);
  switch (data.kind) {
    case LaneKind::kNone:
      return {};
    case LaneKind::kWaiting: {
      const LaneWait* wait = waitAt(lane, step);
      if (wait == nullptr) return tr("waits");
      return tr("waits: %1").arg(waitReasonText({0, wait->reason, wait->needed, wait->available}));
    }
    case LaneKind::kPrefill:
      return tr("prefill, %n token(s)", nullptr, data.tokens);
    case LaneKind::kDecode:
      if (data.drafted > 0)
        return tr("decode, %1 of %n draft token(s) accepted", nullptr, data.drafted).arg(data.accepted);
      return tr("decode, %n token(s)", nullptr, data.tokens);
    case LaneKind::kPreempted:
      if (data.swapped) return tr("preempted, swapped out");
      if (data.swapFailed) return tr("swapping in failed, %n computed token(s) lost", nullptr, data.tokens);
      return tr("preempted, %n computed token(s) lost", nullptr, data.tokens);
    case LaneKind::kFinished:
      return tr("finished");
  }
  return {};
}

QString LaneModel::describe(int lane, int step) const {
  if (lane < 0 || lane >= m_rows) return {};
  const Lane& row = m_lanes[static_cast<std::size_t>(lane)];
  const LaneCell& data = cell(lane, step);
  QStringList lines{tr("%1 (%2), step %3").arg(row.letter, row.name, QString::number(step))};
  if (data.kind == LaneKind::kNone)
    lines << tr("nothing to do");
  else
    lines << cellText(lane, step);
  const Computed computed = data.cached || data.sampled ? computedIn(step, row.sequence) : Computed{};
  if (data.cached) lines << tr("%n token(s) from the prefix cache", nullptr, computed.cachedTokens);
  if (data.sampled) {
    lines << (computed.text.isEmpty() ? tr("sampled a token whose text is not complete yet")
                                      : tr("sampled “%1”").arg(visibleToken(computed.text)));
  }
  if (data.finished && data.kind != LaneKind::kFinished) lines << tr("then it finished");
  return lines.join(u'\n');
}

QVariant LaneModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int step = m_firstStep + index.column();
  if (role == Qt::ToolTipRole) return describe(index.row(), step);
  if (role != Qt::DisplayRole) return {};
  return cellText(index.row(), step);
}

QVariant LaneModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || section < 0) return {};
  if (orientation == Qt::Horizontal) return tr("Step %1").arg(m_firstStep + section);
  if (section >= m_rows) return {};
  const Lane& lane = m_lanes[static_cast<std::size_t>(section)];
  return tr("%1 %2").arg(lane.letter, lane.name);
}

}  // namespace vitrine
