package main

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func say(report map[string]any) {
	line, err := json.Marshal(report)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(line, '\n'))
}

// What the process has used until now, by the kernel's count.
type usage struct {
	at   time.Time
	cpu  float64
	rss  int64
	peak int64
}

func used() usage {
	var counted syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &counted); err != nil {
		panic(err)
	}
	ms := func(t syscall.Timeval) float64 { return float64(t.Sec)*1e3 + float64(t.Usec)/1e3 }
	return usage{time.Now(), ms(counted.Utime) + ms(counted.Stime), resident(), counted.Maxrss * 1024}
}

func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// What was used since, with the memory of now.
func since(start usage) map[string]any {
	now := used()
	return map[string]any{
		"wall": float64(now.at.Sub(start.at).Microseconds()) / 1e3, "cpu": now.cpu - start.cpu, "rss": now.rss, "peak": now.peak,
	}
}

func with(report map[string]any, key string, value any) map[string]any {
	report[key] = value
	return report
}

// Lines from the measuring process. When it closes its end, nobody is to find this process an hour later.
func commands(handle func(word string, number int)) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		number := 0
		if len(words) > 1 {
			number, _ = strconv.Atoi(words[1])
		}
		handle(words[0], number)
	}
	os.Exit(1)
}

func percentiles(microseconds []float64) map[string]any {
	if len(microseconds) == 0 {
		return nil
	}
	slices.Sort(microseconds)
	at := func(share float64) float64 { return microseconds[int(float64(len(microseconds)-1)*share)] }
	return map[string]any{"p50": at(0.5), "p99": at(0.99), "max": at(1)}
}
