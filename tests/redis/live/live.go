// A filter in Redis with twmb/murmur3's seeded hashes, accessed by redigo's pipelines. Reads keys
// from standard input, one per line.
//
//	live add PORT KEY M K   sets the bits of the keys
//	live query PORT KEY M K   prints the keys that are present
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/twmb/murmur3"
)

const batchSize = 1000

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bitsOf returns one reply for each index of each key; any error ends the program.
func bitsOf(server redis.Conn, action string, name string, keys []string, m uint64, k uint64) []int {
	check(server.Send("STRLEN", name))
	for _, key := range keys {
		for i := uint64(0); i < k; i++ {
			index := murmur3.SeedStringSum64(i, key) % m
			if action == "add" {
				check(server.Send("SETBIT", name, index, 1))
			} else {
				check(server.Send("GETBIT", name, index))
			}
		}
	}
	check(server.Flush())
	length, err := redis.Int(server.Receive())
	check(err)
	if length == 0 && action == "query" {
		check(fmt.Errorf("no such filter"))
	}
	replies := make([]int, len(keys)*int(k))
	for i := range replies {
		replies[i], err = redis.Int(server.Receive())
		check(err)
	}
	return replies
}

func main() {
	action, port, name := os.Args[1], os.Args[2], os.Args[3]
	m, err := strconv.ParseUint(os.Args[4], 10, 64)
	check(err)
	k, err := strconv.ParseUint(os.Args[5], 10, 64)
	check(err)
	input, err := io.ReadAll(os.Stdin)
	check(err)
	keys := strings.Split(string(input), "\n")
	keys = keys[:len(keys)-1]
	server, err := redis.Dial("tcp", "127.0.0.1:"+port, redis.DialReadTimeout(10*time.Second))
	check(err)
	defer server.Close()
	out := bufio.NewWriter(os.Stdout)
	for len(keys) > 0 {
		n := batchSize
		if n > len(keys) {
			n = len(keys)
		}
		replies := bitsOf(server, action, name, keys[:n], m, k)
		for i, key := range keys[:n] {
			ones := 0
			for _, bit := range replies[i*int(k) : (i+1)*int(k)] {
				ones += bit
			}
			if action == "query" && ones == int(k) {
				fmt.Fprintln(out, key)
			}
		}
		keys = keys[n:]
	}
	check(out.Flush())
}
