import { moduleTexts } from '../../../pages/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export const textsFor = moduleTexts({ en, es })

export type Texts = ReturnType<typeof textsFor>
