import type { OfferedApplication } from '../../../../../screens/console/applications/read-applications.ts'
import type { AdminArea } from '../../../../../ui/console/layout.ts'
import type { Field } from '../../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { entryFormPage } from '../../form/view.ts'
import type { TypedValues } from '../../form-values.ts'
import { newResourcePath, resourceListPath } from '../../paths.ts'
import { oauthProblems } from '../../problems.ts'
import { oauthTextsFor } from '../../texts.ts'
import { resourceFieldNames, resourceFields, type TokenDefaults } from '../resource-fields.ts'

export interface NewResourcePage {
  area: AdminArea
  applications: readonly OfferedApplication[]
  defaults: TokenDefaults
  form: string
  typed: TypedValues
  rejection?: ApiRejection | undefined
}

export function newResourcePage(data: NewResourcePage, page: PageContext): string {
  const { area, applications, defaults, form, typed, rejection } = data
  const { resources: texts } = oauthTextsFor(page.lang)
  const { top, fields: problems } = oauthProblems(page.lang, rejection, resourceFieldNames)
  const application: Field = {
    ...{ name: 'application_id', kind: 'select', label: texts.application, hint: texts.scopesText, required: true },
    choices: [
      { value: '', label: texts.noChoice },
      ...applications.map(({ id, name }) => ({ value: id, label: name })),
    ],
    ...{ value: typed.application_id, problem: problems.application_id },
  }
  const lacks =
    applications.length === 0
      ? { problem: texts.noApplications, problemLink: { path: '/admin/applications/new', label: texts.addApplication } }
      : { problem: top }
  return entryFormPage(
    area,
    {
      ...{ ...lacks, title: texts.add, parent: { path: resourceListPath, label: texts.title } },
      scripts: ['first-field.js'],
      fields: [application, ...resourceFields(page.lang, { typed, defaults, problems })],
      ...{ form, action: newResourcePath, button: texts.add, back: resourceListPath },
    },
    page,
  )
}
