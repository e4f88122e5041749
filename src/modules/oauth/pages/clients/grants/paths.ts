import { clientPath } from '../../paths.ts'

export const clientGrantsPath = (clientId: string): string => `${clientPath(clientId)}/grants`
