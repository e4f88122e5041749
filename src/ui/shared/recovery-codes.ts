import { fill, textsFor } from '../texts/index.ts'
import type { PageContext } from './render.ts'

export interface ShownCodes {
  codes: string[]
  /** The email address on the printout. */
  email: string
  /** Precedes the sentence about all recovery codes. */
  introduction?: string | undefined
  next: { href: string; label: string }
}

/** The parts of a page that shows new recovery codes. The codes are returned only once. */
export function recoveryCodesView({ codes, email, introduction, next }: ShownCodes, page: PageContext) {
  const { recoveryCodes: texts } = textsFor(page.lang)
  return {
    title: texts.title,
    styles: ['recovery-codes.css'],
    scripts: ['recovery-codes.js'],
    settings: { copied: texts.copied, fileName: texts.fileName },
    data: {
      texts,
      codes,
      owner: fill(texts.of, { name: `${email} · ${page.appName}` }),
      sentence: introduction ? `${introduction} ${texts.sentence}` : texts.sentence,
      next,
    },
  }
}
