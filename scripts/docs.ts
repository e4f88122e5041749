import { readFileSync, writeFileSync } from 'node:fs'
import { configurationPage, envExample } from '../src/config/describe.ts'
import '../src/modules/index.ts'
import { withMessageTable } from '../src/outbox/describe-messages.ts'
import { samplesFile } from './application-samples.ts'
import { withPermissionTables } from './permission-tables.ts'

// These documents are generated from the definitions in src, and the console's samples from the documents. A test fails if they are out of date.
const root = new URL('../', import.meta.url)
writeFileSync(new URL('docs/configuration.md', root), configurationPage())
writeFileSync(new URL('.env.example', root), envExample())
const messages = new URL('docs/messages.md', root)
writeFileSync(messages, withMessageTable(readFileSync(messages, 'utf8')))
writeFileSync(new URL('src/screens/console/applications/connect/samples.json', root), samplesFile())
const permissions = new URL('docs/permissions-reference.md', root)
const api = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8'))
writeFileSync(permissions, withPermissionTables(readFileSync(permissions, 'utf8'), api))
process.stdout.write('docs/configuration.md, docs/messages.md, .env.example and the samples are up to date\n')
