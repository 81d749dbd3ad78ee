// A client of bytes: it sends what a test wrote, correct or not, and reads one answer after the other.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vitrine::test {

struct RawAnswer {
  int status = 0;                              // 0: the connection ended before an answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  bool whole = false;  // its end was seen: of its length, of its chunks, or of the connection

  QJsonObject json() const { return QJsonDocument::fromJson(QByteArray::fromStdString(body)).object(); }
  QJsonObject error() const { return json()[QStringLiteral("error")].toObject(); }
  // The data of a stream's events, the last one "[DONE]".
  std::vector<std::string> events() const {
    std::vector<std::string> list;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t end = body.find("\n\n", at);
      if (end == std::string::npos || body.compare(at, 6, "data: ") != 0) return {};
      list.push_back(body.substr(at + 6, end - at - 6));
      at = end + 2;
    }
    return list;
  }
};

class RawClient {
 public:
  // receiveBytes: of the socket's own buffer; 0: the system's choice.
  explicit RawClient(int port, int receiveBytes = 0) : m_socket(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receiveBytes > 0) setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &receiveBytes, sizeof receiveBytes);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(m_socket, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0) close();
  }
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool isConnected() const { return m_socket >= 0; }
  void close() {
    if (m_socket >= 0) ::close(m_socket);
    m_socket = -1;
  }

  bool send(const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const auto count = ::send(m_socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  // Reads until the text has come or the connection has ended; what was read stays for readAnswer().
  bool readUntil(const std::string& text) {
    while (m_bytes.find(text) == std::string::npos)
      if (!more()) return false;
    return true;
  }
  // Whether the server ends the connection without another byte.
  bool isClosedByServer() { return m_bytes.empty() && !more() && m_bytes.empty(); }

  // So many bytes, or fewer when the connection ends.
  std::string readBytes(std::size_t count) {
    while (m_bytes.size() < count && more()) {
    }
    return take(count);
  }

  RawAnswer readAnswer() {
    RawAnswer answer;
    if (!readUntil("\r\n\r\n")) return answer;
    const std::string head = take(m_bytes.find("\r\n\r\n") + 4);
    answer.status = std::stoi(head.substr(9, 3));
    for (std::size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
      const std::size_t end = head.find("\r\n", at), colon = head.find(": ", at);
      std::string name = head.substr(at, colon - at);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      answer.headers[name] = head.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    if (answer.status < 200) {
      answer.whole = true;
    } else if (answer.headers.contains("content-length")) {
      const auto length = static_cast<std::size_t>(std::stoul(answer.headers["content-length"]));
      while (m_bytes.size() < length && more()) {
      }
      answer.whole = m_bytes.size() >= length;
      answer.body = take(std::min(length, m_bytes.size()));
    } else if (answer.headers.contains("transfer-encoding")) {
      readChunks(answer);
    } else {
      while (more()) {
      }
      answer.whole = true;
      answer.body = take(m_bytes.size());
    }
    return answer;
  }

 private:
  bool more() {
    char bytes[65536];
    const auto count = ::recv(m_socket, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    m_bytes.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  std::string take(std::size_t count) {
    std::string taken = m_bytes.substr(0, count);
    m_bytes.erase(0, count);
    return taken;
  }
  void readChunks(RawAnswer& answer) {
    for (;;) {
      if (!readUntil("\r\n")) return;
      const std::string line = take(m_bytes.find("\r\n") + 2);
      const auto size = static_cast<std::size_t>(std::stoul(line, nullptr, 16));
      while (m_bytes.size() < size + 2)
        if (!more()) return;
      answer.body += take(size);
      take(2);
      if (size == 0) break;
    }
    answer.whole = true;
  }

  int m_socket;
  std::string m_bytes;
};

// One request as curl sends it; `headers` are lines with their ends.
inline std::string getText(const std::string& path, const std::string& headers = {}) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}
inline std::string postText(const std::string& path, const std::string& body,
                            const std::string& headers = {}) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

// Over a connection of its own.
inline RawAnswer ask(int port, const std::string& request) {
  RawClient client(port);
  client.send(request);
  return client.readAnswer();
}

}  // namespace vitrine::test
