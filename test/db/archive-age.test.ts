import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { usableArchive } from '../../src/db/open-database.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

test('an archive is not unpacked if a migration has been edited since', () => {
  const directory = temporaryDirectory('migrations')
  const archive = join(temporaryDirectory('archive'), 'embedded.tar.gz')
  const migrations = ['001_users.sql', '002_sessions.sql'].map((name) => join(directory, name))
  for (const file of [...migrations, archive]) {
    writeFileSync(file, '')
    utimesSync(file, 100, 100)
  }
  // Installed packages have one time for all files.
  assert.equal(usableArchive(archive, directory), archive)
  utimesSync(migrations[0]!, 200, 200)
  assert.equal(usableArchive(archive, directory), undefined)
  utimesSync(archive, 300, 300)
  assert.equal(usableArchive(archive, directory), archive)
  assert.equal(usableArchive(join(directory, 'none.tar.gz'), directory), undefined)
})
