// Prints what tables and calls in a Go source file hold, as JSON: vectors that were published as Go code.
//
//	go run . FILE NAME...
//
// NAME is a variable or a function: of a variable its composite literal is printed, of a function the arguments of each call.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

func text(lit *ast.BasicLit) any {
	switch lit.Kind {
	case token.STRING, token.CHAR:
		value, err := strconv.Unquote(lit.Value)
		if err != nil {
			return nil
		}
		return value
	default:
		return json.Number(lit.Value)
	}
}

func composite(lit *ast.CompositeLit) any {
	keyed := map[string]any{}
	var list []any
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			list = append(list, value(element))
			continue
		}
		key := fmt.Sprint(value(pair.Key))
		if ident, ok := pair.Key.(*ast.Ident); ok {
			key = ident.Name
		}
		keyed[key] = value(pair.Value)
	}
	if len(keyed) > 0 {
		return keyed
	}
	if list == nil {
		return []any{}
	}
	return list
}

// value of what is constant; of anything else, what it is called.
func value(expression ast.Expr) any {
	switch e := expression.(type) {
	case *ast.BasicLit:
		return text(e)
	case *ast.CompositeLit:
		return composite(e)
	case *ast.ParenExpr:
		return value(e.X)
	case *ast.Ident:
		switch e.Name {
		case "true":
			return true
		case "false":
			return false
		case "nil":
			return nil
		}
		return map[string]any{"$name": e.Name}
	case *ast.BinaryExpr:
		left, leftIsText := value(e.X).(string)
		right, rightIsText := value(e.Y).(string)
		if leftIsText && rightIsText && e.Op == token.ADD {
			return left + right
		}
	case *ast.CallExpr:
		// A conversion such as []byte(`…`) is its operand.
		if _, ok := e.Fun.(*ast.ArrayType); ok && len(e.Args) == 1 {
			return value(e.Args[0])
		}
		var args []any
		for _, argument := range e.Args {
			args = append(args, value(argument))
		}
		return map[string]any{"$call": name(e.Fun), "args": args}
	}
	return map[string]any{"$other": fmt.Sprintf("%T", expression)}
}

func name(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), os.Args[1], nil, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	wanted := map[string]bool{}
	for _, one := range os.Args[2:] {
		wanted[one] = true
	}
	found := map[string][]any{}
	add := func(name string, expression ast.Expr) {
		if wanted[name] {
			found[name] = append(found[name], value(expression))
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ValueSpec:
			for i, ident := range n.Names {
				if i < len(n.Values) {
					add(ident.Name, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if ident, ok := left.(*ast.Ident); ok && i < len(n.Rhs) {
					if _, ok := n.Rhs[i].(*ast.CompositeLit); ok {
						add(ident.Name, n.Rhs[i])
					}
				}
			}
		case *ast.CallExpr:
			if wanted[name(n.Fun)] {
				add(name(n.Fun), n)
			}
		}
		return true
	})
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
