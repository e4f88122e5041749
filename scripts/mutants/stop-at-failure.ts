import { afterEach, beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

// Imported before a test file (NODE_OPTIONS) to end the file early: one failure is enough to detect a mutant. After the
// first failure, the other tests of the file fail without running. The file's `after` hooks still run, so that no
// databases, directories or processes are left behind.

// The processes and threads that a test starts must not load this file.
const { NODE_OPTIONS = '' } = process.env
process.env.NODE_OPTIONS = NODE_OPTIONS.replace(`--import=${import.meta.url}`, '').trim()
if (process.env.NODE_OPTIONS === '') delete process.env.NODE_OPTIONS
if (isMainThread) stopAtFailure()

function stopAtFailure(): void {
  const failed = new Set<string | undefined>()
  beforeEach((context) => {
    if ('filePath' in context && failed.has(context.filePath)) throw new Error('an earlier test of this file failed')
  })
  afterEach((context) => {
    if ('error' in context && context.error) failed.add(context.filePath)
  })
}
