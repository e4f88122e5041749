import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { newId } from '../../lib/ids.ts'
import { type Clock, iso } from '../../lib/time.ts'

export interface InboxMessage {
  id: string
  channel: 'mail' | 'sms'
  to: string
  subject: string
  text: string
  html: string
  created_at: string
}

export interface InboxFilter {
  to?: string
  /** An ISO 8601 time. Messages created at exactly this time are included. */
  since?: string
}

export interface Inbox {
  /** `id` is the message's id in the outbox. */
  add(message: Omit<InboxMessage, 'id' | 'created_at'> & { id?: string }): InboxMessage
  list(filter?: InboxFilter): InboxMessage[]
}

const maxMessages = 500

/** The inbox contains links and codes in plain text, so it is for development only. */
export function openInbox(file: string | undefined, clock: Clock = { now: Date.now }): Inbox {
  let messages = file ? readMessages(file) : []
  let lines = messages.length
  if (file) rewrite(file, messages)

  return {
    add(message) {
      const added = { id: newId(), ...message, created_at: iso(clock.now()) }
      messages = [...messages, added].slice(-maxMessages)
      lines += 1
      if (file && lines < 2 * maxMessages) appendFileSync(file, toLine(added), { mode: 0o600 })
      else if (file) {
        rewrite(file, messages)
        lines = messages.length
      }
      return added
    },
    list({ to, since } = {}) {
      const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
      return messages.filter(
        (message) =>
          (to === undefined || message.to.toLowerCase() === to.toLowerCase()) && Date.parse(message.created_at) >= from,
      )
    },
  }
}

const toLine = (message: InboxMessage): string => `${JSON.stringify(message)}\n`

function rewrite(file: string, messages: InboxMessage[]): void {
  const draft = `${file}.new`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(draft, messages.map(toLine).join(''), { mode: 0o600 })
  renameSync(draft, file)
}

function readMessages(file: string): InboxMessage[] {
  return readLines(file).flatMap(parseMessage).slice(-maxMessages)
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** If the process was killed, the last line may be incomplete. */
function parseMessage(line: string): InboxMessage[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}
