// The words of TextModel: for its table twin, tooltips and screen readers.
#include "widgets/requests/text_model.h"
#include "widgets/support/formats.h"

namespace vitrine {

QString TextModel::summary() const {
  const MachineState& state = session()->state();
  const auto found = state.sequences.find(session()->selectedSequence());
  if (found == state.sequences.end()) return {};
  const SequenceState& sequence = found->second;
  const auto request = state.requests.find(sequence.request);
  const int answer = static_cast<int>(sequence.tokens.size()) - sequence.promptTokens;
  const int most = request == state.requests.end() ? answer : request->second.maxTokens;
  return tr("%1 · %n prompt token(s) · %2 of %3", nullptr, sequence.promptTokens)
      .arg(session()->names().letter(sequence.id, state))
      .arg(answer)
      .arg(most);
}

QString TextModel::plainText() const {
  QString text;
  for (const TextRow& row : rows())
    if (!row.isDraftGone()) text += row.text;
  return text;
}

QString TextModel::describe(int index) const {
  if (index < 0 || index >= rowCount()) return {};
  const TextRow& row = at(index);
  QStringList lines{tr("“%1”, position %2").arg(visibleToken(row.text), QString::number(row.position)),
                    tokenFateText(row.fate)};
  if (row.fate != TokenFate::kPrompt && row.step > 0) lines << tr("step %1").arg(row.step);
  if (row.surprise >= 0)
    lines << tr("surprise %1 bits").arg(formatDecimal(static_cast<double>(row.surprise), 2));
  if (row.computed) lines << tr("computed in this step");
  return lines.join(u'\n');
}

const TableColumns& TextModel::columns() const {
  using Row = TextRow;
  static const ColumnsOf<TextModel> kColumns = {
      {QT_TR_NOOP("Position"), &Row::position},
      {QT_TR_NOOP("Token"), &Row::token},
      {QT_TR_NOOP("Text"), [](const Row& row) { return visibleToken(row.text); }},
      {QT_TR_NOOP("Step"), [](const Row& row) { return cellIf(row.step > 0, row.step); }},
      {QT_TR_NOOP("Surprise in bits"),
       [](const Row& row) { return cellIf(row.surprise >= 0, formatDecimal(double{row.surprise}, 2)); }},
      {QT_TR_NOOP("Fate"), [](const Row& row) { return tokenFateText(row.fate); }},
  };
  return kColumns;
}

QVariant TextModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

}  // namespace vitrine
