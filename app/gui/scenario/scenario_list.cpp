#include "gui/scenario/scenario_list.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <map>

#include "gui/scenario/scenario_picture.h"
#include "gui/scenario/scenario_words.h"
#include "widgets/support/locale_name.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kGap = 6;

ScenarioList::Row rowOfFile(const std::string& name) {
  ScenarioList::Row row;
  row.key = row.title = QString::fromStdString(name);
  try {
    row.scenario = readScenario(name, InputKind::kFile, localeName());
    row.title = QString::fromStdString(row.scenario.title);
  } catch (const std::exception&) {  // choosing it shows the error
    row.scenario.name = name;
  }
  return row;
}

QString lookFor(const ScenarioList::Row& row) {
  const QString expected = expectedInWords(row.scenario);
  return expected.isEmpty() ? QString() : ScenarioList::tr("Look for: %1").arg(expected);
}

void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const ScenarioList::Row& row) {
  const Theme theme(option.palette);
  painter.setFont(boldened(option.font));
  painter.setPen(theme.dimText());
  const QRect room = option.rect.adjusted(kGap, kGap, -kGap, 0);
  paintText(painter, room, Qt::AlignLeft | Qt::AlignVCenter, row.title);
  painter.setPen(theme.line());
  const int words = QFontMetrics(painter.font()).horizontalAdvance(row.title);
  painter.drawLine(room.left() + words + 2 * kGap, room.center().y(), room.right(), room.center().y());
}

}  // namespace

ScenarioList::ScenarioList(const QStringList& own, QObject* parent) : QAbstractListModel(parent) {
  std::map<ScenarioGroup, std::vector<Row>> groups;
  for (const std::string& name : shippedScenarioNames()) {
    Row row = rowOfFile(name);
    groups[row.scenario.group].push_back(std::move(row));
  }
  for (auto& [group, rows] : groups) addGroup(groupTitle(group), std::move(rows));
  std::vector<Row> files;
  for (const QString& file : own) files.push_back(rowOfFile(file.toStdString()));
  addGroup(tr("Your scenarios"), std::move(files));
}

void ScenarioList::addGroup(const QString& title, std::vector<Row> rows) {
  if (rows.empty()) return;
  Row heading;
  heading.title = heading.group = title;
  heading.heading = true;
  heading.scenario.group = rows.front().scenario.group;
  m_rows.push_back(std::move(heading));
  for (Row& row : rows) {
    row.group = title;
    m_rows.push_back(std::move(row));
  }
}

int ScenarioList::rowOf(const QString& name) const {
  const auto find = [this](const auto& matches) {
    const auto found =
        std::ranges::find_if(m_rows, [&](const Row& row) { return !row.heading && matches(row); });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
  };
  const int known = find([&](const Row& row) { return QString::fromStdString(row.scenario.name) == name; });
  return known >= 0 ? known : find([](const Row&) { return true; });
}

int ScenarioList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ScenarioList::data(const QModelIndex& index, int role) const {
  const Row& one = row(index.row());
  if (role == Qt::DisplayRole) return one.title;
  if (role == Qt::ToolTipRole)
    return one.scenario.about.empty() ? one.key : QString::fromStdString(one.scenario.about);
  if (role == Qt::AccessibleDescriptionRole) return lookFor(one);
  if (role == Qt::AccessibleTextRole && !one.heading)
    return tr("%1, in “%2”. %3").arg(one.title, one.group, lookFor(one));
  return {};
}

Qt::ItemFlags ScenarioList::flags(const QModelIndex& index) const {
  return row(index.row()).heading ? Qt::NoItemFlags : QAbstractListModel::flags(index);
}

QSize ScenarioDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto& row = static_cast<const ScenarioList*>(index.model())->row(index.row());
  const int line = QFontMetrics(option.font).lineSpacing();
  return {20 * line, row.heading ? line + 2 * kGap : 5 * line / 2 + 2 * kGap};
}

void ScenarioDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
  const auto& row = static_cast<const ScenarioList*>(index.model())->row(index.row());
  painter->save();
  if (row.heading) {
    paintHeading(*painter, option, row);
    return painter->restore();
  }
  QStyleOptionViewItem ground = option;
  ground.text.clear();
  QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
  const bool chosen = option.state & QStyle::State_Selected;
  const QRect room = option.rect.adjusted(kGap, kGap / 2, -kGap, -kGap / 2);
  const QRect picture(room.topLeft(), QSize(room.height() * 2, room.height()));
  paintScenario(*painter, picture, row.scenario, Theme(option.palette));
  const QRect words = room.adjusted(picture.width() + 2 * kGap, 0, 0, 0);
  const QFontMetrics metrics(option.font);
  painter->setPen(option.palette.color(chosen ? QPalette::HighlightedText : QPalette::Text));
  painter->setFont(boldened(option.font));
  const int middle = words.center().y();
  paintText(*painter,
            QRect(words.left(), middle - metrics.lineSpacing(), words.width(), metrics.lineSpacing()),
            Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(painter->font()).elidedText(row.title, Qt::ElideRight, words.width()));
  painter->setFont(option.font);
  if (!chosen) painter->setPen(Theme(option.palette).dimText());
  paintText(*painter, QRect(words.left(), middle, words.width(), metrics.lineSpacing()),
            Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(lookFor(row), Qt::ElideRight, words.width()));
  painter->restore();
}

}  // namespace vitrine

#include "moc_scenario_list.cpp"
