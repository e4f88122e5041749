import { atTime } from '../../../../ui/account/when.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../../ui/texts/index.ts'
import { headOf } from '../page-head.ts'
import { applicationPath, applicationsPath, newApplicationPath, type ShownApplication } from '../paths.ts'
import type { RejectionGroup } from './group-rejections.ts'
import { missingAddress } from './missing-address.ts'

export interface RejectionsPage {
  area: AdminArea
  /** Undefined for rejections of no application. */
  application: ShownApplication | undefined
  rejections: readonly RejectionGroup[]
  timeZone: string | null
}

export function rejectionsPage(data: RejectionsPage, page: PageContext): string {
  const { area, application, rejections } = data
  const { applications } = adminTextsFor(page.lang)
  const { rejected: texts } = applications
  return renderAdminLayout(
    area,
    {
      template: new URL('./rejections.eta', import.meta.url),
      ...(application
        ? headOf(application, texts)
        : {
            title: texts.otherTitle,
            lead: texts.otherLead,
            parent: { path: applicationsPath, label: applications.title },
          }),
      data: {
        rows: rejections.map((rejection) => rowOf(rejection, data, page)),
        empty: { icon: 'application', ...texts.none, action: undefined },
      },
    },
    page,
  )
}

function rowOf(rejection: RejectionGroup, data: RejectionsPage, { lang }: PageContext) {
  const { reasons, repeated } = adminTextsFor(lang).applications.rejected
  const known: Readonly<Record<string, { title: string; text: string }>> = reasons
  const { reason, parameter, page, time, count } = rejection
  const { title, text } = (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? { title: reason, text: '' }
  return {
    page: page ?? '',
    title,
    text: fill(text, { parameter: parameter ?? '' }),
    time: fill(fillPlural(lang, repeated, count), { time: atTime(lang, time, data.timeZone) }),
    next: nextStep(rejection, data, lang),
  }
}

/** Leads to a form. Nothing is saved by the link. */
function nextStep(rejection: RejectionGroup, { application }: RejectionsPage, lang: string) {
  const { rejected: texts } = adminTextsFor(lang).applications
  const address = missingAddress(rejection)
  if (address === undefined || application?.deleted_at) return undefined
  if (!application) return { path: newApplicationPath, label: texts.addOther }
  const path = `${applicationPath(application.id)}?${new URLSearchParams({ add: address })}#return_addresses`
  return { path, label: fill(texts.addTo, { address }) }
}
