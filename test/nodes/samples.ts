import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { selfSigned } from '../support/certificate.ts'

/** The first code block after this heading on a documentation page. */
export function sampleAfter(heading: string, page = 'operations/proxy'): string {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')
  const sample = text.split(heading)[1]?.match(/^```\w*\n(.*?)^```$/ms)?.[1]
  assert.ok(sample, `docs/${page}.md has no code block after ${heading}`)
  return sample
}

/** A file in the `deploy` folder. */
export const deployed = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

/** The nginx configuration for trying a static site, from docs/gateways.md. */
export const staticSiteSample = (): string => sampleAfter('because it has no TLS.', 'gateways')

/** Replaces the machine-dependent parts of a sample. Each part must occur in the sample. */
export const adapted = (sample: string, changes: Record<string, string>): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `the sample lacks ${from}`)
    return text.replaceAll(from, to)
  }, sample)

/** Writes the files that the samples refer to, with a certificate that is valid for a day. */
export async function writeCertificate(directory: string): Promise<void> {
  const { key, certificate } = selfSigned()
  await writeFile(`${directory}/id.example.com.key`, key, { mode: 0o600 })
  await writeFile(`${directory}/id.example.com.pem`, certificate + key, { mode: 0o600 })
}
