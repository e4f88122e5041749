import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { item, wordpress } from '../modules/blog/transfer-files.ts'
import { openPlace } from './place.ts'

test('posts are planned, taken with a report, and written to a file of their owner', async (t) => {
  const { run, runProcess, env: place, directory } = await openPlace(t)
  const env = { ...place, MODULES_AUTO_INSTALL: 'blog:all' }
  const [source, report, copy] = ['old.xml', 'report.jsonl', 'blog.json'].map((name) => join(directory, name))
  await writeFile(
    source!,
    wordpress(item({ id: 1, title: 'One\u001b[2J', name: 'one' }) + item({ id: 2, status: 'trash' })),
  )
  const blog = (...words: string[]) => run(['blog', ...words], { env })

  const plan = await blog('import', source!)
  assert.match(
    plan.stdout,
    /^ {2}in the language es: 1; the default language is en; to import them as such, use --lang en/m,
  )
  assert.match(plan.stdout, /Add --run to import the posts, and --author with the address of the user who becomes/)
  assert.doesNotMatch((await blog('import', source!, '--lang', 'es')).stdout, /to import them as such/)
  assert.match(plan.stdout, /^ {2}note for 1: its author has no account\n {4}such as One.* \(ada@old\.example\.com\)$/m)
  const nothing = `${source}.trash`
  await writeFile(nothing, wordpress(item({ id: 3, status: 'trash' })))
  assert.equal((await blog('import', nothing)).code, 1)
  const foretold = `${report}.plan`
  assert.equal((await blog('import', source!, '--report', foretold)).code, 0)
  const [planned = ''] = (await readFile(foretold, 'utf8')).split('\n')

  const homeless = await blog('import', source!, '--run')
  assert.equal(homeless.code, 1)
  assert.match(homeless.stderr, /^Export of WordPress\n {2}1 posts would be imported, 0 already exist, 1 skipped\n/)
  assert.match(
    homeless.stderr,
    /posts of ada@old\.example\.com, who has no account: 1\n {2}in the language es: 1; .*\n {2}skipped 1: its status is trash/,
  )
  assert.match(homeless.stderr, /Nothing was written: set --author to the user who becomes/)

  const admin = await run(['admin', 'create', '--email', 'root@example.com'], {
    env,
    input: 'nine harbour bells at dawn\n',
  })
  assert.equal(admin.code, 0, admin.stderr)
  const foreseen = await blog('import', source!, '--author', 'root@example.com')
  assert.match(
    foreseen.stdout,
    /who has no account, for root@example\.com: 1\n(?:.*\n)*.*Add --run to import the posts\.\n$/,
  )
  const taking = ['blog', 'import', source!, '--run', '--author', 'root@example.com', '--report', report!]
  const taken = await runProcess(taking, { env })
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stdout, /1 posts imported, 0 already exist, 1 skipped/)
  assert.match(taken.stdout, /posts of ada@old\.example\.com, who has no account, for root@example\.com: 1\n/)
  const [first] = (await readFile(report!, 'utf8')).split('\n')
  const { id, ...outcome } = JSON.parse(first ?? '')
  assert.deepEqual(outcome, {
    ...{ outcome: 'taken', title: 'One[2J', slug: 'one', address: 'https://old.example.com/?p=1' },
    notes: ['its author has no account: ada@old.example.com'],
  })
  assert.deepEqual(JSON.parse(planned), JSON.parse(first ?? ''))

  const written = await runProcess(['blog', 'export', copy!], { env })
  assert.equal(written.stdout, `${copy}: 1 posts\n`, written.stderr)
  assert.equal((await stat(copy!)).mode & 0o777, 0o600)
  assert.equal(JSON.parse(await readFile(copy!, 'utf8')).posts[0].id, id)
})
