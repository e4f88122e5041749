import { moduleTexts } from '../../../pages/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export const onboardingTextsFor = moduleTexts({ en, es })
