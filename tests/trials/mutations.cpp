#include "trials/mutations.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "trials/files.h"
#include "trials/values.h"

namespace vitrine::trials {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string flipBytes(Dice& dice, std::string bytes) {
  if (bytes.empty()) return bytes;
  for (std::size_t count = 1 + dice.below(8); count > 0; --count)
    bytes[dice.below(bytes.size())] = static_cast<char>(dice.below(256));
  return bytes;
}

std::string cut(Dice& dice, std::string bytes) {
  bytes.resize(dice.below(bytes.size() + 1));
  return bytes;
}

std::string append(Dice& dice, const std::string& bytes) { return bytes + anyText(dice); }

std::string prepend(Dice& dice, const std::string& bytes) { return anyText(dice) + bytes; }

std::string empty(Dice&, const std::string&) { return {}; }

// Nothing (discarded) for what is no JSON, and for what an earlier spoiling nested deeper than a stack can
// walk.
Json parsed(const std::string& bytes) {
  constexpr int kDeepest = 1000;
  int depth = 0;
  for (const char c : bytes) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (depth > kDeepest) return Json(Json::value_t::discarded);
  }
  return Json::parse(bytes, nullptr, false);
}

// Every value of the tree, so that all are met alike.
void collect(Json& json, std::vector<Json*>& all) {
  all.push_back(&json);
  if (json.is_structured())
    for (Json& child : json) collect(child, all);
}

Json* anyObject(Dice& dice, Json& json) {
  std::vector<Json*> all;
  collect(json, all);
  std::erase_if(all, [](const Json* one) { return !one->is_object() || one->empty(); });
  return all.empty() ? nullptr : dice.oneOf(all);
}

std::string anyKey(Dice& dice, const Json& object) {
  return std::next(object.begin(), static_cast<std::ptrdiff_t>(dice.below(object.size()))).key();
}

