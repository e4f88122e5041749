const { existsSync, readdirSync, statSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

const path = (name) => join(__dirname, '..', name)

enableCompileCache(path('build/cache'))
const bundle = path('build/app/main.js')
import(isCurrent() ? '../build/app/main.js' : '../src/cli/main.ts')

/**
 * Prefers the bundle, which starts faster and uses less memory than the sources. In a checkout, the sources are used if
 * any of them is newer than the bundle.
 */
function isCurrent() {
  if (!existsSync(path('src/cli/main.ts'))) return true
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined) return false
  const sources = readdirSync(path('src'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = [path('package.json'), ...sources.map(({ parentPath, name }) => join(parentPath, name))]
  return files.every((file) => statSync(file).mtimeMs <= made)
}
