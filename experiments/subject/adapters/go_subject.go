// bits-and-blooms/bloom (Debian golang-github-willf-bloom-dev) as a subject of
// `bloometry verify --subject`. The program uses the line protocol of ../README.md.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o go_subject go_subject.go
//	go_subject N P --sizes    prints the m and k that the library chooses
//	go_subject                the subject, with the sizes that `new` requests
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/bits-and-blooms/bloom"
)

var input = bufio.NewReaderSize(os.Stdin, 1<<20)

func readLine() []byte {
	line, err := input.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	return line[:len(line)-1]
}

func number(text string) uint {
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(3)
	}
	return uint(value)
}

func main() {
	if len(os.Args) == 4 {
		p, _ := strconv.ParseFloat(os.Args[2], 64)
		m, k := bloom.EstimateParameters(number(os.Args[1]), p)
		fmt.Println(m, k)
		return
	}
	var filter *bloom.BloomFilter
	for {
		words := strings.Fields(string(readLine()))
		switch words[0] {
		case "new":
			filter = bloom.New(number(words[2]), number(words[3]))
			fmt.Println("ok")
		case "insert":
			for i := number(words[1]); i > 0; i-- {
				filter.Add(readLine())
			}
			fmt.Println("ok")
		case "query":
			bits := make([]byte, number(words[1]))
			for i := range bits {
				bits[i] = '0'
				if filter.Test(readLine()) {
					bits[i] = '1'
				}
			}
			fmt.Println(string(bits))
		default:
			fmt.Println("error unknown request", words[0])
		}
	}
}
