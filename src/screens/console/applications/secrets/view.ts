import type { ListApplicationSecretsRoute } from '../../../../applications/secrets/schemas.ts'
import { bridgeRightNames } from '../../../../http/access/bridge-rights.ts'
import { ago, onDay } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { applicationPath, type ShownApplication, secretsPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { overlaps, rightField, secretLifetimes, type TypedSecret } from './form-values.ts'

type ShownSecret = ResponseOf<typeof ListApplicationSecretsRoute>['data']['secrets'][number]

export interface SecretsPage {
  area: AdminArea
  application: ShownApplication
  secrets: readonly ShownSecret[]
  forms: { create: string; act: string }
  timeZone: string | null
  now: number
  /** A secret that was just created. It cannot be shown again. */
  secret?: string
  typed?: TypedSecret
  rejection?: ApiRejection
  done?: string | undefined
}

/** As in the use case that creates secrets. */
const maxSecrets = 2

export function secretsPage(data: SecretsPage, page: PageContext): string {
  const { area, application, secrets, forms, secret, typed = {}, rejection } = data
  const { lang } = page
  const { secrets: texts, optional, copied } = adminTextsFor(lang).applications
  const problems = applicationProblems(lang, rejection)
  return renderAdminLayout(
    area,
    {
      template: new URL('./secrets.eta', import.meta.url),
      title: fill(texts.title, { name: application.name }),
      lead: texts.lead,
      parent: { path: applicationPath(application.id), label: application.name },
      scripts: secret ? ['copy.js'] : [],
      done: data.done === 'revoked' ? texts.done.revoked : undefined,
      problem: problems.fields.application_id ?? problems.top,
      data: {
        texts: { ...texts, optional, copied },
        path: secretsPath(application.id),
        forms,
        secret,
        rows: secrets.map((one) => rowOf(one, data, page)),
        isFull: secrets.filter((one) => !hasEnded(one, data)).length >= maxSecrets,
        overlaps: overlaps.map((value) => ({ value, label: texts.overlaps[value] })),
        rights: rightChoices(data, page),
        lifetimes: [
          { value: '', label: texts.never },
          ...secretLifetimes.map((days) => ({ value: `${days}`, label: fillPlural(lang, texts.days, days) })),
        ],
        typed,
        problems: problems.fields,
      },
    },
    page,
  )
}

function rightChoices({ typed }: SecretsPage, { lang }: PageContext) {
  const { rightNames } = adminTextsFor(lang).applications.secrets
  return bridgeRightNames.map((right) => ({
    option: rightNames[right],
    name: rightField(right),
    isOn: typed ? typed[rightField(right)] !== undefined : right === 'sessions',
  }))
}

const hasEnded = ({ ends_at }: ShownSecret, { now }: Pick<SecretsPage, 'now'>): boolean =>
  ends_at !== null && Date.parse(ends_at) <= now

function rowOf(secret: ShownSecret, { timeZone, now }: SecretsPage, { lang }: PageContext) {
  const { secrets: texts } = adminTextsFor(lang).applications
  const { id, hint, rights, ip_ranges, ends_at, last_used_at, requests_last_day } = secret
  const isEnded = hasEnded(secret, { now })
  return {
    id,
    hint,
    isEnded,
    change: fill(texts.change, { hint }),
    facts: [
      { name: texts.rights, value: rights.map((right) => texts.rightNames[right]).join('; ') },
      { name: texts.ranges, value: ip_ranges.join(', ') || texts.allRanges },
      { name: texts.ends, value: ends_at === null ? texts.noEnd : onDay(lang, ends_at, timeZone) },
      {
        name: texts.lastUse,
        value:
          last_used_at === null
            ? texts.unused
            : `${ago(lang, last_used_at, now)} · ${fillPlural(lang, texts.requests, requests_last_day)}`,
      },
    ],
  }
}
