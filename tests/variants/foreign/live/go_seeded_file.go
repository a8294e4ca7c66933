// A filter with twmb/murmur3's seeded hashes in a bit set of bits-and-blooms/bitset, on the command
// line: reads keys from standard input, one per line.
//
//	go_seeded_file write M K       writes the bit set with the keys added, to standard output
//	go_seeded_file query K FILE    prints 0 or 1 for each key, one per line
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"

	"github.com/bits-and-blooms/bitset"
	"github.com/twmb/murmur3"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func number(text string) uint64 {
	value, err := strconv.ParseUint(text, 10, 64)
	check(err)
	return value
}

func index(key string, i uint64, bits *bitset.BitSet) uint {
	return uint(murmur3.SeedStringSum64(i, key) % uint64(bits.Len()))
}

func write(bits *bitset.BitSet, k uint64) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for i := uint64(0); i < k; i++ {
			bits.Set(index(lines.Text(), i, bits))
		}
	}
	_, err := bits.WriteTo(os.Stdout)
	check(err)
}

func query(bits *bitset.BitSet, k uint64) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		answer := 1
		for i := uint64(0); i < k; i++ {
			if !bits.Test(index(lines.Text(), i, bits)) {
				answer = 0
			}
		}
		fmt.Println(answer)
	}
}

func main() {
	if os.Args[1] == "write" {
		write(bitset.New(uint(number(os.Args[2]))), number(os.Args[3]))
		return
	}
	bits := &bitset.BitSet{}
	file, err := os.Open(os.Args[3])
	check(err)
	_, err = bits.ReadFrom(file)
	check(err)
	query(bits, number(os.Args[2]))
}
