/** Pages of somebody who is signed in. */
export const account = {
  title: 'Your account',
  signOut: 'Sign out',
  entries: {
    overview: 'Overview',
  },
  /** What was just done. */
  done: {
    confirmed: 'Thank you. You can go on now.',
  },
  overview: {
    signedInAs: 'Signed in as',
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
