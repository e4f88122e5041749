import { writeFileSync } from 'node:fs'
import { configurationPage, envExample } from '../src/config/describe.ts'
import '../src/modules/index.ts'

// The documentation of settings is generated from their definitions. A test compares these files with them.
const root = new URL('../', import.meta.url)
writeFileSync(new URL('docs/configuration.md', root), configurationPage())
writeFileSync(new URL('.env.example', root), envExample())
process.stdout.write('docs/configuration.md and .env.example are up to date\n')
