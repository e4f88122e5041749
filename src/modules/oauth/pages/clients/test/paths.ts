import { clientPath } from '../../paths.ts'

export const clientTestPath = (clientId: string): string => `${clientPath(clientId)}/test`
