import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { selfSigned } from '../support/certificate.ts'

/** The first code block of a page of the documentation after this heading. */
export function sampleAfter(heading: string, page = 'operations'): string {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')
  const sample = text.split(heading)[1]?.match(/^```\w*\n(.*?)^```$/ms)?.[1]
  assert.ok(sample, `docs/${page}.md has no code block after ${heading}`)
  return sample
}

/** A file of the folder `deploy`. */
export const deployed = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

/** The nginx in front of a static site that docs/gateways.md suggests for a trial. */
export const staticSiteSample = (): string => sampleAfter('because it has no TLS.', 'gateways')

/** A sample with what is different on every machine: each text must be there. */
export const adapted = (sample: string, changes: Record<string, string>): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `the sample lacks ${from}`)
    return text.replaceAll(from, to)
  }, sample)

/** Writes the files that the samples name, with a certificate for a day. */
export async function writeCertificate(directory: string): Promise<void> {
  const { key, certificate } = selfSigned()
  await writeFile(`${directory}/id.example.com.key`, key, { mode: 0o600 })
  await writeFile(`${directory}/id.example.com.pem`, certificate + key, { mode: 0o600 })
}
