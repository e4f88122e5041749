import { readFileSync, writeFileSync } from 'node:fs'
import { configurationPage, envExample } from '../src/config/describe.ts'
import '../src/modules/index.ts'
import { withMessageTable } from '../src/outbox/describe-messages.ts'

// These documents are generated from the definitions in src. A test fails if they are out of date.
const root = new URL('../', import.meta.url)
writeFileSync(new URL('docs/configuration.md', root), configurationPage())
writeFileSync(new URL('.env.example', root), envExample())
const messages = new URL('docs/messages.md', root)
writeFileSync(messages, withMessageTable(readFileSync(messages, 'utf8')))
process.stdout.write('docs/configuration.md, docs/messages.md and .env.example are up to date\n')
