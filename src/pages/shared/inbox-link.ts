import { textsFor } from '../texts/index.ts'
import type { PageContext } from './render.ts'

export const inboxPath = '/dev/inbox'

/** Beside "look into your inbox", where the inbox is the one of development. */
export const inboxLink = ({ inbox = false, lang }: PageContext) => ({ inbox, label: textsFor(lang).home.inbox })