std::string written(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string changeJson(Dice& dice, const std::string& bytes) {
  Json json = parsed(bytes);
  if (json.is_discarded()) return flipBytes(dice, bytes);
  for (std::size_t count = 1 + dice.below(3); count > 0; --count) {
    std::vector<Json*> all;
    collect(json, all);
    if (dice.chance(60)) {  // most of a tokenizer is its vocabulary: look at what stands on top, too
      std::erase_if(all, [&](const Json* one) { return one->is_structured() && one->size() > 64; });
      if (all.empty()) return written(json);
    }
    Json& chosen = *dice.oneOf(all);
    if (chosen.is_number() && dice.chance(70)) {
      const Json number = Json::parse(anyNumber(dice), nullptr, false);
      chosen = number.is_discarded() ? Json(-1) : number;
    } else {
      chosen = anyJson(dice);
    }
  }
  return written(json);
}

std::string changeTopLevel(Dice& dice, const std::string& bytes) {
  Json json = parsed(bytes);
  if (!json.is_object() || json.empty()) return flipBytes(dice, bytes);
  json[anyKey(dice, json)] = anyJson(dice);
  return written(json);
}

std::string dropKey(Dice& dice, const std::string& bytes) {
  Json json = parsed(bytes);
  Json* object = json.is_discarded() ? nullptr : anyObject(dice, json);
  if (object == nullptr) return cut(dice, bytes);
  object->erase(anyKey(dice, *object));
  return written(json);
}

std::string renameKey(Dice& dice, const std::string& bytes) {
  Json json = parsed(bytes);
  Json* object = json.is_discarded() ? nullptr : anyObject(dice, json);
  if (object == nullptr) return cut(dice, bytes);
  const std::string key = anyKey(dice, *object);
  Json value = (*object)[key];
  object->erase(key);
  (*object)[dice.chance(50) ? key + "_" : anyText(dice)] = std::move(value);
  return written(json);
}

std::string doubleKey(Dice& dice, const std::string& bytes) {
  const Json json = parsed(bytes);
  const std::size_t brace = bytes.find('{');
  if (!json.is_object() || json.empty() || brace == std::string::npos) return append(dice, bytes);
  return bytes.substr(0, brace + 1) + Json(anyKey(dice, json)).dump() + ":" + written(anyJson(dice)) + "," +
         bytes.substr(brace + 1);
}

std::string manyMembers(Dice& dice, const std::string& bytes) {
  const std::size_t brace = bytes.find('{');
  if (brace == std::string::npos) return bytes;
  std::string members;
  for (std::size_t i = dice.below(20'000); i > 0; --i) members += "\"m" + std::to_string(i) + "\":0,";
  return bytes.substr(0, brace + 1) + members + bytes.substr(brace + 1);
}

std::string nest(Dice& dice, const std::string& bytes) {
  const std::size_t depth = 1 + dice.below(100'000);
  return std::string(depth, '[') + bytes + std::string(dice.chance(50) ? depth : 0, ']');
}

struct Safetensors {
  Json header;
  std::string data;
};

bool split(const std::string& bytes, Safetensors& parts) {
  std::uint64_t length = 0;
  if (bytes.size() < 8) return false;
  std::memcpy(&length, bytes.data(), 8);
  if (length > bytes.size() - 8) return false;
  parts.header = Json::parse(bytes.substr(8, length), nullptr, false);
  parts.data = bytes.substr(8 + length);
  return parts.header.is_object() && !parts.header.empty();
}

std::string joined(const Safetensors& parts) {
  const std::string header = written(parts.header);
  std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + parts.data;
}

std::string changeHeader(Dice& dice, const std::string& bytes) {
  Safetensors parts;
  if (!split(bytes, parts)) return flipBytes(dice, bytes);
  Json& tensor = parts.header[anyKey(dice, parts.header)];
  static const std::vector<std::string> kTypes = {"F32", "BF16", "F16", "F64", "I64", "BOOL", "F8_E4M3"};
  switch (dice.below(5)) {
    case 0:
      if (tensor.contains("shape") && !tensor["shape"].empty())
        tensor["shape"][dice.below(tensor["shape"].size())] = anyJson(dice);
      break;
    case 1:
      if (tensor.contains("data_offsets")) tensor["data_offsets"][dice.below(2)] = anyJson(dice);
      break;
    case 2:
      tensor["dtype"] = dice.oneOf(kTypes);
      break;
    case 3:
      tensor["shape"] = Json::array({0, 18446744073709551615u, 2});
      break;
    default:
      tensor = parts.header[anyKey(dice, parts.header)];  // two in one place
  }
  return joined(parts);
}

std::string changeHeaderText(Dice& dice, const std::string& bytes) {
  Safetensors parts;
  if (!split(bytes, parts)) return flipBytes(dice, bytes);
  const std::string header = doubleKey(dice, dropKey(dice, written(parts.header)));
  std::uint64_t length = header.size();
  std::string all(8, '\0');
  std::memcpy(all.data(), &length, 8);
  return all + header + parts.data;
}

std::string changeHeaderLength(Dice& dice, std::string bytes) {
  static const std::vector<std::uint64_t> kLengths = {0, 1, 7, 100'000'000, 1ull << 31, 1ull << 63, ~0ull};
  if (bytes.size() < 8) return bytes;
  const std::uint64_t length = dice.oneOf(kLengths);
  std::memcpy(bytes.data(), &length, 8);
  return bytes;
}

// NaN, infinity, and numbers so large that sums of them overflow, in whatever type is stored.
std::string spoilWeights(Dice& dice, const std::string& bytes) {
  Safetensors parts;
  if (!split(bytes, parts)) return flipBytes(dice, bytes);
  static const std::vector<std::string> kBad = {std::string("\x00\x00\xc0\x7f", 4),
                                                std::string("\x00\x00\x80\x7f", 4),
                                                std::string("\xff\xff\x7f\xff", 4), std::string(4, '\x7f')};
  const std::string bad = dice.oneOf(kBad);
  for (std::size_t count = 1 + dice.below(4); count > 0 && parts.data.size() >= 4; --count)
    parts.data.replace(dice.below(parts.data.size() / 4) * 4, 4, bad);
  return joined(parts);
}

using Change = std::string (*)(Dice&, const std::string&);
struct Named {
  const char* name;
  Change change;
};

template <std::string (*change)(Dice&, std::string)>
std::string byReference(Dice& dice, const std::string& bytes) {
  return change(dice, bytes);
}

const std::vector<Named> kOfAnyFile = {{"bytes flipped in", byReference<flipBytes>},
                                       {"cut", byReference<cut>},
                                       {"text appended to", append},
                                       {"text put before", prepend},
                                       {"emptied", empty}};
const std::vector<Named> kOfJson = {{"values changed in", changeJson},
                                    {"a top-level value changed in", changeTopLevel},
                                    {"a key dropped from", dropKey},
                                    {"a key renamed in", renameKey},
                                    {"a key doubled in", doubleKey},
                                    {"many members added to", manyMembers},
                                    {"nested deeply", nest}};
const std::vector<Named> kOfWeights = {{"the header's values changed in", changeHeader},
                                       {"the header's keys changed in", changeHeaderText},
                                       {"another header length in", byReference<changeHeaderLength>},
                                       {"weights spoilt in", spoilWeights}};

const Named& changeFor(Dice& dice, const fs::path& file) {
  if (file.extension() == ".json" && dice.chance(80)) return dice.oneOf(kOfJson);
  if (file.extension() == ".safetensors" && dice.chance(80)) return dice.oneOf(kOfWeights);
  return dice.oneOf(kOfAnyFile);
}

// Something else where the file was.
std::string replaceFile(Dice& dice, const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  switch (dice.below(7)) {
    case 0:
      return "removed ";
    case 1:
      fs::create_directory(file);
      return "a folder instead of ";
    case 2:
      ::mkfifo(file.c_str(), 0600);
      return "a FIFO instead of ";
    case 3:
      fs::create_symlink(file.filename(), file);
      return "a link to itself instead of ";
    case 4:
      fs::create_symlink("nothing", file);
      return "a link to nothing instead of ";
    case 5:
      fs::create_symlink("/dev/zero", file);
      return "/dev/zero instead of ";
    default:
      fs::create_symlink("/dev/null", file);
      return "/dev/null instead of ";
  }
}

}  // namespace

std::string mutate(Dice& dice, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::is_regular_file(entry.symlink_status())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // the directory's own order is another everywhere
  if (files.empty()) return "nothing left";
  const fs::path file = dice.oneOf(files);
  if (dice.chance(10)) return replaceFile(dice, file) + file.filename().string();
  if (dice.chance(5) && files.size() > 1) {
    const fs::path other = dice.oneOf(files);
    const std::string mine = readBytes(file), its = readBytes(other);
    writeBytes(file, its);
    writeBytes(other, mine);
    return "swapped " + file.filename().string() + " and " + other.filename().string();
  }
  const Named& change = changeFor(dice, file);
  writeBytes(file, change.change(dice, readBytes(file)));
  return std::string(change.name) + " " + file.filename().string();
}

}  // namespace vitrine::trials
