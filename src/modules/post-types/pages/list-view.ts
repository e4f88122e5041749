import { type AdminArea, renderAdminLayout } from '../../../ui/console/layout.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { textOf } from '../../blog/pages/content/list-view.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { designerPaths, typePath } from './schemas.ts'
import { designerTextsFor, kindName } from './texts.ts'

interface TypeList {
  area: AdminArea
  types: ShownDefinition[]
  done: string | undefined
}

export function typesPage({ area, types, done }: TypeList, page: PageContext): string {
  const texts = designerTextsFor(page.lang)
  return renderAdminLayout(
    area,
    {
      template: new URL('./list.eta', import.meta.url),
      title: texts.title,
      lead: texts.list.lead,
      action: { path: designerPaths.create, label: texts.list.create, icon: 'add' },
      done: textOf(texts.done, done),
      data: {
        texts: texts.list,
        types: types.map((type) => ({
          key: type.type_key,
          name: type.type_name,
          path: typePath(type.type_key),
          description: type.description,
          prefix: type.slug_prefix && `/${type.slug_prefix}/`,
          isActive: type.is_active,
          isBuiltIn: type.is_built_in,
          fields: type.field_schema.map((field) => ({
            label: field.label,
            name: field.name,
            kind: kindName(texts, field.type),
            isRequired: field.required,
          })),
        })),
      },
    },
    page,
  )
}
