import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { FieldProblem } from '../../../../lib/errors.ts'
import type { PageLanguage } from '../../../texts/index.ts'

const eta = new Eta({ views: fileURLToPath(new URL('./', import.meta.url)), cache: true, autoEscape: true })

/** The text that the preview shows if the draft cannot be used. */
export const frameNote = (lang: PageLanguage, sentence: string, problems: readonly FieldProblem[]): string =>
  eta.render('frame-note', { lang, sentence, problems })
