#include "widgets/batch/batch_model.h"

#include <algorithm>

#include "vitrine/error.h"
#include "widgets/support/formats.h"

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
    const std::optional<Phase> ahead = session()->phaseAhead();
    if (ahead && *ahead <= Phase::kForward) {  // the recording knows more of this step than is shown
      m_picture = batchOf(session()->state());
      m_picture.step = session()->step();
    } else {
      m_picture = batchOf(session()->recording(), session()->step());
    }
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
    return found != requests.end() && found->second.searches();
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

// The words of BatchModel: for its summary, table twin, tooltips and screen readers.

QString BatchModel::letter(SequenceId sequence) const {
  return session()->names().letter(sequence, session()->state());
}

QString BatchModel::workText(const BatchRow& row) const {
  if (row.cell.isDraft) return tr("draft");
  return row.kind == WorkKind::kDecode ? tr("decode") : tr("prefill");
}

QString BatchModel::summary() const {
  if (rowCount() == 0) return {};
  int decode = 0, drafts = 0, prefill = 0;
  for (const BatchSequence& one : m_picture.sequences) {
    drafts += one.draftRows;
    (one.kind == WorkKind::kDecode ? decode : prefill) += one.rows - one.draftRows;
  }
  QStringList kinds;
  if (decode > 0) kinds << tr("%1 decode").arg(formatCount(decode));
  if (drafts > 0) kinds << tr("%1 draft").arg(formatCount(drafts));
  if (prefill > 0) kinds << tr("%1 prefill").arg(formatCount(prefill));
  if (m_picture.padding > 0) kinds << tr("%1 padding").arg(formatCount(m_picture.padding));
  QString stage = tr("one forward");
  if (m_picture.stage == BatchStage::kPlanned) stage = tr("planned");
  if (m_picture.stage == BatchStage::kForward) stage = tr("in the forward");
  if (m_picture.stage == BatchStage::kFailed) stage = tr("the step failed");
  return tr("%n row(s) · %1 · %2", nullptr, rowCount() + m_picture.padding)
      .arg(kinds.join(QStringLiteral(", ")), stage);
}

QString BatchModel::paddingRemark() const {
  if (m_picture.padding <= 0) return {};
  const int tokens = m_picture.rows();
  return tr("A GPU knows steps of some sizes only. This batch of %1 runs in the graph of %2: the GPU "
            "computes "
            "%n row(s) of padding in vain.",
            nullptr, m_picture.padding)
      .arg(formatCount(tokens), formatCount(tokens + m_picture.padding));
}

QString BatchModel::remark() const {
  int rounds = 0;  // a token of each draft at a time
  for (const BatchSequence& one : m_picture.sequences) rounds = std::max(rounds, one.draftRows);
  if (m_drafter == DraftMethod::kEarlyExit)
    return tr(
        "Before, the first layers of the model drafted in %n small batch(es), one token of each draft at "
        "a time; this forward goes on from their hidden states.",
        nullptr, rounds);
  if (m_drafter == DraftMethod::kModel)
    return tr("Before, the draft model drafted in batches of its own, one token of each draft at a time.");
  if (m_drafter == DraftMethod::kNgram)
    return tr("The drafts are n-grams of the text, found without a forward.");
  return {};
}

QString BatchModel::describe(int index) const {
  if (index < 0 || index >= rowCount()) return {};
  const BatchRow& row = at(index);
  const BatchCell& cell = row.cell;
  QStringList lines{tr("%1: “%2”, %3").arg(letter(row.sequence), visibleToken(row.text), workText(row))};
  if (cell.position == cell.rotaryPosition)
    lines << tr("position %1").arg(cell.position);
  else
    lines << tr("position %1 of the tokens that are left, turned as position %2 of the text")
                 .arg(cell.position)
                 .arg(cell.rotaryPosition);
  lines << (cell.block < 0 ? tr("its block is not allocated yet")
                           : tr("slot %1 = block %2 × %3 + %4")
                                 .arg(cell.slot)
                                 .arg(cell.block)
                                 .arg(m_picture.blockSize)
                                 .arg(cell.offset));
  if (!row.table.isEmpty()) lines << tr("block table: %1").arg(row.table);
  lines << tr("sees %n token(s), itself included", nullptr, cell.sees);
  if (const auto& engine = session()->engine(); engine && engine->model.slidingWindow > 0)
    lines << tr("in layers that slide: the last %1").arg(engine->model.slidingWindow);
  if (cell.wantsLogits) lines << tr("its logits are computed: it is sampled from");
  // Rows of padding are no rows of the model, so a reader of the rows hears of them here.
  if (index == rowCount() - 1 && m_picture.padding > 0)
    lines << tr("behind it: %n row(s) of padding", nullptr, m_picture.padding);
  return lines.join(u'\n');
}

const TableColumns& BatchModel::columns() const {
  using Row = BatchRow;
  static const ColumnsOf<BatchModel> kColumns = {
      {QT_TR_NOOP("Sequence"),
       [](const BatchModel& model, const Row& row) { return model.letter(row.sequence); }},
      {QT_TR_NOOP("Work"), &BatchModel::workText},
      {QT_TR_NOOP("Token"), [](const Row& row) { return visibleToken(row.text); }},
      {QT_TR_NOOP("Position"), [](const Row& row) { return row.cell.position; }},
      {QT_TR_NOOP("Rotary position"), [](const Row& row) { return row.cell.rotaryPosition; }},
      {QT_TR_NOOP("Slot"), [](const Row& row) { return cellIf(row.cell.slot >= 0, row.cell.slot); }},
      {QT_TR_NOOP("Block"), [](const Row& row) { return cellIf(row.cell.block >= 0, row.cell.block); }},
      {QT_TR_NOOP("Offset"), [](const Row& row) { return cellIf(row.cell.block >= 0, row.cell.offset); }},
      {QT_TR_NOOP("Block table"), &Row::table},
      {QT_TR_NOOP("Sees"), [](const Row& row) { return row.cell.sees; }},
      {QT_TR_NOOP("Logits"), [](const Row& row) { return row.cell.wantsLogits ? tr("yes") : tr("no"); }},
  };
  return kColumns;
}

QVariant BatchModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine

#include "moc_batch_model.cpp"
