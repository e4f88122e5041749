/** The member of a user's details with their latest decisions. */
export const decisionsMember = 'privacy_history'
