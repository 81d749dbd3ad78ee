#include "instance/start_message.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace vitrine {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kNamedFields = 3;  // before the files

const std::string kHead = std::string("VTRN") + static_cast<char>(kStartVersion);

bool isAbsolute(std::string_view path) { return path.starts_with('/'); }

bool isWell(const StartRequest& request) {
  const auto fits = [](const std::string& field) {
    return field.size() <= kMostPathBytes && field.find('\0') == std::string::npos;
  };
  return fits(request.perspective) && fits(request.model) && fits(request.activation) &&
         std::ranges::all_of(request.files, fits) && std::ranges::all_of(request.files, isAbsolute) &&
         (request.model.empty() || isAbsolute(request.model));
}

std::uint32_t lengthAt(std::string_view bytes) {
  std::uint32_t length = 0;
  for (const char byte : bytes.substr(0, kLengthBytes))
    length = length << 8 | static_cast<unsigned char>(byte);
  return length;
}

// Every field is ended by a zero byte, the last one too.
std::optional<StartRequest> requestFrom(std::string_view body) {
  if (body.empty() || body.back() != '\0') return {};
  std::vector<std::string> fields;
  while (!body.empty()) {
    const std::size_t end = body.find('\0');
    fields.emplace_back(body.substr(0, end));
    body.remove_prefix(end + 1);
  }
  if (fields.size() < kNamedFields) return {};
  StartRequest request{std::move(fields[0]), std::move(fields[1]), std::move(fields[2]), {}};
  request.files.assign(std::make_move_iterator(fields.begin() + kNamedFields),
                       std::make_move_iterator(fields.end()));
  if (!isWell(request)) return {};
  return request;
}

}  // namespace

std::optional<std::string> toStartMessage(const StartRequest& request) {
  if (!isWell(request)) return {};
  std::string body;
  for (const std::string* field : {&request.perspective, &request.model, &request.activation})
    body += *field + '\0';
  for (const std::string& file : request.files) body += file + '\0';
  if (kHead.size() + kLengthBytes + body.size() > kMostStartBytes) return {};
  std::string message = kHead;
  for (int shift = 24; shift >= 0; shift -= 8) message += static_cast<char>(body.size() >> shift & 0xff);
  return message + body;
}

StartReading readStartMessage(std::string_view bytes, StartRequest& request) {
  const std::string_view head = kHead;
  if (bytes.size() < head.size())
    return head.starts_with(bytes) ? StartReading::kMore : StartReading::kRefused;
  if (!bytes.starts_with(head)) return StartReading::kRefused;
  bytes.remove_prefix(head.size());
  if (bytes.size() < kLengthBytes) return StartReading::kMore;
  const std::size_t length = lengthAt(bytes);
  bytes.remove_prefix(kLengthBytes);
  if (length > kMostStartBytes - head.size() - kLengthBytes || bytes.size() > length)
    return StartReading::kRefused;
  if (bytes.size() < length) return StartReading::kMore;
  std::optional<StartRequest> read = requestFrom(bytes);
  if (!read) return StartReading::kRefused;
  request = *std::move(read);
  return StartReading::kWhole;
}

std::string startAnswer(bool taken) { return kHead + (taken ? 'y' : 'n'); }

StartReading readStartAnswer(std::string_view bytes, bool& taken) {
  for (const bool one : {true, false}) {
    const std::string answer = startAnswer(one);
    if (bytes.size() < answer.size() && answer.starts_with(bytes)) return StartReading::kMore;
    if (bytes != answer) continue;
    taken = one;
    return StartReading::kWhole;
  }
  return StartReading::kRefused;
}

}  // namespace vitrine
