const descriptions: Record<string, string> = {
  'Sign-in': 'Password and passkey.',
  Registration: 'New users of their own accord.',
  Sessions: 'What a session says, how long it lives, and its end.',
  Bridge: 'For back ends, with the bridge secret.',
  'Passwordless sign-in': 'Links and codes by mail or text message.',
  'E-mail verification': 'Proof that an address belongs to its user.',
  Passwords: 'Reset, change and confirmation.',
  'E-mail change': 'A new login address, confirmed by both inboxes.',
  Profile: 'What users say about themselves.',
  'Sign-in with other providers': 'OAuth 2 and OpenID Connect.',
  'Set-up': 'The first superadmin.',
  Administration: 'Users, for administrators.',
  Modules: 'Installation and updates of modules.',
  Health: 'For load balancers and supervisors.',
}

export const addTags = (tags: Readonly<Record<string, string>>): void => void Object.assign(descriptions, tags)

export const describeTags = (names: Iterable<string>) =>
  [...names].map((name) => ({ name, ...(descriptions[name] && { description: descriptions[name] }) }))
