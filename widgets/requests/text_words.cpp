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

int TextModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant TextModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::AccessibleTextRole) return describe(index.row()).replace(u'\n', QStringLiteral(", "));
  if (role != Qt::DisplayRole) return {};
  const TextRow& row = at(index.row());
  switch (index.column()) {
    case kPosition:
      return row.position;
    case kToken:
      return row.token;
    case kText:
      return visibleToken(row.text);
    case kStep:
      return row.step > 0 ? QVariant(row.step) : QVariant(QString());
    case kSurprise:
      return row.surprise < 0 ? QString() : formatDecimal(static_cast<double>(row.surprise), 2);
    case kFate:
      return tokenFateText(row.fate);
    default:
      return {};
  }
}

QVariant TextModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kPosition:
      return tr("Position");
    case kToken:
      return tr("Token");
    case kText:
      return tr("Text");
    case kStep:
      return tr("Step");
    case kSurprise:
      return tr("Surprise in bits");
    case kFate:
      return tr("Fate");
    default:
      return {};
  }
}

}  // namespace vitrine
