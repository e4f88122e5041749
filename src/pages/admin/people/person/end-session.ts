/** Ending a single session needs no confirmation page, because the user can sign in again. */
export const endSessionName = 'end-session'
