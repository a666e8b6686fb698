// Says what Go's regexp makes of patterns: which property names it knows, which patterns it takes, and what they match.
package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"unicode"
)

type question struct {
	Patterns []string `json:"patterns"`
	Texts    []string `json:"texts"`
}

type answer struct {
	Names []string `json:"names"`
	// By pattern: null where it is refused, else whether it matches each text.
	Matches [][]bool `json:"matches"`
}

func main() {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	said := answer{Names: names(), Matches: [][]bool{}}
	for _, pattern := range asked.Patterns {
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			said.Matches = append(said.Matches, nil)
			continue
		}
		matches := make([]bool, 0, len(asked.Texts))
		for _, text := range asked.Texts {
			matches = append(matches, compiled.MatchString(text))
		}
		said.Matches = append(said.Matches, matches)
	}
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		panic(err)
	}
}

// Categories and scripts by the names that every release of Go knows: before 1.25 neither Cn nor LC.
func names() []string {
	known := []string{"Any"}
	for name := range unicode.Categories {
		if name != "Cn" && name != "LC" {
			known = append(known, name)
		}
	}
	for name := range unicode.Scripts {
		known = append(known, name)
	}
	slices.Sort(known)
	return known
}
