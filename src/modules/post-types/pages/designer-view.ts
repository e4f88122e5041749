import { type AdminArea, renderAdminLayout } from '../../../ui/console/layout.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { problemText } from '../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill, fillPlural } from '../../../ui/texts/index.ts'
import { textOf } from '../../blog/pages/content/list-view.ts'
import { blogTextsFor } from '../../blog/pages/texts.ts'
import { bodyFormats, postVisibilities, restrictions } from '../behaviors.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { fieldKinds } from '../field-kinds.ts'
import { type DesignerValues, maxRows, problemsByInput, rowsOf, shownSwitches } from './designer-values.ts'
import { acceptanceOf } from './effects.ts'
import { designerPaths, removePath, typePath } from './schemas.ts'
import { type DesignerTexts, designerTextsFor, kindName } from './texts.ts'

export interface Designer {
  area: AdminArea
  /** Undefined for a new type. */
  type: ShownDefinition | undefined
  values: DesignerValues
  /** The types to which posts can be reassigned if this type is deleted. */
  others: ShownDefinition[]
  hasRestrictions: boolean
  formToken: string
  removeToken: string
  /** The effects on existing posts, which the administrator must accept. */
  effects?: string[] | undefined
  rejection?: ApiRejection | undefined
  done?: string | undefined
}

const contentFile = (name: string) => new URL(`../../blog/pages/content/${name}`, import.meta.url)

export function designerPage(designer: Designer, page: PageContext): string {
  const texts = designerTextsFor(page.lang)
  const { type, values, rejection, effects = [] } = designer
  const problems = problemsByInput(rejection, values)
  return renderAdminLayout(
    designer.area,
    {
      template: new URL('./designer.eta', import.meta.url),
      styles: [contentFile('content.css'), new URL('./designer.css', import.meta.url)],
      title: type ? type.type_name : texts.designer.newTitle,
      lead: texts.designer.lead,
      parent: { path: designerPaths.list, label: texts.title },
      done: textOf(texts.done, designer.done),
      problem: problemOf(designer, problems, page),
      data: {
        texts,
        path: type ? typePath(type.type_key) : designerPaths.create,
        formToken: designer.formToken,
        isNew: type === undefined,
        canDeactivate: type?.type_key !== 'post',
        values,
        problems,
        effects,
        accepted: type && acceptanceOf(type, effects),
        fields: rowsData(values, problems, texts),
        canAdd: rowsOf(values).length < maxRows,
        formats: bodyFormats.map((name) => ({
          name: `format_${name}`,
          label: textOf(blogTextsFor(page.lang).content.formats, name) ?? name,
          isOn: values[`format_${name}`] === 'on',
        })),
        visibilities: postVisibilities.map((value) => ({
          value,
          label: textOf(blogTextsFor(page.lang).content.visibilities, value) ?? value,
        })),
        switches: shownSwitches.map((name) => ({
          name: `behavior_${name}`,
          label: texts.switches[name],
          isOn: values[`behavior_${name}`] === 'on',
        })),
        restrictions: designer.hasRestrictions
          ? restrictions.map((name) => ({ id: `behavior_${name}`, label: texts.members[name] }))
          : [],
        remove: removeData(designer),
      },
    },
    page,
  )
}

function problemOf({ rejection }: Designer, problems: Record<string, string>, page: PageContext): string | undefined {
  const { designer, rejections } = designerTextsFor(page.lang)
  if (rejection?.code === 'IN_USE') {
    const posts = Number(rejection.details?.find(({ field }) => field === 'posts')?.message ?? 0)
    return fillPlural(page.lang, designer.inUse, posts)
  }
  return Object.keys(problems).length > 0 ? designer.problems : problemText(page.lang, rejection, rejections)
}

const rowsData = (values: DesignerValues, problems: Record<string, string>, texts: DesignerTexts) =>
  rowsOf(values).map((row, at, { length }) => ({
    ...row,
    at,
    legend: fill(texts.designer.fieldTitle, { number: at + 1, label: row.label || row.name || '…' }),
    problems: (member: string) => problems[`field_${at}_${member}`],
    kinds: Object.keys(fieldKinds).map((kind) => ({ value: kind, label: kindName(texts, kind) })),
    isFirst: at === 0,
    isLast: at === length - 1,
  }))

function removeData({ type, others, removeToken }: Designer) {
  if (!type || type.is_built_in) return undefined
  return {
    path: removePath(type.type_key),
    formToken: removeToken,
    others: others.map(({ type_key, type_name }) => ({ key: type_key, name: type_name })),
  }
}
