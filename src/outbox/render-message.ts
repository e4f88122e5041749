import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { chooseLanguage, textDirection } from '../lib/locale.ts'
import type { CheckedTemplate } from './check-template.ts'
import { defaultBranding, type MailBranding, stylesOf } from './mail-branding.ts'
import { valuesOf } from './message-values.ts'
import { isLink, isTextMessage, type MessageName, messageFolder, messageLanguages } from './messages.ts'
import { fillPieces } from './placeholders.ts'
import { writeHtml } from './write-html.ts'

export interface RenderedMessage {
  subject: string
  text: string
  html: string
}

export interface MessageLook {
  branding: MailBranding
  /** Forces light or dark mode for previews. By default, the email program chooses the mode. */
  theme?: 'light' | 'dark' | undefined
  /** Whether users have passwords (default: true). Otherwise, built-in messages do not advise to set one. */
  hasPasswords?: boolean | undefined
  /** Replaces the built-in message. */
  template?: CheckedTemplate | undefined
}

export interface Paragraph {
  lines: string[]
  /** A button's URL. `lines` contains its label. */
  link?: string
  code?: string
}

type Values = Record<string, string>

const layouts = fileURLToPath(new URL('./templates/', import.meta.url))
const html = new Eta({ views: layouts, cache: true, autoEscape: true })
const plainTexts = new Map<string, Eta>()

function plainTextOf(folder: string): Eta {
  const known = plainTexts.get(folder)
  if (known) return known
  const made = new Eta({ views: folder, cache: true, autoEscape: false, autoTrim: false })
  plainTexts.set(folder, made)
  return made
}

/** The language in which a message is sent. */
export const languageOf = (lang: string): string => chooseLanguage(messageLanguages(), lang, undefined, 'en')

export function renderMessage(
  name: MessageName,
  lang: string,
  variables: Readonly<Record<string, string>>,
  look: MessageLook = { branding: defaultBranding },
): RenderedMessage {
  const { template } = look
  const language = languageOf(lang)
  const values = valuesOf(name, language, variables)
  // Text messages must be short and end with the code.
  const footer = isTextMessage(name) ? '' : footerOf(look.branding)
  if (!template) {
    const { subject, text } = renderBuiltIn(name, language, values, look)
    return { subject, text: text + footer, html: layOut(language, values, look, { subject, text }) }
  }
  const lookUp = (variable: string) => definedValue(values, variable)
  const subject = fillPieces(template.subject, lookUp)
  const text = `${fillPieces(template.text, lookUp)}\n`
  const fragment = template.html && writeHtml(template.html, lookUp, stylesOf(look.branding))
  return { subject, text: text + footer, html: layOut(language, values, look, { subject, text, fragment }) }
}

/** Two hyphens and a space separate a signature, so email programs leave it out of replies. */
const footerOf = ({ contacts }: MailBranding): string =>
  contacts.length === 0 ? '' : `\n-- \n${contacts.map(({ shown }) => shown).join('\n')}\n`

/** With placeholders as values, the result is the source of the built-in message. */
export function renderBuiltIn(
  name: MessageName,
  language: string,
  values: Values,
  { hasPasswords = true }: Pick<MessageLook, 'hasPasswords'>,
): { subject: string; text: string } {
  const [subject = '', ...rest] = plainTextOf(messageFolder(name))
    .render(`${language}/${name}`, { ...values, hasPasswords })
    .trimEnd()
    .split('\n')
  return { subject, text: `${rest.join('\n').trim()}\n` }
}

/** Without an HTML fragment, generates the HTML from the text so that both have the same content. */
function layOut(
  lang: string,
  values: Values,
  { branding, theme }: MessageLook,
  { subject, text, fragment }: { subject: string; text: string; fragment?: string | null },
): string {
  return html.render('layout', {
    lang,
    dir: textDirection(lang) ?? 'ltr',
    appName: definedValue(values, 'app_name'),
    look: branding,
    styles: stylesOf(branding),
    darkWhen: theme === undefined ? '(prefers-color-scheme: dark)' : theme === 'dark' ? 'all' : 'not all',
    scheme: theme ?? 'light dark',
    subject,
    fragment,
    paragraphs: fragment ? [] : paragraphsOf(text, values),
  })
}

export function paragraphsOf(text: string, values: Readonly<Values>): Paragraph[] {
  const links = Object.keys(values)
    .filter(isLink)
    .map((key) => values[key])
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      if (values.code && paragraph === values.code) return { lines: [paragraph], code: paragraph }
      const lines = paragraph.split('\n')
      const link = links.find((one) => one === lines.at(-1))
      return link ? { lines: [lines.slice(0, -1).join(' ').replace(/:$/, '') || link], link } : { lines }
    })
}

function definedValue(values: Readonly<Values>, variable: string): string {
  const value = values[variable]
  if (value === undefined) throw new Error(`the template requires the variable ${variable}`)
  return value
}
