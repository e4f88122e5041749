import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { forShortRuns } from '../support/node-options.ts'
import { type Finished, runWarm } from './warm-command.ts'

const root = resolve(import.meta.dirname, '../..')

interface RunOptions {
  env?: Record<string, string>
  /** The standard input, which is not a terminal. */
  input?: string
}

interface ProcessOptions extends RunOptions {
  /** The program to start. */
  program?: string
}

/** Passes on the compile cache, which cuts a command's start time by about a quarter. */
export function commandEnvironment(settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, ...settings }
}

/**
 * A directory that is removed after the test, and functions that run commands in it without this process's environment.
 * `run` uses a process that is already warm. `runProcess` starts a process for the command alone.
 */
export async function openWorkplace(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-cli-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const dataDir = join(directory, 'data')
  return {
    directory,
    dataDir,
    run: (args: string[], { env, input = '' }: RunOptions = {}) => {
      assert.notEqual(args[0], 'start', 'a service needs a process of its own')
      return runWarm({ directory, args, env: commandEnvironment(env), input })
    },
    runProcess: (args: string[], options: ProcessOptions = {}) => runProcess(directory, args, options),
  }
}

async function runProcess(directory: string, args: string[], options: ProcessOptions): Promise<Finished> {
  const { env, input = '', program = 'bin/wardenry.js' } = options
  const child = spawn(process.execPath, [...forShortRuns, resolve(root, program), ...args], {
    cwd: directory,
    env: commandEnvironment(env),
  })
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text
  })
  // A command may exit before it has read all its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, ...written }
}
