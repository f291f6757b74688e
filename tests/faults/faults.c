// LD_PRELOAD: lets calls fail. FAULT="write:3" or "alloc:120": the third write, the 120th allocation; "no-copy:0,write:1":
// every copy by the system, and the first write. With FAULT_SEEN the file of that name is made when one that has a number
// happened. Only for tests.
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

struct fault {
  char kind[32];
  long at;
  long count;
};
static struct fault faults[4];
static int faults_count = 0;
static int ready = 0;

static void set_up(void) {
  if (ready) return;
  ready = 1;
  for (const char* next = getenv("FAULT"); next != NULL && faults_count < 4;) {
    struct fault* made = &faults[faults_count];
    const char* colon = strchr(next, ':');
    if (colon == NULL || (size_t)(colon - next) >= sizeof made->kind) return;
    memcpy(made->kind, next, (size_t)(colon - next));
    made->at = atol(colon + 1);
    ++faults_count;
    next = strchr(colon, ',');
    if (next != NULL) ++next;
  }
}

static void note(void) {
  const char* seen = getenv("FAULT_SEEN");
  if (seen == NULL) return;
  int (*real)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
  int made = real(seen, O_WRONLY | O_CREAT, 0600);
  if (made >= 0) close(made);
}

static int fails(const char* what) {
  set_up();
  for (int i = 0; i < faults_count; ++i) {
    if (strcmp(faults[i].kind, what) != 0) continue;
    if (faults[i].at == 0) return 1;
    if (__sync_add_and_fetch(&faults[i].count, 1) != faults[i].at) continue;
    note();
    return 1;
  }
  return 0;
}

#define REAL(name, result, ...)                \
  typedef result (*real_function)(__VA_ARGS__); \
  static real_function real;                    \
  if (real == NULL) real = (real_function)dlsym(RTLD_NEXT, name)

/// A regular file that is open for writing, or for reading only.
static int is_file(int fd, int is_written) {
  REAL("fstat", int, int, struct stat*);
  struct stat info;
  const int flags = fd > 2 ? fcntl(fd, F_GETFL) : -1;
  if (flags < 0 || ((flags & O_ACCMODE) != O_RDONLY) != is_written) return 0;
  return real(fd, &info) == 0 && S_ISREG(info.st_mode);
}
ssize_t write(int fd, const void* data, size_t size) {
  REAL("write", ssize_t, int, const void*, size_t);
  // Files only: what wakes a thread does not run out of space.
  const int to_file = is_file(fd, 1);
  if (to_file && fails("write")) { errno = ENOSPC; return -1; }
  if (to_file && fails("interrupted-write")) { errno = EINTR; return -1; }
  return real(fd, data, to_file && size > 1 && fails("short-write") ? size / 2 : size);
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
  if (fails("no-copy")) {
    const char* code = getenv("FAULT_CODE");
    errno = code == NULL ? EXDEV : atoi(code);
    return -1;
  }
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
  if (is_file(fd, 1) && fails("close")) { real(fd); errno = EIO; return -1; }
  return real(fd);
}
int fstat(int fd, struct stat* info) {
  REAL("fstat", int, int, struct stat*);
  if (is_file(fd, 0) && fails("state")) { errno = EIO; return -1; }
  return real(fd, info);
}
int dladdr1(const void* address, Dl_info* info, void** more, int flags) {
  REAL("dladdr1", int, const void*, Dl_info*, void**, int);
  return fails("own-file") ? 0 : real(address, info, more, flags);
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
