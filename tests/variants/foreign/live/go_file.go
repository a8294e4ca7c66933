// bits-and-blooms/bloom on the command line: reads keys from standard input, one per line.
//
//	go_file write FORM N P    writes NewWithEstimates(N, P) with the keys added, to standard output
//	go_file query FORM FILE   prints 0 or 1 for each key, one per line
//
// FORM is go_binary or go_json.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/bits-and-blooms/bloom"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(form string, n string, p string) {
	keys, err := strconv.ParseUint(n, 10, 64)
	check(err)
	rate, err := strconv.ParseFloat(p, 64)
	check(err)
	filter := bloom.NewWithEstimates(uint(keys), rate)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		filter.AddString(lines.Text())
	}
	if form == "go_json" {
		text, err := json.Marshal(filter)
		check(err)
		_, err = os.Stdout.Write(text)
		check(err)
		return
	}
	_, err = filter.WriteTo(os.Stdout)
	check(err)
}

func query(form string, path string) {
	filter := &bloom.BloomFilter{}
	file, err := os.Open(path)
	check(err)
	if form == "go_json" {
		check(json.NewDecoder(file).Decode(filter))
	} else {
		_, err = filter.ReadFrom(file)
		check(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if filter.TestString(lines.Text()) {
			fmt.Println(1)
		} else {
			fmt.Println(0)
		}
	}
}

func main() {
	if os.Args[1] == "write" {
		write(os.Args[2], os.Args[3], os.Args[4])
	} else {
		query(os.Args[2], os.Args[3])
	}
}
