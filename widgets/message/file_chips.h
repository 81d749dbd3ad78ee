// FileChips: the files that go with the message that is being written, each with its size and its tokens.
// They are removed by a click on the cross, or by Delete on the one that has the focus. Thread: the window's.
// Read next: folded_files.h, which shows those of a message that was sent.
#pragma once

#include <QWidget>
#include <vector>

namespace vitrine {

struct FileChip {
  qint64 id = 0;
  QString name;
  qint64 bytes = 0;
  int tokens = -1;   // below 0: not known
  QString how = {};  // its text was found, where that is worth a word: "Read as Latin-1"

  bool operator==(const FileChip&) const = default;
};

// "1 byte", "1.2 kB", in the language of the window.
QString fileSize(qint64 bytes);

class FileChips : public QWidget {
  Q_OBJECT
 public:
  explicit FileChips(QWidget* parent = nullptr);

  void setFiles(const std::vector<FileChip>& files);

 signals:
  void removeRequested(qint64 id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeChip(const FileChip& file);

  std::vector<FileChip> m_files;
};

}  // namespace vitrine
