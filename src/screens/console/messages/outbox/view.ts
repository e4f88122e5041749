import type { OutboxRoute } from '../../../../messages/outbox-schemas.ts'
import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import { type PageProblem, problemText } from '../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { messageLabel, messagesPath, templatesPath } from '../paths.ts'

export const states = ['queued', 'sending', 'sent', 'failed', 'dropped'] as const

type ShownMessage = OutboxPage['found']['messages'][number]

export interface OutboxPage {
  area: AdminArea
  found: ResponseOf<typeof OutboxRoute>['data']
  names: string[]
  search: { state?: string | undefined; message?: string | undefined }
  form: string
  timeZone: string | null
  outcome: { done?: string | undefined; count?: string | undefined; problem?: PageProblem }
}

export function outboxPage(data: OutboxPage, page: PageContext): string {
  const { area, found, names, search, form, outcome } = data
  const { messages: texts } = adminTextsFor(page.lang)
  const { pagination } = found
  const isSearch = search.state !== undefined || !!search.message
  return renderAdminLayout(
    area,
    {
      template: new URL('./outbox.eta', import.meta.url),
      title: texts.title,
      lead: texts.lead,
      action: { path: templatesPath, label: texts.templates, icon: 'mail' },
      done: doneText(outcome, page.lang),
      problem: problemText(page.lang, outcome.problem, { MESSAGE_NOT_RETRYABLE: texts.notRetryable }),
      data: {
        texts,
        form,
        search,
        states: states.map((value) => ({ value, label: texts.states[value] })),
        names: names
          .map((value) => ({ value, label: messageLabel(page.lang, value) }))
          .sort((one, other) => one.label.localeCompare(other.label, page.lang)),
        rows: found.messages.map((row) => rowOf(row, data, page)),
        isSearch,
        empty: {
          icon: 'mail',
          ...(isSearch ? texts.nothingFound : texts.nothing),
          action: isSearch ? { path: messagesPath, label: texts.clear } : undefined,
        },
        hasFailed: found.messages.some(({ state, retryable }) => state === 'failed' && retryable),
        newer: pagination.page > 1 ? addressOf(search, pagination.page - 1) : undefined,
        older: pagination.page < pagination.pages ? addressOf(search, pagination.page + 1) : undefined,
      },
    },
    page,
  )
}

const chipOf = { queued: 'warn', sending: 'warn', sent: 'good', failed: 'bad', dropped: '' } as const

function rowOf(row: ShownMessage, { timeZone }: OutboxPage, { lang }: PageContext) {
  const { messages: texts } = adminTextsFor(lang)
  const at = (time: string) => atTime(lang, time, timeZone)
  const to = row.recipient ? fill(texts.to, { recipient: row.recipient }) : erasedRecipient(row, lang)
  return {
    id: row.id,
    label: messageLabel(lang, row.message),
    channel: texts.channels[row.channel],
    state: texts.states[row.state],
    chip: chipOf[row.state],
    facts: [
      to,
      at(row.created_at),
      row.attempts > 0 ? fillPlural(lang, texts.attempts, row.attempts) : undefined,
      row.next_attempt_at ? fill(texts.next, { time: at(row.next_attempt_at) }) : undefined,
    ].filter((fact) => fact !== undefined),
    reason: row.reason,
    retry: row.retryable ? (row.state === 'failed' ? texts.retry : texts.sendNow) : undefined,
  }
}

/** The API does not return the recipient after the content has been erased. Internal jobs have no recipient. */
const erasedRecipient = ({ channel, state }: ShownMessage, lang: string): string | undefined =>
  channel !== 'task' && state !== 'queued' && state !== 'sending' ? adminTextsFor(lang).messages.erased : undefined

function addressOf({ state, message }: OutboxPage['search'], page: number): string {
  const query = new URLSearchParams({ ...(state && { state }), ...(message && { message }), page: `${page}` })
  return `${messagesPath}?${query}`
}

function doneText({ done, count }: OutboxPage['outcome'], lang: string): string | undefined {
  const { messages: texts } = adminTextsFor(lang)
  return done === 'retried' && /^\d{1,4}$/.test(count ?? '')
    ? fillPlural(lang, texts.retried, Number(count))
    : undefined
}
