#include "catalog/file_download.h"

#include <QFileInfo>
#include <memory>

namespace vitrine {
namespace {

constexpr qint64 kHashedAtOnce = 4 << 20;  // a few milliseconds

}  // namespace

FileDownload::FileDownload(QNetworkAccessManager& network, const DownloadSettings& settings, const QUrl& url,
                           const HubFile& file, const QString& target, QObject* parent)
    : QObject(parent),
      m_settings(settings),
      m_url(url),
      m_file(file),
      m_target(target),
      m_part(file, target),
      m_digest(file),
      m_fetch(network, settings, this),
      m_retries(settings) {
  m_wait.setSingleShot(true);
  connect(&m_wait, &QTimer::timeout, this, &FileDownload::fetch);
  connect(&m_fetch, &HubFetch::begun, this, &FileDownload::onBegun);
  connect(&m_fetch, &HubFetch::arrived, this, &FileDownload::onArrived);
  connect(&m_fetch, &HubFetch::ended, this, &FileDownload::onEnded);
}

void FileDownload::start() {
  if (QFileInfo(m_target).exists() || QFileInfo(m_target).isSymLink())
    checkTarget();
  else
    openPart();
}

void FileDownload::stop() {
  m_isOver = true;
  m_wait.stop();
  m_fetch.abort();
  m_part.close();
}

void FileDownload::hashOn(const std::function<QByteArray(qint64)>& read, const std::function<void()>& done) {
  QMetaObject::invokeMethod(
      this,
      [this, read, done] {
        if (m_isOver) return;
        const QByteArray bytes = read(m_digest.bytes());
        m_digest.add(bytes);
        emit moved(m_digest.bytes());
        if (bytes.isEmpty())
          done();
        else
          hashOn(read, done);
      },
      Qt::QueuedConnection);
}

// A file with this name may be ours, of an earlier download; another one is left alone.
void FileDownload::checkTarget() {
  emit checking();
  const auto there = std::make_shared<QFile>(m_target);
  const auto decide = [this] {
    if (m_digest.matches()) {
      m_isOver = true;
      emit finished(false);
      return;
    }
    fail({DownloadFault::kFileInTheWay, tr("%1 is there, and is another file than the hub's.").arg(m_target),
          tr("Move it out of the way, or choose another folder.")});
  };
  if (there->size() != m_file.bytes || !there->open(QIODevice::ReadOnly)) return decide();
  hashOn([there](qint64) { return there->read(kHashedAtOnce); }, decide);
}

void FileDownload::openPart() {
  if (const DownloadProblem problem = m_part.open(); problem.fault != DownloadFault::kNone)
    return fail(problem);
  if (m_part.bytes() > 0) emit checking();
  hashOn([this](qint64 offset) { return m_part.readAt(offset, kHashedAtOnce); },
         [this] {
           if (m_digest.bytes() == m_file.bytes)
             complete();
           else
             fetch();
         });
}

void FileDownload::fetch() { m_fetch.get(m_url, m_digest.bytes()); }

void FileDownload::onBegun() {
  const FetchHead& head = m_fetch.head();
  QByteArray listed = head.validator;
  listed.replace('"', "");
  // The hub marks large files by their checksum.
  const bool isAnother = !m_file.sha256.isEmpty() && listed.size() == 64 && listed != m_file.sha256;
  if (isAnother || (head.totalBytes >= 0 && head.totalBytes != m_file.bytes)) return fail(changed());
  emit receiving();
  const bool goesOn = head.status == 206 && head.firstByte == m_digest.bytes() && m_digest.bytes() > 0 &&
                      head.validator == m_part.validator();
  if (goesOn) return;
  // A whole answer comes from its first byte; of a part that does not fit, nothing is taken.
  const bool isAsked = m_digest.bytes() > 0;
  if ((head.firstByte > 0 && !isAsked) || ++m_beginnings > m_settings.attempts) return fail(changed());
  beginAnew(head.validator);
  if (!m_isOver && head.firstByte > 0) fetch();
}

void FileDownload::beginAnew(const QByteArray& validator) {
  m_digest.reset();
  emit moved(0);
  if (const DownloadProblem problem = m_part.begin(validator); problem.fault != DownloadFault::kNone)
    fail(problem);
}

void FileDownload::onArrived() {
  const QByteArray bytes = m_fetch.read();
  if (m_isOver || bytes.isEmpty()) return;
  if (m_digest.bytes() + bytes.size() > m_file.bytes) return fail(changed());
  if (const DownloadProblem problem = m_part.append(bytes); problem.fault != DownloadFault::kNone)
    return fail(problem);
  m_retries.hasProgressed();
  m_digest.add(bytes);
  emit moved(m_digest.bytes());
}

void FileDownload::onEnded(const FetchEnd& end) {
  if (m_digest.bytes() == m_file.bytes && end.kind != FetchEnd::Kind::kStatus) return complete();
  FetchEnd counted = end;
  if (end.kind == FetchEnd::Kind::kDone)
    counted = {FetchEnd::Kind::kCut, end.status, 0, tr("The answer ended before the file")};
  // The server has less than what is here: another file, or one that cannot be gone on with.
  if (end.kind == FetchEnd::Kind::kStatus && end.status == 416 && m_digest.bytes() > 0) {
    beginAnew({});
    counted = {FetchEnd::Kind::kCut, end.status, 0, tr("The server cannot go on in the midst")};
  }
  if (m_isOver) return;
  const auto wait = m_retries.waitAfter(counted);
  if (!wait) return fail(problemOf(counted, m_file.path, m_settings));
  emit waiting(*wait, passingWords(counted));
  m_wait.start(*wait);
}

void FileDownload::complete() {
  m_fetch.abort();
  if (!m_digest.matches()) {
    m_part.remove();
    return fail(
        {DownloadFault::kChecksum,
         tr("%1 came with a wrong checksum: its bytes are not those that the hub lists. They were removed.")
             .arg(m_file.path),
         tr("List the files again, and download again.")});
  }
  if (const DownloadProblem problem = m_part.finish(); problem.fault != DownloadFault::kNone)
    return fail(problem);
  m_isOver = true;
  emit finished(true);
}

DownloadProblem FileDownload::changed() const {
  return {DownloadFault::kChanged,
          tr("%1 has changed on the hub since its files were listed.").arg(m_file.path),
          tr("List the files again.")};
}

void FileDownload::fail(const DownloadProblem& problem) {
  stop();
  emit failed(problem);
}

}  // namespace vitrine

#include "moc_file_download.cpp"
