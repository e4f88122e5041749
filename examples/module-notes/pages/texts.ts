import type { Toolkit } from '../../../src/modules/toolkit.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export const textsFor = ({ pages }: Toolkit) => pages.moduleTexts({ en, es })
