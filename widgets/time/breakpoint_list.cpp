#include "widgets/time/breakpoint_list.h"

#include <algorithm>

#include "vitrine/prose/breakpoint_words.h"
#include "widgets/support/window_language.h"

namespace vitrine {

BreakpointList::BreakpointList(Session* session, QObject* parent)
    : QAbstractListModel(parent), m_session(session) {}

std::vector<Breakpoint> BreakpointList::all() const {
  std::vector<Breakpoint> list = m_rows;
  if (m_once) list.push_back(*m_once);
  return list;
}

bool BreakpointList::contains(const Breakpoint& breakpoint) const {
  return std::ranges::any_of(
      m_rows, [text = toText(breakpoint)](const Breakpoint& one) { return toText(one) == text; });
}

bool BreakpointList::add(const Breakpoint& breakpoint) {
  const int row = rowCount();
  if (row >= kMost || contains(breakpoint)) return false;
  beginInsertRows({}, row, row);
  m_rows.push_back(breakpoint);
  endInsertRows();
  emit changed();
  return true;
}

void BreakpointList::remove(int row) {
  if (row < 0 || row >= rowCount()) return;
  beginRemoveRows({}, row, row);
  m_rows.erase(m_rows.begin() + row);
  endRemoveRows();
  emit changed();
}

void BreakpointList::toggleStep(int step) {
  const auto found = std::ranges::find_if(
      m_rows, [step](const Breakpoint& one) { return one.kind == BreakKind::kStep && one.step == step; });
  if (found != m_rows.end()) return remove(static_cast<int>(found - m_rows.begin()));
  Breakpoint one;
  one.kind = BreakKind::kStep;
  one.step = step;
  add(one);
}

void BreakpointList::setOnce(std::optional<Breakpoint> once) {
  if (once) once->once = true;
  if (once == m_once) return;
  m_once = std::move(once);
  emit changed();
}

QStringList BreakpointList::toTexts() const {
  QStringList texts;
  for (const Breakpoint& one : m_rows)
    texts << (one.enabled ? QString() : QStringLiteral("-")) + QString::fromStdString(toText(one));
  return texts;
}

void BreakpointList::restore(const QStringList& texts) {
  beginResetModel();
  m_rows.clear();
  for (const QString& text : texts.mid(0, kMost)) {
    const bool disabled = text.startsWith(u'-');
    try {
      m_rows.push_back(breakpointFromText(text.mid(disabled ? 1 : 0).toStdString()));
      m_rows.back().enabled = !disabled;
    } catch (const EngineError&) {
    }
  }
  endResetModel();
  emit changed();
}

QString BreakpointList::textOf(const Breakpoint& breakpoint) const {
  return QString::fromStdString(prose::breakpointText(breakpoint, m_session->proseNames(), windowLanguage()));
}

QVariant BreakpointList::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Breakpoint& one = m_rows[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return textOf(one);
  if (role == Qt::CheckStateRole) return one.enabled ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::ToolTipRole) return QString::fromStdString(prose::wordsOf(one.kind, windowLanguage()).help);
  return {};
}

bool BreakpointList::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  m_rows[static_cast<std::size_t>(index.row())].enabled = value.toInt() == Qt::Checked;
  emit dataChanged(index, index, {Qt::CheckStateRole});
  emit changed();
  return true;
}

Qt::ItemFlags BreakpointList::flags(const QModelIndex& index) const {
  return QAbstractListModel::flags(index) | (index.isValid() ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

}  // namespace vitrine

#include "moc_breakpoint_list.cpp"
