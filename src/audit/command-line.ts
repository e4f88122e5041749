/** The actor of changes that an operator makes at the command line. An operator has no user, so the id is null. */
export const commandLine = { id: null, user_type: 'command_line' } as const
