const { spawn } = require('node:child_process')
const { join } = require('node:path')
const { problemOf } = require('./explain-node.js')

// `npm ci` installs this Node.js in the checkout for machines whose own Node.js is too old to run the sources.
const node = join(__dirname, '../node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
const problem = problemOf(node)
if (problem) {
  console.error(problem)
  process.exit(78)
}
const child = spawn(node, [join(__dirname, 'wardenry.js'), ...process.argv.slice(2)], { stdio: 'inherit' })
process.on('SIGTERM', () => child.kill('SIGTERM'))
process.on('SIGHUP', () => child.kill('SIGHUP'))
// In a terminal, Ctrl+C also reaches the child, so the signal is not forwarded.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 1
  if (!signal) return
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
