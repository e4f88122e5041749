import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bundle contains code from other packages, whose licences require every copy to include their text. */
export function licencesOf(files: Iterable<string>): string {
  const directories = new Set(Array.from(files, packageDirectory).filter((directory) => directory !== undefined))
  const notices = Array.from(directories, noticeOf).sort()
  return `The files in this directory contain code of these packages:\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
}

function packageDirectory(file: string): string | undefined {
  return /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/'))?.[0]
}

function noticeOf(directory: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i.test(file))
    .map((file) => `${readFileSync(join(directory, file), 'utf8').trim()}\n`)
  return `${[`${name} ${version} (${license})\n`, ...texts].join('\n')}`
}
