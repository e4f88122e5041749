import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { currentArchive } from './current-archive.ts'
import { temporaryDirectory } from './temporary-directory.ts'

test('tests do not unpack an archive if a migration has been edited since', () => {
  const directory = temporaryDirectory('migrations')
  const archive = join(temporaryDirectory('archive'), 'embedded.tar.gz')
  const migrations = ['001_users.sql', '002_sessions.sql'].map((name) => join(directory, name))
  for (const file of [...migrations, archive]) {
    writeFileSync(file, '')
    utimesSync(file, 100, 100)
  }
  assert.equal(currentArchive(archive, directory), archive)
  utimesSync(migrations[0]!, 200, 200)
  assert.equal(currentArchive(archive, directory), undefined)
  utimesSync(archive, 300, 300)
  assert.equal(currentArchive(archive, directory), archive)
  assert.equal(currentArchive(join(directory, 'none.tar.gz'), directory), undefined)
})
