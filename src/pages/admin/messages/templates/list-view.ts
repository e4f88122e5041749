import { languageName } from '../../../../lib/locale.ts'
import type { PageContext } from '../../../shared/render.ts'
import { type AdminArea, renderAdminLayout } from '../../shared/layout.ts'
import { adminTextsFor } from '../../texts/index.ts'
import { editorPath, messageLabel, messagesPath } from '../paths.ts'
import { groupMessages } from './groups.ts'

export type TemplateState = 'built_in' | 'custom' | 'broken'

export const stateChips: Record<TemplateState, string> = { built_in: '', custom: 'good', broken: 'bad' }

export interface ListedTemplates {
  messages: {
    name: string
    channel: 'mail' | 'sms'
    customizable: boolean
    templates: { language: string; state: TemplateState }[]
  }[]
}

interface TemplatesPage {
  area: AdminArea
  list: ListedTemplates
}

export function templatesPage({ area, list }: TemplatesPage, page: PageContext): string {
  const { messages: texts } = adminTextsFor(page.lang)
  const rowOf = ({ name, channel, customizable, templates }: ListedTemplates['messages'][number]) => ({
    label: messageLabel(page.lang, name),
    channel: texts.channels[channel],
    note: customizable ? undefined : texts.fixed,
    links: templates.map(({ language, state }) => ({
      path: editorPath(name, language),
      label: languageName(page.lang, language),
      state: texts.templateStates[state],
      chip: stateChips[state],
      isOwn: state !== 'built_in',
    })),
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
      lead: texts.templatesLead,
      parent: { path: messagesPath, label: texts.title },
      data: { groups },
    },
    page,
  )
}
