// LD_PRELOAD: lets the n-th call of one kind fail. FAULT="write:3" or "alloc:120"; with FAULT_SEEN the file of that name is
// made when it happened. Only for tests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char kind[32];
static long at = -1;
static long count = 0;
static int ready = 0;

static void set_up(void) {
  if (ready) return;
  ready = 1;
  const char* fault = getenv("FAULT");
  if (fault == NULL) return;
  const char* colon = strchr(fault, ':');
  if (colon == NULL || (size_t)(colon - fault) >= sizeof kind) return;
  memcpy(kind, fault, (size_t)(colon - fault));
  at = atol(colon + 1);
}

static int fails(const char* what) {
  set_up();
  if (at < 0 || strcmp(kind, what) != 0) return 0;
  if (__sync_add_and_fetch(&count, 1) != at) return 0;
  const char* seen = getenv("FAULT_SEEN");
  if (seen != NULL) {
    int (*real)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
    int made = real(seen, O_WRONLY | O_CREAT, 0600);
    if (made >= 0) close(made);
  }
  return 1;
}

#define REAL(name, result, ...)                \
  typedef result (*real_function)(__VA_ARGS__); \
  static real_function real;                    \
  if (real == NULL) real = (real_function)dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void* data, size_t size) {
  REAL("write", ssize_t, int, const void*, size_t);
  struct stat info;
  // Files only: what wakes a thread does not run out of space.
  const int is_file = fd > 2 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (is_file && fails("write")) { errno = ENOSPC; return -1; }
  if (is_file && fails("interrupted-write")) { errno = EINTR; return -1; }
  return real(fd, data, is_file && size > 1 && fails("short-write") ? size / 2 : size);
}
ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  REAL("pread", ssize_t, int, void*, size_t, off_t);
  if (fails("read")) { errno = EIO; return -1; }
  if (fails("interrupted-read")) { errno = EINTR; return -1; }
  if (fails("ended-read")) return 0;
  return real(fd, data, size > 1 && fails("short-read") ? size / 2 : size, offset);
}
ssize_t pread64(int fd, void* data, size_t size, off64_t offset) {
  REAL("pread64", ssize_t, int, void*, size_t, off64_t);
  if (fails("read")) { errno = EIO; return -1; }
  if (fails("interrupted-read")) { errno = EINTR; return -1; }
  if (fails("ended-read")) return 0;
  return real(fd, data, size > 1 && fails("short-read") ? size / 2 : size, offset);
}
ssize_t copy_file_range(int from, off64_t* at_from, int to, off64_t* at_to, size_t size, unsigned flags) {
  REAL("copy_file_range", ssize_t, int, off64_t*, int, off64_t*, size_t, unsigned);
  if (fails("copy")) { errno = ENOSPC; return -1; }
  if (fails("interrupted-copy")) { errno = EINTR; return -1; }
  if (fails("ended-copy")) return 0;
  // Systems that cannot copy: it is done by hand then.
  if (fails("no-copy")) { errno = EXDEV; return -1; }
  // Less than was asked for.
  return real(from, at_from, to, at_to, size > 4096 && fails("short-copy") ? 4096 : size, flags);
}
int fsync(int fd) {
  REAL("fsync", int, int);
  if (fails("sync")) { errno = EIO; return -1; }
  return real(fd);
}
int close(int fd) {
  REAL("close", int, int);
  struct stat info;
  const int flags = fd > 2 ? fcntl(fd, F_GETFL) : -1;
  const int is_written = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (is_written && fails("close")) { real(fd); errno = EIO; return -1; }
  return real(fd);
}
int rename(const char* from, const char* to) {
  REAL("rename", int, const char*, const char*);
  if (fails("rename")) { errno = EACCES; return -1; }
  return real(from, to);
}
int mkstemp(char* name) {
  REAL("mkstemp", int, char*);
  if (fails("create")) { errno = EROFS; return -1; }
  return real(name);
}
int mkstemp64(char* name) {
  REAL("mkstemp64", int, char*);
  if (fails("create")) { errno = EROFS; return -1; }
  return real(name);
}
int fchmod(int fd, mode_t mode) {
  REAL("fchmod", int, int, mode_t);
  if (fails("mode")) { errno = EPERM; return -1; }
  return real(fd, mode);
}
void* malloc(size_t size) {
  extern void* __libc_malloc(size_t);
  if (ready && fails("alloc")) { errno = ENOMEM; return NULL; }
  return __libc_malloc(size);
}
__attribute__((constructor)) static void begin(void) { set_up(); }
