import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** In milliseconds. Shorter waits are accepted as pauses in loops that wait for a condition. */
const longestPause = 100
const waits = /(?<!\.)\b(?:sleep|pause|setTimeout)\((?:resolve, )?([\d_]+)(?: \* second)?\b/g

const fixedWaits = (text: string): string[] =>
  [...text.matchAll(waits)]
    .filter(([wait, time = '']) => wait.endsWith('second') || Number(time.replaceAll('_', '')) > longestPause)
    .map(([wait]) => wait)

test('a test waits for facts; where only time will do, fixedWait says why', () => {
  const found = globSync('test/**/*.ts').flatMap((file) =>
    file.endsWith('support/fixed-wait.test.ts')
      ? []
      : fixedWaits(readFileSync(file, 'utf8')).map((wait) => `${file}: ${wait}`),
  )
  assert.deepEqual(found, [])
})

test('a fixed wait is recognized', () => {
  assert.equal(
    fixedWaits("await sleep(1_500); sleep(26 * second); sleep(500, 'x'); setTimeout(resolve, 300)").length,
    4,
  )
  assert.deepEqual(fixedWaits('await sleep(20); sleep(delay); pg_sleep(4); setTimeout(resolve, 50)'), [])
})
