import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeApiTypes } from './api-types.ts'

// The API description is generated from the routes. A test fails if it is out of date.
const root = join(import.meta.dirname, '..')
const text = execFileSync(process.execPath, [join(root, 'src/cli/main.ts'), 'openapi'], { maxBuffer: 2 ** 26 })
writeFileSync(join(root, 'openapi.json'), `${JSON.stringify(JSON.parse(String(text)), null, 2)}\n`)
await writeApiTypes()
process.stdout.write('openapi.json and the types of the packages are up to date\n')
