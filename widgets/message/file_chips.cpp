#include "widgets/message/file_chips.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include "widgets/painting/flow_layout.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

constexpr int kLongestName = 40;  // letters
const char* const kId = "chipOf";

QString shortened(const QString& name) {
  if (name.size() <= kLongestName) return name;
  return name.left(kLongestName / 2) + u'…' + name.right(kLongestName / 2 - 1);
}

QString wordsOf(const FileChip& file, const QString& name) {
  const QString size = fileSize(file.bytes);
  return file.tokens < 0 ? FileChips::tr("%1 · %2").arg(name, size)
                         : FileChips::tr("%1 · %2 · %Ln token(s)", nullptr, file.tokens).arg(name, size);
}

}  // namespace

// Qt's own "bytes" has no singular.
QString fileSize(qint64 bytes) {
  if (bytes < 1000) return FileChips::tr("%Ln byte(s)", nullptr, static_cast<int>(bytes));
  return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

FileChips::FileChips(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Files that go with the message"));
  new FlowLayout(this);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  hide();
}

void FileChips::setFiles(const std::vector<FileChip>& files) {
  setVisible(!files.empty());
  if (files == m_files) return;
  m_files = files;
  // Later, since one of them may be what asked for the change.
  while (QLayoutItem* item = layout()->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (const FileChip& file : m_files) {
    QWidget* const chip = makeChip(file);
    layout()->addWidget(chip);
    chip->show();
  }
}

QWidget* FileChips::makeChip(const FileChip& file) {
  auto* chip = new QFrame(this);
  chip->setFrameShape(QFrame::StyledPanel);
  chip->setToolTip(plainTip(file.how.isEmpty() ? file.name : file.name + u'\n' + file.how));
  auto* row = new QHBoxLayout(chip);
  row->setContentsMargins(8, 1, 2, 1);
  row->setSpacing(4);
  auto* words = new QLabel(wordsOf(file, shortened(file.name)), chip);
  words->setTextFormat(Qt::PlainText);
  row->addWidget(words);
  auto* remove = new QToolButton(chip);
  remove->setText(QStringLiteral("×"));
  remove->setAutoRaise(true);
  remove->setToolTip(tr("Do not send this file"));
  remove->setAccessibleName(tr("Do not send %1").arg(file.name));
  const QString described = wordsOf(file, file.name);
  remove->setAccessibleDescription(file.how.isEmpty() ? described : tr("%1 · %2").arg(described, file.how));
  remove->setProperty(kId, file.id);
  remove->installEventFilter(this);  // Delete removes it, too
  row->addWidget(remove);
  connect(remove, &QToolButton::clicked, this, [this, id = file.id] { emit removeRequested(id); });
  return chip;
}

bool FileChips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key != Qt::Key_Delete && key != Qt::Key_Backspace) return QWidget::eventFilter(watched, event);
  emit removeRequested(watched->property(kId).toLongLong());
  return true;
}

}  // namespace vitrine

#include "moc_file_chips.cpp"
