// What a second start of the program says to the window that runs, and what that answers, as bytes.
//
// A request: "VTRN", a byte with the version, the length of the rest in 4 bytes (big-endian), and the rest:
// the fields in the order of StartRequest, each ended by a zero byte. Paths are bytes as the file system has
// them. An answer: "VTRN", the version, and 'y' or 'n'. A peer may send anything: nothing but a whole, exact
// message of this version is taken, none is longer than kMostStartBytes, and one request has one form only.
//
// Thread: values. Read next: single_instance.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

inline constexpr unsigned char kStartVersion = 1;
inline constexpr std::size_t kMostStartBytes = std::size_t{64} << 10;  // of a request, head included
inline constexpr std::size_t kMostPathBytes = 4096;                    // of any field

struct StartRequest {
  std::string perspective;         // a key of Perspectives; empty: as it is
  std::string model;               // absolute path; empty: none is asked for
  std::string activation;          // a token of the desktop, by which a window may come to the front
  std::vector<std::string> files;  // absolute paths, at most kMostPathBytes each

  bool operator==(const StartRequest&) const = default;
};

// Nothing for a request that the format cannot say: too long, a relative path, a zero byte.
std::optional<std::string> toStartMessage(const StartRequest& request);

enum class StartReading {
  kMore,    // a beginning of a message
  kWhole,   // a message and nothing after it
  kRefused  // no beginning of one, or one that is too long
};
// `request` is written with kWhole alone.
StartReading readStartMessage(std::string_view bytes, StartRequest& request);

std::string startAnswer(bool taken);
// `taken` is written with kWhole alone.
StartReading readStartAnswer(std::string_view bytes, bool& taken);

}  // namespace vitrine
