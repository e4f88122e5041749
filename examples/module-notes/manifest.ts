import type { ExternalModule } from '../../src/modules/external.ts'
import { notePageRoutes, path } from './pages/routes.ts'
import { textsFor } from './pages/texts.ts'
import { noteRoutes } from './routes.ts'
import type {} from './types.ts'

/** The service loads this module through `MODULE_PATHS` and passes in the toolkit. */
export const createModule: ExternalModule = (toolkit) => ({
  directory: new URL('./', import.meta.url),
  switches: [],
  settings: {
    chapter: 'Notes',
    settings: { NOTES_MAX: toolkit.settingKinds.integer(100, 1, 1000, 'maximum number of notes per user') },
  },
  errors: { TOO_MANY_NOTES: [409, 'You have reached the maximum number of notes'] },
  tags: { Notes: 'Short user notes (module module-notes).' },
  routes: noteRoutes(toolkit),
  pages: {
    routes: notePageRoutes(toolkit),
    navigation: [{ path, label: (lang) => textsFor(toolkit)(lang).entry, icon: 'content', after: '/account/profile' }],
  },
  commands: {
    description: 'Notes of users',
    commands: {
      count: async () =>
        toolkit.moduleCommand({
          description: 'Print the number of notes',
          args: {},
          run: async ({ db }) => {
            const { count } = await db
              .selectFrom('user_notes')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .executeTakeFirstOrThrow()
            process.stdout.write(`${count} notes\n`)
          },
        }),
    },
  },
  userColumns: { core: [{ name: 'keeps_notes', unset: false, schema: toolkit.Type.Boolean() }] },
  personalData: {
    tables: ['user_notes'],
    unproven: async ({ db }, { id }) => {
      await db.deleteFrom('user_notes').where('user_id', '=', id).execute()
    },
    collect: async ({ db }, user) => ({
      notes: await db.selectFrom('user_notes').select(['note', 'created_at']).where('user_id', '=', user.id).execute(),
    }),
    exported: { notes: { schema: { type: 'array', items: { type: 'object', additionalProperties: true } } } },
  },
})
