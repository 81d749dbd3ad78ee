// PartFile: a file that is being downloaded, NAME.part, with its label NAME.part.json beside it.
//
// The label says of which file the bytes are: what the hub lists of it, and what the server sent to tell its
// versions apart. Bytes under another label are not gone on with. Only a file whose checksum is right gets
// its name, and no file is ever written over. Thread: one at a time. Read next: file_download.h.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include "catalog/download_problem.h"
#include "catalog/hub_listing.h"

namespace vitrine {

class PartFile {
 public:
  PartFile(const HubFile& file, const QString& target)
      : m_file(file), m_target(target), m_part(target + ".part"), m_label(target + ".part.json") {}

  // Opens what an earlier download has left, if it belongs to this file; otherwise begins anew.
  DownloadProblem open();
  qint64 bytes() const { return m_part.size(); }
  const QByteArray& validator() const { return m_validator; }

  QByteArray readAt(qint64 offset, qint64 most);
  DownloadProblem begin(const QByteArray& validator);  // anew, with no bytes
  DownloadProblem append(const QByteArray& bytes);
  // To the disk, and to its name. Requires a right checksum.
  DownloadProblem finish();
  void close() { m_part.close(); }
  void remove();

  // What download left there, whatever it belongs to.
  static void removeAt(const QString& target);
  static qint64 bytesAt(const QString& target);

 private:
  bool readLabel();
  DownloadProblem writeLabel() const;
  DownloadProblem failed(int error) const;

  const HubFile m_file;
  const QString m_target;
  QFile m_part;
  const QString m_label;
  QByteArray m_validator;
};

}  // namespace vitrine
