import { moduleSettings } from '../../../config/settings.ts'
import { moduleTexts } from '../../texts/index.ts'
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import spanishMeanings from './settings-es.json' with { type: 'json' }

/** A text missing from another language is a type error. */
export type AdminTexts = typeof en

/** The console texts are a separate catalogue because only staff see them. */
export const adminTextsFor = moduleTexts<AdminTexts>({ en, es })

/** English is the language of the API, so it needs no catalogue. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = { es: spanishMeanings }

/** If there is no translation, returns the API's English text, with `meaningLang` set to `en`. */
export function settingMeaning(lang: string, name: string, meaning: string): { meaning: string; meaningLang: string } {
  const module = moduleSettings.find(({ settings }) => Object.hasOwn(settings, name))
  const known = module ? module.meanings?.[lang] : meanings[lang]
  const translated = known && Object.hasOwn(known, name) ? known[name] : undefined
  return translated === undefined ? { meaning, meaningLang: 'en' } : { meaning: translated, meaningLang: lang }
}
