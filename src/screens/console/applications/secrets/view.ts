import type { ListApplicationSecretsRoute } from '../../../../applications/secrets/schemas.ts'
import type { BridgeRight } from '../../../../db/rows/applications.ts'
import { bridgeRightNames } from '../../../../http/access/bridge-rights.ts'
import { ago, onDay } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../ui/texts/index.ts'
import { headOf } from '../page-head.ts'
import { type ShownApplication, secretsPath } from '../paths.ts'
import { applicationProblems } from '../problems.ts'
import { offeredRights, overlaps, rightField, secretLifetimes, type TypedSecret, unchangedEnd } from './form-values.ts'

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
  /** The rejected changes of a secret. */
  edited?: { id: string; typed: TypedSecret }
  rejection?: ApiRejection
  done?: string | undefined
}

/** As in the use case that creates secrets. */
const maxSecrets = 2

export function secretsPage(data: SecretsPage, page: PageContext): string {
  const { area, application, secrets, forms, secret, typed = {}, edited, rejection } = data
  const { lang } = page
  const { secrets: texts, optional, copied } = adminTextsFor(lang).applications
  const problems = applicationProblems(lang, rejection)
  return renderAdminLayout(
    area,
    {
      template: new URL('./secrets.eta', import.meta.url),
      ...headOf(application, texts),
      scripts: secret ? ['copy.js'] : [],
      done: doneTexts(texts.done, data.done),
      problem: problems.fields.application_id ?? problems.top,
      data: {
        texts: { ...texts, optional, copied },
        path: secretsPath(application.id),
        forms,
        secret,
        rows: secrets.map((one) => rowOf(one, data, page)),
        isFull: secrets.filter((one) => !hasEnded(one, data)).length >= maxSecrets,
        overlaps: overlaps.map((value) => ({ value, label: texts.overlaps[value] })),
        rights: rightChoices(lang, offeredRights(), typedRights(data.typed) ?? ['sessions']),
        lifetimes: lifetimeChoices(lang),
        typed,
        problems: edited ? {} : problems.fields,
      },
    },
    page,
  )
}

const doneTexts = (texts: Readonly<Record<string, string>>, done: string | undefined): string | undefined =>
  done !== undefined && Object.hasOwn(texts, done) ? texts[done] : undefined

function rightChoices(lang: PageLanguage, offered: readonly BridgeRight[], chosen: readonly BridgeRight[]) {
  const { rightNames } = adminTextsFor(lang).applications.secrets
  return offered.map((right) => ({
    option: rightNames[right],
    name: rightField(right),
    isOn: chosen.includes(right),
  }))
}

const typedRights = (typed: TypedSecret | undefined): BridgeRight[] | undefined =>
  typed && bridgeRightNames.filter((right) => typed[rightField(right)] !== undefined)

function lifetimeChoices(lang: PageLanguage) {
  const { secrets: texts } = adminTextsFor(lang).applications
  return [
    { value: '', label: texts.never },
    ...secretLifetimes.map((days) => ({ value: `${days}`, label: fillPlural(lang, texts.days, days) })),
  ]
}

const hasEnded = ({ ends_at }: ShownSecret, { now }: Pick<SecretsPage, 'now'>): boolean =>
  ends_at !== null && Date.parse(ends_at) <= now

function rowOf(secret: ShownSecret, data: SecretsPage, { lang }: PageContext) {
  const { secrets: texts } = adminTextsFor(lang).applications
  const { timeZone, now } = data
  const { id, hint, rights, ip_ranges, ends_at, last_used_at, requests_last_day } = secret
  const end = ends_at === null ? texts.noEnd : onDay(lang, ends_at, timeZone)
  return {
    id,
    hint,
    isEnded: hasEnded(secret, { now }),
    edit: fill(texts.edit, { hint }),
    change: fill(texts.change, { hint }),
    form: editForm(secret, data, { lang, end }),
    facts: [
      { name: texts.rights, value: rights.map((right) => texts.rightNames[right]).join('; ') },
      { name: texts.ranges, value: ip_ranges.join(', ') || texts.allRanges },
      { name: texts.ends, value: end },
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

/** With the rejected entries, or with what the secret allows. */
function editForm(
  { id, rights, ip_ranges }: ShownSecret,
  { edited, rejection }: SecretsPage,
  { lang, end }: { lang: PageLanguage; end: string },
) {
  const { secrets: texts } = adminTextsFor(lang).applications
  const typed = edited?.id === id ? edited.typed : undefined
  return {
    isOpen: typed !== undefined,
    rights: rightChoices(lang, offeredRights(rights), typedRights(typed) ?? rights),
    ip_ranges: typed ? typed.ip_ranges : ip_ranges.join('\n'),
    ends_in: typed?.ends_in ?? unchangedEnd,
    lifetimes: [{ value: unchangedEnd, label: fill(texts.asNow, { end }) }, ...lifetimeChoices(lang)],
    problems: typed ? applicationProblems(lang, rejection).fields : {},
  }
}
