import { ago, onDay } from '../../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../../ui/console/layout.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { isUserClient } from '../../../clients/sign-in-input.ts'
import { clientPath, type ShownClient, type ShownResource } from '../../paths.ts'
import { doneText, oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { clientTestPath } from '../test/paths.ts'
import { clientSecretsPath } from './paths.ts'
import { clientSettings } from './settings.ts'

export interface ClientSecretsPage {
  area: AdminArea
  client: ShownClient
  resources: readonly ShownResource[]
  /** Programs and configurations that use the client. */
  samples: readonly { name: string; text: string }[]
  mayChange: boolean
  mayTest: boolean
  forms: { add: string; remove: string }
  now: number
  timeZone: string | null
  /** A secret that was just created. It cannot be shown again. */
  secret?: string | undefined
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

/** As in the use case that adds secrets. */
const maxSecrets = 2

/** In seconds, as in the texts. */
const overlaps = ['0', '3600', '86400', '604800', '2592000'] as const

export function clientSecretsPage(data: ClientSecretsPage, page: PageContext): string {
  const { area, client, resources, mayChange, forms, secret, rejection, done } = data
  const texts = oauthTextsFor(page.lang)
  const { secrets: own } = texts
  const path = clientSecretsPath(client.client_id)
  const isPublic = client.auth_method === 'none'
  const { top, fields } = oauthProblems(page.lang, rejection, ['overlap'])
  return renderAdminLayout(
    area,
    {
      template: new URL('./secrets.eta', import.meta.url),
      styles: ['applications.css'],
      scripts: ['copy.js'],
      title: fill(isPublic ? own.publicTitle : own.title, { name: client.name }),
      lead: isPublic ? own.publicLead : isUserClient(client.type) ? own.userLead : own.lead,
      parent: { path: clientPath(client.client_id), label: client.name },
      done: doneText(isPublic ? own.publicDone : own.done, done),
      problem: fields.overlap ?? top,
      data: {
        ...{ texts, path, forms, secret, mayChange, isPublic },
        testPath: data.mayTest ? clientTestPath(client.client_id) : undefined,
        samples: data.samples.map(({ name, text }) => ({ id: `sample-${name}`, name, text })),
        blocks: clientSettings(own, { publicUrl: page.publicUrl, client, resources, secret }),
        rows: client.secrets.map((one) => rowOf(one, data, page)),
        isFull: client.secrets.length >= maxSecrets,
        overlaps: overlaps.map((value) => ({ value, label: own.overlaps[value] })),
      },
    },
    page,
  )
}

function rowOf(
  { id, hint, created_at, expires_at, last_used_at }: ShownClient['secrets'][number],
  { now, timeZone }: ClientSecretsPage,
  { lang }: PageContext,
) {
  const { secrets: texts, neverUsed } = oauthTextsFor(lang)
  return {
    ...{ id, hint, remove: fill(texts.remove, { hint }) },
    facts: [
      { name: texts.created, value: onDay(lang, created_at, timeZone) },
      { name: texts.ends, value: expires_at === null ? texts.noEnd : onDay(lang, expires_at, timeZone) },
      { name: texts.lastUse, value: last_used_at === null ? neverUsed : ago(lang, last_used_at, now) },
    ],
  }
}
