import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readableLogLine } from '../../src/cli/readable-log.ts'
import { createLogger } from '../../src/lib/log.ts'

function linesFrom(log: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  log(
    createLogger('warn', ['a configured secret'], (line) => {
      text += readableLogLine(line)
    }),
  )
  return text
}

test('a command prints warnings of the service as one line of text', () => {
  const err = new Error('Connection terminated unexpectedly')
  assert.equal(
    linesFrom((log) => log.warn({ err }, 'lost a database connection')),
    'Warning: lost a database connection: Connection terminated unexpectedly\n',
  )
  assert.equal(
    linesFrom((log) => log.warn({ depth: 3, reason: 'full' }, 'waiting')),
    'Warning: waiting (depth 3, reason full)\n',
  )
  assert.equal(
    linesFrom((log) => log.warn('SIGHUP is ignored')),
    'Warning: SIGHUP is ignored\n',
  )
})

test('an error keeps its stack, and secrets and control characters are removed', () => {
  const err = new Error('no \u001b[31ma configured secret\u0007')
  const text = linesFrom((log) => log.error({ err }, 'a command failed'))
  assert.match(text, /^Error: a command failed: no \[redacted\]\n/)
  assert.match(text, /\n {4}at .*readable-log\.test\.ts/)
})
