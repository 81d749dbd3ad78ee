#include "widgets/batch/batch_model.h"

#include <algorithm>

#include "vitrine/error.h"

namespace vitrine {

BatchModel::BatchModel(Session* session, QObject* parent) : RowsModel(session, parent) { refresh(); }

void BatchModel::restart() {
  m_picture = {};
  m_pictureOf = {-1, 0};
}

// A finished step has its picture once; one in flight has another one with each of its events.
void BatchModel::findPicture() {
  const std::pair wanted{session()->step(), session()->stepEvents().size()};
  if (wanted == m_pictureOf) return;
  m_pictureOf = wanted;
  m_drafter = DraftMethod::kNone;
  for (const Event& event : session()->stepEvents())
    if (const auto* draft = bodyOf<DraftProposed>(event)) m_drafter = draft->drafter;
  try {
    m_picture = batchOf(session()->recording(), session()->step());
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown; the session has said so
    m_picture = {};
  }
}

void BatchModel::refresh() {
  findPicture();
  std::vector<BatchRow> rows;
  rows.reserve(static_cast<std::size_t>(m_picture.rows()));
  const Texts texts{DraftTexts(session()->stepEvents()), beamPieces()};
  for (int group = 0; group < static_cast<int>(m_picture.sequences.size()); ++group)
    addRows(group, texts, rows);
  setRows(std::move(rows));
}

void BatchModel::addRows(int group, const Texts& texts, std::vector<BatchRow>& rows) const {
  const BatchSequence& one = m_picture.sequences[static_cast<std::size_t>(group)];
  QStringList blocks;
  for (const BlockId block : one.blockTable) blocks << QString::number(block);
  const QString table = blocks.join(u' ');
  for (int i = 0; i < one.rows; ++i) {
    BatchRow row;
    row.group = group;
    row.sequence = one.sequence;
    row.request = one.request;
    row.kind = one.kind;
    row.cell = m_picture.cell(one, i);
    row.table = table;
    if (const auto place = static_cast<std::size_t>(i); place < one.tokens.size()) {
      row.token = one.tokens[place];
      row.text = textOf(one, row.cell, row.token, texts);
    }
    rows.push_back(std::move(row));
  }
}

QString BatchModel::textOf(const BatchSequence& one, const BatchCell& cell, TokenId token,
                           const Texts& texts) const {
  QString text = cell.isDraft ? texts.drafts.textOf(one.sequence, cell.rotaryPosition, token)
                              : session()->recordedText(one.sequence, cell.rotaryPosition);
  if (text.isEmpty()) text = QStringLiteral("#%1").arg(token);
  const auto piece = texts.beams.find(token);
  return text.startsWith(u'#') && piece != texts.beams.end() ? piece->second : text;
}

// A beam's token is in no TokenSampled; its text is in the BeamStep of the step before.
BatchModel::Pieces BatchModel::beamPieces() const {
  Pieces pieces;
  const auto& requests = session()->state().requests;
  const auto searches = [&](const BatchSequence& one) {
    const auto found = requests.find(one.request);
    return found != requests.end() && found->second.beamWidth > 1;
  };
  if (!std::ranges::any_of(m_picture.sequences, searches)) return pieces;
  try {
    for (const Event& event : session()->recording().eventsOf(session()->step() - 1))
      if (const auto* beams = bodyOf<BeamStep>(event))
        for (const BeamCandidate& candidate : beams->candidates)
          pieces[candidate.token] = QString::fromStdString(candidate.piece);
  } catch (const EngineError&) {  // their numbers stand for them
  }
  return pieces;
}

bool BatchModel::hasEvicted() const {
  return std::ranges::any_of(m_picture.sequences,
                             [](const BatchSequence& one) { return one.evictedTokens > 0; });
}

}  // namespace vitrine

#include "moc_batch_model.cpp"
