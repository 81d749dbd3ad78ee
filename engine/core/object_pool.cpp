#include "core/object_pool.h"

#include <memory_resource>

namespace vitrine {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VITRINE_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define VITRINE_ADDRESS_SANITIZER
#endif

std::pmr::memory_resource& resource() {
#ifdef VITRINE_ADDRESS_SANITIZER
  return *std::pmr::new_delete_resource();
#else
  // Never destroyed: an object of static storage may be released after it would be.
  static auto* const pool = new std::pmr::synchronized_pool_resource(
      {.max_blocks_per_chunk = 256, .largest_required_pool_block = 1024});
  return *pool;
#endif
}

}  // namespace

void* allocatePooled(std::size_t bytes) { return resource().allocate(bytes, kPooledAlignment); }

void releasePooled(void* object, std::size_t bytes) noexcept {
  resource().deallocate(object, bytes, kPooledAlignment);
}

}  // namespace vitrine
