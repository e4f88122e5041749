import { textsFor } from '../texts/index.ts'
import type { PageContext } from './render.ts'

/** The link is shown only if the service delivers messages to the development inbox. */
export const inboxLink = ({ inbox = false, lang }: PageContext) => ({ inbox, label: textsFor(lang).home.inbox })
