import { moduleTexts } from '../../../ui/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export const oauthTextsFor = moduleTexts({ en, es })

export type OAuthTexts = ReturnType<typeof oauthTextsFor>
