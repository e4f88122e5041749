import { findLabels } from '../audit/queries.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { builtInSource, htmlSource } from '../outbox/built-in-source.ts'
import {
  isCustomizable,
  isMessageName,
  isTextMessage,
  type MessageName,
  messageLanguages,
  messageNames,
  messageVariables,
  requiredVariables,
  subjectVariables,
} from '../outbox/messages.ts'
import { templateProblems } from '../outbox/render-delivery.ts'
import {
  findNewestTemplates,
  findTemplate,
  findTemplateVersion,
  findVersions,
  type TemplateVersion,
} from '../outbox/template-queries.ts'

export interface TemplateKey {
  name: MessageName
  language: string
}

export const keptVersions = 20

export function templateKey({ name, lang: language }: { name: string; lang: string }): TemplateKey {
  if (!isMessageName(name) || !messageLanguages().includes(language)) throw new AppError('NOT_FOUND')
  return { name, language }
}

export async function listTemplates({ db }: Context) {
  const stored = await findNewestTemplates(db)
  const authors = await authorsOf(db, stored)
  const rowOf = new Map(stored.map((row) => [`${row.name} ${row.language}`, row]))
  const languages = messageLanguages()
  const templatesOf = (name: MessageName) =>
    languages.map((language) => ({ language, ...stateOf(name, rowOf.get(`${name} ${language}`), authors) }))
  return {
    languages,
    messages: messageNames.map((name) => ({
      name,
      channel: channelOf(name),
      customizable: isCustomizable(name),
      templates: templatesOf(name),
    })),
  }
}

export async function getTemplate({ db, config }: Context, { name, language }: TemplateKey) {
  const row = await findTemplate(db, name, language)
  const builtIn = { ...builtInSource(name, language, config), html: null }
  const source = row?.template ?? builtIn
  return {
    name,
    language,
    channel: channelOf(name),
    customizable: isCustomizable(name),
    ...stateOf(name, row, await authorsOf(db, row ? [row] : [])),
    ...source,
    problems: (row?.template && templateProblems(name, row.template)) ?? [],
    built_in: builtIn,
    generated_html: isTextMessage(name) ? null : htmlSource(name, source.text),
    variables: [...messageVariables(name)],
    subject_variables: subjectVariables(name),
    required_variables: requiredVariables(name),
  }
}

export async function listVersions({ db }: Context, { name, language }: TemplateKey) {
  const rows = await findVersions(db, name, language, keptVersions)
  const authors = await authorsOf(db, rows)
  return rows.map((row) => ({
    version: row.version,
    built_in: row.template === undefined,
    changed_at: iso(row.created_at),
    changed_by: authorOf(row, authors),
  }))
}

export async function getVersion({ db, config }: Context, { name, language }: TemplateKey, version: number) {
  const row = await findTemplateVersion(db, name, language, version)
  if (!row) throw new AppError('NOT_FOUND')
  return row.template ?? { ...builtInSource(name, language, config), html: null }
}

const channelOf = (name: MessageName) => (isTextMessage(name) ? ('sms' as const) : ('mail' as const))

function stateOf(name: MessageName, row: TemplateVersion | undefined, authors: ReadonlyMap<string, string>) {
  if (!row) return { state: 'built_in' as const, version: 0, changed_at: null, changed_by: null }
  const isBroken = row.template !== undefined && templateProblems(name, row.template) !== undefined
  return {
    state: row.template === undefined ? ('built_in' as const) : isBroken ? ('broken' as const) : ('custom' as const),
    version: row.version,
    changed_at: iso(row.created_at),
    changed_by: authorOf(row, authors),
  }
}

function authorsOf(db: Db, rows: readonly TemplateVersion[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ author_id }) => author_id).filter((id) => id !== null))]
  return ids.length > 0 ? findLabels(db, ids) : Promise.resolve(new Map())
}

const authorOf = ({ author_id: id }: TemplateVersion, authors: ReadonlyMap<string, string>): string | null =>
  id === null ? null : (authors.get(id) ?? null)
