/** Pages of somebody who is signed in. */
export const account = {
  title: 'Your account',
  signOut: 'Sign out',
  entries: {
    overview: 'Overview',
    sessions: 'Sessions and devices',
    security: 'Security',
    linked: 'Linked accounts',
    privacy: 'Privacy',
    onboarding: 'About you',
  },
  /** What was just done. */
  done: {
    confirmed: 'Thank you. You can go on now.',
    session_ended: 'This session has ended.',
    others_ended: 'All other sessions have ended.',
  },
  overview: {
    signedInAs: 'Signed in as',
  },
  sessions: {
    title: 'Sessions and devices',
    sentence:
      'These browsers and apps are signed in to your account. End what you do not know, and change your password.',
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknownDevice: 'Unknown device',
    current: 'This one',
    waiting: 'Waits for a code',
    lastUsed: (time: string) => `Last used ${time}`,
    since: (day: string) => `Signed in on ${day}`,
    end: 'End',
    endOf: (device: string, address: string) => `End the session of ${device}, ${address}`,
    endOthersTitle: 'Everywhere else',
    endOthersText: 'All sessions but this one end. Browsers that need not confirm a sign-in will have to again.',
    endOthers: 'End all other sessions',
    refusals: {
      NOT_FOUND: 'This session had ended already.',
    },
  },
  confirm: {
    title: 'Confirm that it is you',
    why: 'You signed in a while ago, and this concerns the safety of your account.',
    password: 'Password',
    byPassword: 'Please enter your password.',
    nothing: 'There is no password or second factor to confirm it with. Sign out and in again, then come back.',
    signOut: 'Sign out and sign in again',
    refusals: {
      INVALID_CURRENT_PASSWORD: 'This password is not right.',
      INVALID_CODE: 'This code is not right, or not valid any more.',
      VALIDATION_ERROR: 'Enter what is asked for.',
      PASSKEY: 'The passkey was not accepted. Try again, or use another way.',
    },
  },
}
