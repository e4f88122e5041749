import { firebaseHash } from '../../passwords/imported/read-hash.ts'
import { blockedIf, displayName, httpsUrl, identitiesOf, isLostPicture, mapped, rowsUnder } from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, objectOf, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource, UserSourceOptions } from './source.ts'

/** The file that `firebase auth:export users.json` writes. */
export const firebase: UserSource = {
  name: 'firebase',
  title: 'Firebase Authentication',
  reading: [{ kind: 'json', rowsOf: rowsUnder('users') }],
  options: {
    'signer-key': 'base64_signer_key of the password hash parameters',
    'salt-separator': 'base64_salt_separator',
    rounds: 'rounds; default: 8',
    'mem-cost': 'mem_cost; default: 14',
    metadata: protectedDataOption,
  },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    const email = textMember(row, 'email')
    const claims = objectOf(row, 'customAttributes')
    const social = rowsIn(row, 'providerUserInfo').filter(
      (info) => !['password', 'phone'].includes(textMember(info, 'providerId') ?? ''),
    )
    const { identities, lost } = identitiesOf(
      social.map((info) => ({
        provider: textMember(info, 'providerId'),
        subject: textMember(info, 'rawId'),
        email: textMember(info, 'email'),
      })),
    )
    const password = hashOf(row, options)
    return mapped(
      {
        external_id: textMember(row, 'localId'),
        email,
        is_verified: flagOf(row, 'emailVerified'),
        display_name: displayName(textMember(row, 'displayName'), email),
        phone: textMember(row, 'phoneNumber'),
        phone_trusted: textMember(row, 'phoneNumber') ? true : undefined,
        picture: httpsUrl(textMember(row, 'photoUrl')),
        created_at: timeOf(row, 'createdAt'),
        blocked: blockedIf(flagOf(row, 'disabled'), 'Firebase'),
        metadata: copiedData(claims, options.metadata),
        password_hash: password.hash,
        identities,
      },
      {
        'creation time': isLostTime(row, 'createdAt'),
        ...lost,
        picture: isLostPicture(textMember(row, 'photoUrl')),
        'custom claims': !isAllCopied(claims, options.metadata),
        'password: the signer key or the salt separator is missing': password.needsKey,
        'password: the hash does not match the signer key': password.isUnusable,
      },
    )
  },
}

function hashOf(row: Row, options: UserSourceOptions): { hash?: string; needsKey?: boolean; isUnusable?: boolean } {
  const [hash, salt] = [textMember(row, 'passwordHash'), textMember(row, 'salt')]
  if (!hash || !salt) return {}
  const { 'signer-key': signerKey, 'salt-separator': saltSeparator, rounds = '8', 'mem-cost': memCost = '14' } = options
  if (!signerKey || !saltSeparator) return { needsKey: true }
  try {
    const parameters = { rounds: Number(rounds), memCost: Number(memCost) }
    return {
      hash: firebaseHash({ hash: standard(hash), salt: standard(salt), signerKey, saltSeparator, ...parameters }),
    }
  } catch {
    return { isUnusable: true }
  }
}

/** The Firebase API uses the URL-safe base64 alphabet. `firebase auth:export` uses the standard alphabet. */
const standard = (base64: string): string => base64.replaceAll('-', '+').replaceAll('_', '/')
