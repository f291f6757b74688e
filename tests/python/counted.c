/* Counts the bytes of large allocations that are held, such as ONNX Runtime makes for tensors: LD_PRELOAD for test_memory.py. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { kSlots = 1 << 20, kLarge = 1 << 14 };
extern void* __libc_malloc(size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

static struct { void* at; size_t size; } held[kSlots];
static size_t live, peak;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t slot_of(void* at) { return ((size_t)at >> 6) * 2654435761u % kSlots; }

static void note(void* at, size_t size) {
  pthread_mutex_lock(&lock);
  size_t i = slot_of(at);
  while (held[i].at != NULL && held[i].at != at) i = (i + 1) % kSlots;
  held[i].at = at;
  held[i].size = size;
  live += size;
  if (live > peak) peak = live;
  pthread_mutex_unlock(&lock);
}

static void drop(void* at) {
  pthread_mutex_lock(&lock);
  for (size_t i = slot_of(at); held[i].at != NULL; i = (i + 1) % kSlots) {
    if (held[i].at != at) continue;
    live -= held[i].size;
    held[i].size = 0; /* the slot stays, for those behind it */
    break;
  }
  pthread_mutex_unlock(&lock);
}

static void* noted(void* at, size_t size) {
  if (at != NULL && size >= kLarge) note(at, size);
  return at;
}

void* malloc(size_t size) { return noted(__libc_malloc(size), size); }

void* aligned_alloc(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size), size); }

int posix_memalign(void** at, size_t alignment, size_t size) {
  *at = noted(__libc_memalign(alignment, size), size);
  return *at == NULL ? ENOMEM : 0;
}

void free(void* at) {
  if (at != NULL) drop(at);
  __libc_free(at);
}

size_t counted_live(void) { return live; }
size_t counted_peak(void) { return peak; }
void counted_restart(void) { peak = live; }
