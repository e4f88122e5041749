const { readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')

const path = (name) => join(__dirname, '..', name)

/** Whether the checkout has a bundle that is newer than all sources. */
exports.isCurrent = () => {
  const made = statSync(path('build/app/main.js'), { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined) return false
  const sources = readdirSync(path('src'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = [path('package.json'), ...sources.map(({ parentPath, name }) => join(parentPath, name))]
  return files.every((file) => statSync(file).mtimeMs <= made)
}
