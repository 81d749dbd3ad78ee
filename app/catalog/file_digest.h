// FileDigest: the checksum that the hub lists for a file, computed while its bytes pass. Thread: one at a
// time. Read next: hub_listing.h.
#pragma once

#include <QCryptographicHash>

#include "catalog/hub_listing.h"

namespace vitrine {

// SHA-256 of a large file; of a small one git's SHA-1, which begins with "blob", its size and a zero byte;
// where neither is listed, the size alone.
class FileDigest {
 public:
  explicit FileDigest(const HubFile& file)
      : m_file(file), m_hash(file.sha256.isEmpty() ? QCryptographicHash::Sha1 : QCryptographicHash::Sha256) {
    reset();
  }

  void reset() {
    m_hash.reset();
    m_bytes = 0;
    if (m_file.sha256.isEmpty()) {
      m_hash.addData("blob " + QByteArray::number(m_file.bytes));
      m_hash.addData(QByteArray(1, '\0'));
    }
  }
  void add(const QByteArray& bytes) {
    m_hash.addData(bytes);
    m_bytes += bytes.size();
  }
  qint64 bytes() const { return m_bytes; }  // added so far
  bool matches() const {
    const QByteArray& listed = m_file.sha256.isEmpty() ? m_file.gitSha1 : m_file.sha256;
    return m_bytes == m_file.bytes && (listed.isEmpty() || m_hash.result().toHex() == listed);
  }

 private:
  const HubFile m_file;
  QCryptographicHash m_hash;
  qint64 m_bytes = 0;
};

}  // namespace vitrine
