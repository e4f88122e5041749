/** Ending one session needs no page that asks first: the button stands next to the session, which can sign in again. */
export const endSessionName = 'end-session'
