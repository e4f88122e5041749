import type { CommandDef } from 'citty'

export const blog: CommandDef = {
  meta: { name: 'wardenry blog', description: 'Bring posts into the blog, and take them out' },
  subCommands: {
    import: async () => (await import('./blog-import.ts')).blogImport,
    export: async () => (await import('./blog-export.ts')).blogExport,
  },
}
