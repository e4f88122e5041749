import { moduleTexts } from '../../../ui/texts/index.ts'
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

export type DesignerTexts = typeof en

export const designerTextsFor = moduleTexts<DesignerTexts>({ en, es })

/** A kind without a translated name is shown under its API name. */
export const kindName = ({ kinds }: DesignerTexts, kind: string): string =>
  new Map(Object.entries(kinds)).get(kind) ?? kind
