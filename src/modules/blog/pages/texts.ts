import { moduleTexts } from '../../../ui/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export type BlogTexts = typeof en

export const blogTextsFor = moduleTexts<BlogTexts>({ en, es })
