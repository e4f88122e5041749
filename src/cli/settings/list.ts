import { command } from '../command.ts'
import { withSettings } from './with-settings.ts'

export const settingsList = command({
  meta: { name: 'wardenry settings list', description: 'List all settings with their values and sources' },
  args: {
    changed: { type: 'boolean', description: 'omit settings with their default value' },
    json: { type: 'boolean', description: 'write JSON' },
  },
  run: ({ changed, json }) =>
    withSettings(async (ctx) => {
      const { fitted, inColumns, printableJson } = await import('../columns.ts')
      const { showSettings } = await import('../../stored-settings/show-settings.ts')
      const { settings, version } = await showSettings(ctx)
      const listed = settings.filter(({ source, unused }) => !changed || source !== 'default' || unused)
      if (json) return void process.stdout.write(printableJson({ version, settings: listed }))
      const rows = listed.map(({ name, value, set, source, changeable, unused }) => [
        name,
        fitted(value ?? (set ? 'set' : '–'), 48),
        source,
        changeable ? 'yes' : 'no',
        unused ? `stored value ${fitted(unused.value, 24)} is not used: ${unused.problem}` : '',
      ])
      process.stdout.write(inColumns([['SETTING', 'VALUE', 'SOURCE', 'CHANGEABLE', ''], ...rows]))
    }),
})
