import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from './cuts.ts'

const archive = join(import.meta.dirname, '../../build/embedded.tar.gz')

/**
 * Runs one of this folder's workloads in its own process and records what it changes. The workload's arguments are the
 * data directory, the archive, the trace, a journal file, and `input`. Returns the journal's lines as lists of words.
 */
export async function recordWorkload(
  directory: string,
  workload: string,
  ...input: string[]
): Promise<{ recording: Recording; journal: string[][] }> {
  const [root, trace, file] = [join(directory, 'root'), join(directory, 'trace'), join(directory, 'journal')]
  mkdirSync(root)
  const recorder = `--import=${join(import.meta.dirname, 'recorder.ts')}?root=${root}&trace=${trace}`
  const args = [recorder, join(import.meta.dirname, workload), join(root, 'data'), archive, trace, file, ...input]
  const running = spawn(process.execPath, args, { stdio: 'inherit' })
  assert.deepEqual(await once(running, 'exit'), [0, null])
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return {
    recording: { trace: readFileSync(trace), path: root, root: statSync(root).ino },
    journal: lines.map((line) => line.split(' ')),
  }
}
