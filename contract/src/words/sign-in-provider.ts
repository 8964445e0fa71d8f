/** Roles that a group at an organisation's identity provider can map to. */
export const GROUP_ROLES = ['user', 'admin'] as const
export type GroupRole = (typeof GROUP_ROLES)[number]

/** Returns the DNS TXT record that proves ownership of a domain. */
export const domainRecord = (token: string): string => `trainyard-verification=${token}`

/** Path of the page that identity providers redirect browsers to. */
export const SIGN_IN_PAGE = '/sign-in'
