/** Encryption context of a user's app secret. */
export const appSecretContext = (user: string): string => `authenticator app of ${user}`
