import { diffLines } from '../../../../lib/line-diff.ts'
import { languageName } from '../../../../lib/locale.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { editorPath, messageLabel } from '../paths.ts'
import type { Source, Template } from './editor-view.ts'

export interface VersionPage {
  area: AdminArea
  template: Template
  earlier: Source
  version: string
  mayEdit: boolean
  form: string
}

export function versionPage({ area, template, earlier, ...data }: VersionPage, page: PageContext): string {
  const { messages: texts } = adminTextsFor(page.lang)
  const path = editorPath(template.name, template.language)
  const part = (label: string, before: string | null, after: string | null) => ({
    label,
    lines: diffLines(before ?? '', after ?? ''),
  })
  const parts = [
    part(texts.subject, earlier.subject, template.subject),
    part(texts.text, earlier.text, template.text),
    ...(earlier.html || template.html ? [part(texts.html, earlier.html, template.html)] : []),
  ]
  const title = `${messageLabel(page.lang, template.name)} · ${fill(texts.version, { number: data.version })}`
  return renderAdminLayout(
    area,
    {
      template: new URL('./version.eta', import.meta.url),
      title,
      lead: texts.compareLead,
      parent: {
        path,
        label: `${messageLabel(page.lang, template.name)} · ${languageName(page.lang, template.language)}`,
      },
      data: { texts, path, parts, earlier, current: template.version, form: data.form, mayEdit: data.mayEdit },
    },
    page,
  )
}
