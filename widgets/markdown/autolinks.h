// Addresses written without markup, found in one pass: http://, https:// and www. as GitHub does it.
//
// md4c has flags for them, but tries each address against the whole rest of the paragraph: 20,000 addresses
// cost it a third of a second. Here each byte is looked at a bounded number of times.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct FoundAddress {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string href;

  bool operator==(const FoundAddress&) const = default;
};

std::vector<FoundAddress> findAddresses(std::string_view text);

// Whether a link may lead there: http, https or mailto, not too long, without spaces and characters that
// hide.
bool isAllowedAddress(std::string_view href);

}  // namespace vitrine
