// A WebSocket client of bytes: frames are written and read by the test, correct or not (RFC 6455).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/raw_client.h"

namespace vitrine::test {

enum Opcode { kContinued = 0, kTextFrame = 1, kBinaryFrame = 2, kCloseFrame = 8, kPing = 9, kPong = 10 };

// `first`: bits of the first byte beside the opcode; 0x80 says that the frame is its message's last.
inline std::string frameOf(int opcode, const std::string& payload, int first = 0x80, bool isMasked = true) {
  std::string frame(1, static_cast<char>(first | opcode));
  const std::size_t size = payload.size();
  const int mask = isMasked ? 0x80 : 0;
  const int bytes = size < 126 ? 0 : size < 65536 ? 2 : 8;
  frame += static_cast<char>(mask | (bytes == 0 ? static_cast<int>(size) : bytes == 2 ? 126 : 127));
  for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i));
  if (!isMasked) return frame + payload;
  const std::string key = "\x12\x34\x56\x78";
  frame += key;
  for (std::size_t i = 0; i < size; ++i) frame += static_cast<char>(payload[i] ^ key[i % 4]);
  return frame;
}

// Headers of a handshake, whose key is the one of RFC 6455.
inline std::string socketHeaders(const std::string& more = {}) {
  return "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         more;
}

class RawSocket {
 public:
  explicit RawSocket(int port, const std::string& path, const std::string& headers = {}, int receiveBytes = 0)
      : client(port, receiveBytes) {
    client.send(getText(path, socketHeaders(headers)));
    answer = client.readAnswer();
  }

  bool send(const std::string& text) { return client.send(frameOf(kTextFrame, text)); }

  struct Frame {
    int opcode = -1;  // -1: the connection has ended
    bool isLast = false;
    std::string payload;
  };
  Frame readFrame() {
    Frame frame;
    const std::string head = client.readBytes(2);
    if (head.size() < 2) return frame;
    const auto first = static_cast<unsigned char>(head[0]), second = static_cast<unsigned char>(head[1]);
    std::uint64_t size = second;  // no mask: a server has none
    if (second >= 126) {
      size = 0;
      for (const char c : client.readBytes(second == 126 ? 2 : 8))
        size = size << 8 | static_cast<unsigned char>(c);
    }
    frame.payload = client.readBytes(size);
    if (frame.payload.size() < size) return frame;
    frame.opcode = first & 0x0f;
    frame.isLast = (first & 0x80) != 0;
    if (frame.opcode == kPing) ++pings;
    if (frame.opcode == kCloseFrame && size >= 2) {
      closeCode =
          static_cast<unsigned char>(frame.payload[0]) << 8 | static_cast<unsigned char>(frame.payload[1]);
      closeReason = frame.payload.substr(2);
    }
    return frame;
  }
  // The next message; none when the connection is closed. Pings are passed over.
  std::optional<std::string> read() {
    std::string text;
    for (;;) {
      const Frame frame = readFrame();
      if (frame.opcode < 0 || frame.opcode == kCloseFrame) return std::nullopt;
      if (frame.opcode > kBinaryFrame) continue;
      text += frame.payload;
      if (frame.isLast) return text;
    }
  }
  QJsonObject json() {
    const std::optional<std::string> text = read();
    return QJsonDocument::fromJson(QByteArray::fromStdString(text.value_or(""))).object();
  }

  RawClient client;
  RawAnswer answer;  // to the handshake
  int closeCode = 0;
  std::string closeReason;
  int pings = 0;
};

}  // namespace vitrine::test
