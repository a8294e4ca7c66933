/* libbloom (Debian libbloom-dev) as a subject of `bloometry verify --subject`: the line protocol of ../README.md.
 *
 *   cc -O2 -o libbloom_subject libbloom_subject.c -lbloom
 *   libbloom_subject ENTRIES ERROR --sizes    prints the m and k that the library chooses
 *   libbloom_subject ENTRIES ERROR            the subject; `new` must request these sizes
 */
#include <bloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[4096];

static int read_key(void) {
  if (fgets(line, sizeof line, stdin) == NULL) exit(0);
  line[strcspn(line, "\n")] = '\0';
  return (int)strlen(line);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fputs("usage: libbloom_subject ENTRIES ERROR [--sizes]\n", stderr);
    return 2;
  }
  struct bloom filter;
  int is_ready = bloom_init(&filter, atoi(argv[1]), atof(argv[2])) == 0;
  if (argc > 3) {
    printf("%d %d\n", filter.bits, filter.hashes);
    return is_ready ? 0 : 3;
  }
  for (;;) {
    char verb[16];
    long n, m, k;
    read_key();
    if (sscanf(line, "new %ld %ld %ld", &n, &m, &k) == 3) {
      if (!is_ready) {
        puts("error bloom_init failed (at least 1000 entries are required)");
      } else if (filter.bits != m || filter.hashes != k) {
        printf("error the library chooses m = %d, k = %d\n", filter.bits, filter.hashes);
      } else {
        bloom_reset(&filter);
        puts("ok");
      }
    } else if (sscanf(line, "%15s %ld", verb, &n) == 2 && strcmp(verb, "insert") == 0) {
      while (n-- > 0) bloom_add(&filter, line, read_key());
      puts("ok");
    } else if (strcmp(verb, "query") == 0) {
      while (n-- > 0) putchar(bloom_check(&filter, line, read_key()) ? '1' : '0');
      putchar('\n');
    } else {
      puts("error unknown request");
    }
    fflush(stdout);
  }
}
