import type { CommandDef } from 'citty'

export const adminCommand: CommandDef = {
  meta: { name: 'wardenry admin', description: 'Create a superadmin' },
  subCommands: {
    create: async () => (await import('./admin-create.ts')).adminCreate,
  },
}

export const userCommand: CommandDef = {
  meta: { name: 'wardenry user', description: 'Show, create and change users' },
  subCommands: {
    list: async () => (await import('./user/list.ts')).userList,
    show: async () => (await import('./user/show.ts')).userShow,
    create: async () => (await import('./user/create.ts')).userCreate,
    'set-role': async () => (await import('./user/set-role.ts')).userSetRole,
    'end-sessions': async () => (await import('./user/end-sessions.ts')).userEndSessions,
    block: async () => (await import('./user/block.ts')).userBlock,
    unblock: async () => (await import('./user/block.ts')).userUnblock,
    export: async () => (await import('./user/export.ts')).userExport,
    import: async () => (await import('./user/import.ts')).userImport,
  },
}

export const roleCommand: CommandDef = {
  meta: { name: 'wardenry role', description: 'Show and change staff roles' },
  subCommands: {
    list: async () => (await import('./role/list.ts')).roleList,
    create: async () => (await import('./role/change.ts')).roleCreate,
    update: async () => (await import('./role/change.ts')).roleUpdate,
    delete: async () => (await import('./role/change.ts')).roleDelete,
  },
}

export const permissionsCommand: CommandDef = {
  meta: { name: 'wardenry permissions', description: 'Declare the permissions and roles of applications' },
  subCommands: {
    plan: async () => (await import('./permissions.ts')).permissionsPlan,
    apply: async () => (await import('./permissions.ts')).permissionsApply,
    move: async () => (await import('./permissions.ts')).permissionsMove,
  },
}

export const secretsCommand: CommandDef = {
  meta: { name: 'wardenry secrets', description: 'Replace lost generated secrets' },
  subCommands: {
    replace: async () => (await import('./secrets-replace.ts')).secretsReplace,
  },
}

export const settingsCommand: CommandDef = {
  meta: { name: 'wardenry settings', description: 'Show and change settings that are stored in the database' },
  subCommands: {
    list: async () => (await import('./settings/list.ts')).settingsList,
    set: async () => (await import('./settings/change.ts')).settingsSet,
    reset: async () => (await import('./settings/change.ts')).settingsReset,
  },
}

export const applicationCommand: CommandDef = {
  meta: { name: 'wardenry application', description: 'Show and change applications whose users sign in here' },
  subCommands: {
    list: async () => (await import('./application/list.ts')).applicationList,
    show: async () => (await import('./application/list.ts')).applicationShow,
    create: async () => (await import('./application/change.ts')).applicationCreate,
    update: async () => (await import('./application/change.ts')).applicationUpdate,
    enable: async () => (await import('./application/change.ts')).applicationEnable,
    disable: async () => (await import('./application/change.ts')).applicationDisable,
    delete: async () => (await import('./application/change.ts')).applicationDelete,
    restore: async () => (await import('./application/change.ts')).applicationRestore,
    adopt: async () => (await import('./application/adopt.ts')).applicationAdopt,
    test: async () => (await import('./application/sign-in-test.ts')).applicationTest,
    export: async () => (await import('./application/transfer.ts')).applicationExport,
    plan: async () => (await import('./application/transfer.ts')).applicationPlan,
    apply: async () => (await import('./application/transfer.ts')).applicationApply,
    secrets: async () => (await import('./application/secrets.ts')).applicationSecrets,
    'create-secret': async () => (await import('./application/secrets.ts')).applicationCreateSecret,
    'update-secret': async () => (await import('./application/secrets.ts')).applicationUpdateSecret,
    'rotate-secret': async () => (await import('./application/secrets.ts')).applicationRotateSecret,
    'revoke-secret': async () => (await import('./application/secrets.ts')).applicationRevokeSecret,
  },
}

export const webhookCommand: CommandDef = {
  meta: { name: 'wardenry webhook', description: 'Show and change webhooks, and deliver events again' },
  subCommands: {
    list: async () => (await import('./webhook/list.ts')).webhookList,
    create: async () => (await import('./webhook/change.ts')).webhookCreate,
    update: async () => (await import('./webhook/change.ts')).webhookUpdate,
    'rotate-secret': async () => (await import('./webhook/change.ts')).webhookRotateSecret,
    test: async () => (await import('./webhook/change.ts')).webhookTest,
    replay: async () => (await import('./webhook/change.ts')).webhookReplay,
    deliveries: async () => (await import('./webhook/list.ts')).webhookDeliveries,
    delete: async () => (await import('./webhook/change.ts')).webhookDelete,
  },
}

export const sessionsCommand: CommandDef = {
  meta: { name: 'wardenry sessions', description: 'End all sessions' },
  subCommands: {
    'end-all': async () => (await import('./sessions-end-all.ts')).sessionsEndAll,
  },
}

export const moduleRootCommand: CommandDef = {
  meta: { name: 'wardenry module', description: 'Show and install modules' },
  subCommands: {
    list: async () => (await import('./module-list.ts')).moduleList,
    status: async () => (await import('./module-status.ts')).moduleStatusCommand,
    plan: async () => (await import('./module-install.ts')).modulePlan,
    install: async () => (await import('./module-install.ts')).moduleInstall,
  },
}
