module kilter.dev/conformance/extract

go 1.24
