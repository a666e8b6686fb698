//go:build tools

// Names the runner, so that it is built at the version the specs are written for.
package outside

import _ "github.com/onsi/ginkgo/v2/ginkgo"
