import { languageName } from '../../../../lib/locale.ts'
import type { TemplatesRoute } from '../../../../messages/template-schemas.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../../ui/shared/api-route.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { editorPath, messageLabel, messagesPath } from '../paths.ts'
import { groupMessages } from './groups.ts'

type TemplateState = 'built_in' | 'custom' | 'broken'

export const stateChips: Record<TemplateState, string> = { built_in: '', custom: 'good', broken: 'bad' }

type ListedTemplates = ResponseOf<typeof TemplatesRoute>['data']

interface TemplatesPage {
  area: AdminArea
  list: ListedTemplates
}

export function templatesPage({ area, list }: TemplatesPage, page: PageContext): string {
  const { messages: texts } = adminTextsFor(page.lang)
  const nameOf = (language: string) => languageName(page.lang, language)
  const rowOf = ({ name, channel, customizable, templates }: ListedTemplates['messages'][number]) => ({
    label: messageLabel(page.lang, name),
    about: [channel === 'mail' ? undefined : texts.channels[channel], customizable ? undefined : texts.fixed]
      .filter((part) => part !== undefined)
      .join(' · '),
    states: (['custom', 'broken'] as const).flatMap((state) => {
      const languages = templates.filter((one) => one.state === state).map(({ language }) => nameOf(language))
      if (languages.length === 0) return []
      return [{ text: `${texts.templateStates[state]}: ${languages.join(', ')}`, chip: stateChips[state] }]
    }),
    links: templates.map(({ language }) => ({ path: editorPath(name, language), label: nameOf(language) })),
  })
  const groups = groupMessages(list.messages).map(({ group, messages }) => ({
    title: texts.groups[group],
    rows: messages.map(rowOf),
  }))
  return renderAdminLayout(
    area,
    {
      template: new URL('./templates.eta', import.meta.url),
      title: texts.templates,
      styles: ['templates.css'],
      lead: texts.templatesLead,
      parent: { path: messagesPath, label: texts.title },
      data: { groups },
    },
    page,
  )
}
