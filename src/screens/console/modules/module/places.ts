import type { ModulePlaces } from '../../../../context.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { chapterName, chapterPath } from '../../settings/settings.ts'

/** Links to the settings and pages of an installed module. */
export function placeLinks(lang: string, { chapter, console: entries, account }: ModulePlaces) {
  const { placeKinds: kinds, settingsOf } = adminTextsFor(lang).modules
  return [
    ...(chapter === undefined
      ? []
      : [
          {
            kind: kinds.console,
            path: chapterPath(chapter),
            label: fill(settingsOf, { module: chapterName(lang, chapter) }),
          },
        ]),
    ...entries.map(({ path, label }) => ({ kind: kinds.console, path, label: label(lang) })),
    ...account.map(({ path, label }) => ({ kind: kinds.account, path, label: label(lang) })),
  ]
}
