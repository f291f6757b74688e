/* Counts the bytes that aligned allocations hold, as ONNX Runtime makes them for tensors: LD_PRELOAD for test_memory.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

enum { kSlots = 1 << 20 };
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

int posix_memalign(void** at, size_t alignment, size_t size) {
  static int (*real)(void**, size_t, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "posix_memalign");
  const int code = real(at, alignment, size);
  if (code == 0) note(*at, size);
  return code;
}

void free(void* at) {
  static void (*real)(void*);
  if (!real) real = dlsym(RTLD_NEXT, "free");
  if (at) drop(at);
  real(at);
}

size_t counted_live(void) { return live; }
size_t counted_peak(void) { return peak; }
void counted_restart(void) { peak = live; }
