import { Done, describe } from '../http/responses/schemas.ts'
import { applicationParams, OneApplication } from './schemas.ts'

const tag = 'Applications'
const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const errors = ['NOT_FOUND', 'REAUTH_REQUIRED'] as const

const switching = (operationId: string, summary: string, description: string) =>
  describe(
    { operationId, summary, description: `${description} ${needsProof}`, tag, errors },
    { params: applicationParams },
    OneApplication,
  )

export const EnableApplicationRoute = switching(
  'enableApplication',
  'Enable an application',
  'Its addresses are accepted again.',
)
export const DisableApplicationRoute = switching(
  'disableApplication',
  'Disable an application',
  'Its addresses are rejected, unless the settings contain the same ones, and its sessions end.',
)
export const RestoreApplicationRoute = switching(
  'restoreApplication',
  'Restore a deleted application',
  'The application is as it was before the deletion, but its sessions stay ended.',
)

export const DeleteApplicationRoute = describe(
  {
    operationId: 'deleteApplication',
    summary: 'Delete an application',
    description:
      'Its addresses are rejected, and its sessions end. It can be restored for 14 days. Until then, its key and addresses cannot be used by ' +
      `another application. ${needsProof}`,
    tag,
    errors,
  },
  { params: applicationParams },
  Done,
)
