import { writeFileSync } from 'node:fs'
import { configurationPage, envExample } from '../src/config/describe.ts'
import '../src/modules/index.ts'

// What the settings say about themselves is their only description. A test compares these files with it.
const root = new URL('../', import.meta.url)
writeFileSync(new URL('docs/configuration.md', root), configurationPage())
writeFileSync(new URL('.env.example', root), envExample())
process.stdout.write('docs/configuration.md and .env.example are up to date\n')
