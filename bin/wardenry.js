#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { problemOf } from './explain-node.js'

// The sources are TypeScript, which Node.js runs as they are from version 24 on. A checkout brings its own.
const needed = 24
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

if (Number.parseInt(process.versions.node, 10) < needed) runWithOwnNode()
else {
  // Older versions, which get no further than to start a newer one, do not know it.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(path('build/cache'))
  await import(isCurrent(path('build/app/main.js'), path('src')) ? '../build/app/main.js' : '../src/cli/main.ts')
}

/** The bundle that `npm ci` made starts faster and smaller than the sources; edited sources win over it. */
function isCurrent(bundle, sources) {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined || !existsSync(sources)) return made !== undefined
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.every((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs <= made)
}

function runWithOwnNode() {
  const node = path(`node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`)
  if (!existsSync(node)) {
    console.error(`Wardenry needs Node.js ${needed} or later, and this is ${process.version}.`)
    console.error('Run "npm ci" in its directory, which brings one along, or install a newer Node.js.')
    process.exit(1)
  }
  const problem = problemOf(node)
  if (problem) {
    console.error(problem)
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  // The interrupt key of a terminal reaches both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1
    if (!signal) return
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
