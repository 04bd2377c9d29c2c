/*
 * Stands between a program and the files below one folder, and counts what would change them. One call, by its number,
 * or that one and all after it, fails as a broken or full disk lets it fail, writes half, or kills the process on the
 * spot: no timer hits the middle of a transaction as surely.
 *
 *     CM_DISK_FOLDER   what stands below it counts
 *     CM_DISK_CONTROL  a file of four 32-bit numbers, shared with the test: struct disk
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, IO_ERROR, FULL, HALF, KILL, HALF_THEN_KILL };

struct disk {
  int32_t calls;   /* so far */
  int32_t at;      /* the number of the call that fails; the first is 1 */
  int32_t fault;
  int32_t lasting; /* all after it fail as well */
};

static struct disk *disk;
static const char *folder;
static size_t folder_length;

__attribute__((constructor)) static void attach(void) {
  const char *control = getenv("CM_DISK_CONTROL");
  folder = getenv("CM_DISK_FOLDER");
  if (control == NULL || folder == NULL) return;
  folder_length = strlen(folder);
  int fd = open(control, O_RDWR);
  if (fd < 0) return;
  void *memory = mmap(NULL, sizeof(struct disk), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory != MAP_FAILED) disk = memory;
}

static int below(const char *path) {
  return strncmp(path, folder, folder_length) == 0 && path[folder_length] == '/';
}

static int fd_below(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  return below(path);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* What befalls this call. A kill that is not to write half comes from here. */
static enum fault next_fault(void) {
  int call = __atomic_add_fetch(&disk->calls, 1, __ATOMIC_SEQ_CST);
  int at = disk->at;
  if (at == 0 || call < at || (call > at && !disk->lasting)) return NONE;
  if (disk->fault == KILL) die();
  return disk->fault;
}

static int fail(enum fault fault) {
  errno = fault == FULL ? ENOSPC : EIO;
  return -1;
}

typedef ssize_t (*pwrite_call)(int, const void *, size_t, off64_t);

static ssize_t place(pwrite_call real, int fd, const void *bytes, size_t count, off64_t offset) {
  if (disk == NULL || !fd_below(fd)) return real(fd, bytes, count, offset);
  enum fault fault = next_fault();
  if (fault == NONE) return real(fd, bytes, count, offset);
  if (fault == HALF || fault == HALF_THEN_KILL) real(fd, bytes, count / 2, offset);
  if (fault == HALF_THEN_KILL) die();
  return fail(fault);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static pwrite_call real;
  if (real == NULL) real = (pwrite_call)dlsym(RTLD_NEXT, "pwrite64");
  return place(real, fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (disk == NULL || !fd_below(fd)) return real(fd, bytes, count);
  enum fault fault = next_fault();
  if (fault == NONE) return real(fd, bytes, count);
  if (fault == HALF || fault == HALF_THEN_KILL) real(fd, bytes, count / 2);
  if (fault == HALF_THEN_KILL) die();
  return fail(fault);
}

/* For calls that do a thing or not: half of it is none. What takes no room goes on working where there is none. */
static int refused(int takes_room) {
  enum fault fault = next_fault();
  if (fault == HALF_THEN_KILL) die();
  return fault == NONE || (fault == FULL && !takes_room) ? 0 : fail(fault);
}

#define CALL(name, parameters, arguments, counts, takes_room)                \
  int name parameters {                                                      \
    static int(*real) parameters;                                            \
    if (real == NULL) real = (int(*) parameters)dlsym(RTLD_NEXT, #name);     \
    return disk != NULL && counts && refused(takes_room) ? -1 : real arguments; \
  }

CALL(fsync, (int fd), (fd), fd_below(fd), 0)
CALL(fdatasync, (int fd), (fd), fd_below(fd), 0)
CALL(ftruncate, (int fd, off_t length), (fd, length), fd_below(fd), 1)
CALL(ftruncate64, (int fd, off64_t length), (fd, length), fd_below(fd), 1)
CALL(unlink, (const char *path), (path), below(path), 0)
CALL(rename, (const char *from, const char *to), (from, to), below(to), 0)
