import { clientPath } from '../../paths.ts'

export const clientSecretsPath = (clientId: string): string => `${clientPath(clientId)}/secrets`
export const removeSecretPath = (clientId: string): string => `${clientSecretsPath(clientId)}/remove`
