import { fill } from '../../texts/index.ts'
import { adminTextsFor } from '../texts/index.ts'

export function versionsText(lang: string, installed: string | null, shipped: string): string {
  const { modules: texts } = adminTextsFor(lang)
  if (installed === null || installed === shipped) return fill(texts.version, { version: shipped })
  return fill(texts.versions, { installed, shipped })
}
