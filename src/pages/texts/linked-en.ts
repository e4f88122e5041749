/** Accounts of other services that sign the person in. */
export const linked = {
  title: 'Linked accounts',
  sentence:
    'With a linked account of another service you sign in here without a password. They see nothing of this account.',
  yours: 'Linked',
  none: 'None yet.',
  since: (date: string) => `Linked ${date}`,
  used: (date: string) => `last used ${date}`,
  unlink: 'Unlink',
  unlinkNamed: (name: string) => `Unlink ${name}`,
  add: 'Link another account',
  link: (name: string) => `Link ${name}`,
  goOn: (name: string) => `Continue to ${name}`,
  goOnText: (name: string) => `${name} asks you to sign in there, then you come back here.`,
  endsSessions: 'Linking and unlinking end your other sessions.',
  done: {
    linked: 'The account is linked. From now on it signs you in, too.',
    unlinked: 'The account is no longer linked.',
  },
  refusals: {
    LAST_SIGN_IN_METHOD:
      'This is your only way to sign in. Set a password, confirm your email address or add a passkey first.',
    NOT_FOUND: 'This account is not linked any more.',
    access_denied: 'You cancelled it there. Nothing was changed.',
    account_exists: 'This account of the other service is linked to another account here.',
    invalid_state: 'That took too long, or another window came in between. Try again.',
    provider_error: 'The other service did not answer as it should. Try again.',
    rate_limited: 'Too many attempts. Wait a few minutes and try again.',
  },
}
