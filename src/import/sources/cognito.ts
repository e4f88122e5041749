import { isTimeZone } from '../../lib/locale.ts'
import {
  blockedIf,
  httpsUrl,
  identitiesOf,
  isLostPicture,
  languageTag,
  mapped,
  rowsUnder,
  userNameOf,
  uuidOf,
} from './build-record.ts'
import { copiedData, isAllCopied, protectedDataOption } from './protected-data.ts'
import { flagOf, isLostTime, isRow, memberOf, parsedMember, type Row, rowsIn, textMember, timeOf } from './read-row.ts'
import type { UserSource } from './source.ts'

/** The output of `aws cognito-idp list-users`. Cognito exports no passwords and no authenticator seeds. */
export const cognito: UserSource = {
  name: 'cognito',
  title: 'Amazon Cognito',
  jsonCommand: 'aws cognito-idp list-users --user-pool-id <pool> --output json',
  reading: [{ kind: 'json', rowsOf: rowsUnder('Users') }],
  options: { metadata: protectedDataOption },
  toRecord(row, options) {
    if (!isRow(row)) return { problem: 'not an object' }
    const attributes = attributesOf(row)
    const custom = customOf(attributes)
    const { identities, lost } = identitiesOf(federated(attributes))
    const isFederated = textMember(row, 'UserStatus') === 'EXTERNAL_PROVIDER'
    const userName = textMember(attributes, 'preferred_username') ?? textMember(row, 'Username')
    const isGenerated = isFederated || uuidOf(userName) !== undefined || userName?.includes('@')
    const [birthday, zone] = [textMember(attributes, 'birthdate'), textMember(attributes, 'zoneinfo')]
    const isBirthday = birthday !== undefined && /^(19|20)\d\d-\d\d-\d\d$/.test(birthday)
    const isZone = zone !== undefined && isTimeZone(zone)
    const lang = textMember(attributes, 'locale')
    return mapped(
      {
        external_id: textMember(attributes, 'sub'),
        email: textMember(attributes, 'email'),
        is_verified: flagOf(attributes, 'email_verified'),
        name: textMember(attributes, 'given_name'),
        last_name: textMember(attributes, 'family_name'),
        display_name: textMember(attributes, 'name', 'nickname'),
        user_name: isGenerated ? undefined : userNameOf(userName),
        gender: textMember(attributes, 'gender'),
        dob: isBirthday ? birthday : undefined,
        phone: textMember(attributes, 'phone_number'),
        phone_trusted: flagOf(attributes, 'phone_number_verified'),
        picture: httpsUrl(textMember(attributes, 'picture')),
        lang: languageTag(lang),
        tmz: isZone ? zone : undefined,
        created_at: timeOf(row, 'UserCreateDate'),
        updated_at: timeOf(row, 'UserLastModifiedDate'),
        blocked: blockedIf(flagOf(row, 'Enabled') === false, 'Cognito'),
        metadata: copiedData(custom, options.metadata),
        identities,
      },
      {
        'creation time': isLostTime(row, 'UserCreateDate'),
        ...lost,
        'password (Cognito does not export passwords)': !isFederated,
        'user name': !isGenerated && userName && !userNameOf(userName),
        'date of birth': !isBirthday && birthday,
        language: lang && !languageTag(lang),
        'time zone': !isZone && zone,
        picture: isLostPicture(textMember(attributes, 'picture')),
        'custom attributes': !isAllCopied(custom, options.metadata),
        'second factors': memberOf(row, 'MFAOptions'),
      },
    )
  },
}

/** Cognito exports the attributes as a list of name-value pairs. */
const attributesOf = (row: Row): Row =>
  Object.fromEntries(
    rowsIn(row, 'Attributes').flatMap((attribute) => {
      const name = textMember(attribute, 'Name')
      return name ? [[name, memberOf(attribute, 'Value')]] : []
    }),
  )

const customOf = (attributes: Row): Row =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      name.startsWith('custom:') ? [[name.slice('custom:'.length), value]] : [],
    ),
  )

function federated(attributes: Row) {
  const identities = parsedMember(attributes, 'identities')
  return (Array.isArray(identities) ? identities.filter(isRow) : []).map((identity) => ({
    provider: textMember(identity, 'providerType'),
    subject: textMember(identity, 'userId'),
    linked_at: timeOf(identity, 'dateCreated'),
  }))
}
