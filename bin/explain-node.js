const { spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

// The Node.js that `npm ci` installs needs libraries that a minimal system may lack. If one is missing, Node.js fails
// with a loader error, which this file explains. The npm scripts run it with npm's own Node.js, version 20 or later.

/** If this Node.js does not start, returns the reason and the remedy. */
function problemOf(node) {
  const { error, status, stderr } = spawnSync(node, ['-e', '0'], { encoding: 'utf8', timeout: 30_000 })
  if (status === 0) return undefined
  const said = (stderr ?? '').trim() || error?.message || `it ended with code ${status}`
  const library = /librar(?:ies|y):? ([\w.+-]+\.so[\w.]*)/.exec(said)?.[1]
  const remedy = library ? installs(library) : `${alternative[0].toUpperCase()}${alternative.slice(1)}.`
  return `The Node.js in node_modules does not start: ${library ? `${library} is missing` : said}. ${remedy}`
}

const alternative =
  'install Node.js 24 or later on the machine, then run "npm ci --omit=dev", which leaves out the one in node_modules'

const families = [
  { ids: ['debian', 'ubuntu'], name: 'Debian and Ubuntu', install: 'apt-get install libatomic1' },
  { ids: ['fedora', 'rhel', 'centos'], name: 'Fedora and RHEL', install: 'dnf install libatomic' },
  { ids: ['suse', 'opensuse'], name: 'openSUSE', install: 'zypper install libatomic1' },
  { ids: ['alpine'], name: 'Alpine', install: 'apk add libatomic' },
]

function installs(library) {
  if (!library.startsWith('libatomic.so')) return `Install the package that contains it, or ${alternative}.`
  const here = distributions()
  const own = families.find(({ ids }) => ids.some((id) => here.includes(id)))
  const commands = own ? `"${own.install}"` : families.map(({ name, install }) => `"${install}" (${name})`).join(', ')
  return `Run ${commands}, or ${alternative}.`
}

/** The ids of this distribution and of those it derives from. */
function distributions() {
  try {
    const lines = readFileSync('/etc/os-release', 'utf8').match(/^ID(_LIKE)?=.*$/gm) ?? []
    return lines.flatMap((line) => line.replace(/^\w+=/, '').replaceAll('"', '').split(' '))
  } catch {
    return []
  }
}

module.exports = { problemOf }

if (require.main === module) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const problem = problemOf(join(__dirname, '../node_modules/node/bin', name))
  if (problem) console.error(problem)
  // As for an invalid configuration: a supervisor must not restart the service.
  process.exit(78)
}
