const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

enableCompileCache(join(__dirname, '../build/cache'))
// The bundle starts faster and uses less memory than the sources. A checkout uses the sources if any is newer.
const isCheckout = existsSync(join(__dirname, '../src/cli/main.ts'))
import(!isCheckout || require('./is-current.js').isCurrent() ? '../build/app/main.js' : '../src/cli/main.ts')
