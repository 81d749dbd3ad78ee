#include "catalog/part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <cerrno>

#include "catalog/catalog_wording.h"
#include "catalog/small_file.h"

namespace vitrine {
namespace {

QJsonObject labelOf(const HubFile& file, const QByteArray& validator) {
  return {{"bytes", double(file.bytes)},
          {"sha256", QString::fromLatin1(file.sha256)},
          {"git_sha1", QString::fromLatin1(file.gitSha1)},
          {"validator", QString::fromLatin1(validator)}};
}

}  // namespace

DownloadProblem PartFile::open() {
  if (!QDir().mkpath(QFileInfo(m_target).path()))
    return {DownloadFault::kCannotWrite,
            CatalogWording::tr("The folder %1 cannot be made.").arg(QFileInfo(m_target).path()),
            CatalogWording::tr("Choose a folder that you may write to.")};
  const bool fits = readLabel();
  // Bytes go to the disk as they come: a killed program leaves all that it was told.
  if (!m_part.open(QIODevice::ReadWrite | QIODevice::Unbuffered)) return failed(EACCES);
  if (fits && m_part.size() <= m_file.bytes) return {};
  return begin({});
}

bool PartFile::readLabel() {
  const QJsonObject label = QJsonDocument::fromJson(readSmallFile(m_label)).object();
  m_validator = label.value("validator").toString().toLatin1();
  return !label.isEmpty() && label == labelOf(m_file, m_validator);
}

DownloadProblem PartFile::writeLabel() const {
  QSaveFile label(m_label);
  if (!label.open(QIODevice::WriteOnly)) return failed(EACCES);
  label.write(QJsonDocument(labelOf(m_file, m_validator)).toJson());
  return label.commit() ? DownloadProblem{} : failed(ENOSPC);
}

QByteArray PartFile::readAt(qint64 offset, qint64 most) {
  return m_part.seek(offset) ? m_part.read(most) : QByteArray();
}

DownloadProblem PartFile::begin(const QByteArray& validator) {
  m_validator = validator;
  if (!m_part.resize(0)) return failed(errno);
  return writeLabel();
}

DownloadProblem PartFile::append(const QByteArray& bytes) {
  // With the system's own call, which says what is wrong: a full disk, and a limit that the system sets, are
  // told apart from a broken one.
  if (::lseek(m_part.handle(), 0, SEEK_END) < 0) return failed(errno);
  for (qint64 at = 0; at < bytes.size();) {
    const ssize_t written = ::write(m_part.handle(), bytes.constData() + at, size_t(bytes.size() - at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(errno);
    at += written;
  }
  return {};
}

DownloadProblem PartFile::finish() {
  if (::fsync(m_part.handle()) != 0) return failed(errno);
  m_part.close();
  if (!QFile::rename(m_part.fileName(), m_target))
    return {DownloadFault::kFileInTheWay,
            CatalogWording::tr("%1 cannot get its name: %2.").arg(m_part.fileName(), m_target),
            CatalogWording::tr("Move what is there out of the way.")};
  QFile::remove(m_label);
  return {};
}

void PartFile::remove() {
  m_part.close();
  removeAt(m_target);
}

void PartFile::removeAt(const QString& target) {
  QFile::remove(target + ".part");
  QFile::remove(target + ".part.json");
}

qint64 PartFile::bytesAt(const QString& target) { return QFileInfo(target + ".part").size(); }

DownloadProblem PartFile::failed(int error) const {
  if (error == EFBIG)
    return {
        DownloadFault::kDiskFull,
        CatalogWording::tr("%1 cannot grow: the file system takes no larger file.").arg(m_part.fileName()),
        CatalogWording::tr("Choose a folder on another disk.")};
  if (error == ENOSPC || error == EDQUOT)
    return {DownloadFault::kDiskFull,
            CatalogWording::tr("The disk is full: %1 cannot grow.").arg(m_part.fileName()),
            CatalogWording::tr("Make room and go on; what has come is kept.")};
  return {DownloadFault::kCannotWrite,
          CatalogWording::tr("%1 cannot be written: %2.").arg(m_part.fileName(), qt_error_string(error)),
          CatalogWording::tr("Choose a folder that you may write to.")};
}

}  // namespace vitrine
