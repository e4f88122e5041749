import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiFiles } from './api-files.ts'

// The API description is generated from the routes. A test fails if these files are out of date.
const root = join(import.meta.dirname, '..')
const document = execFileSync(process.execPath, [join(root, 'src/cli/main.ts'), 'openapi'], { maxBuffer: 2 ** 26 })
for (const [path, text] of Object.entries(await apiFiles(JSON.parse(String(document))))) {
  writeFileSync(join(root, path), text)
  process.stdout.write(`${path} is up to date\n`)
}
