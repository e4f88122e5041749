import { moduleTexts } from '../../texts/index.ts'
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }

/** A text missing from another language is a type error. */
export type AdminTexts = typeof en

/** The console texts are a separate object because most users need only the texts of the other pages. */
export const adminTextsFor = moduleTexts<AdminTexts>({ en, es })
