/** The roles that a group at an organisation's provider may stand for. */
export const GROUP_ROLES = ['user', 'admin'] as const
export type GroupRole = (typeof GROUP_ROLES)[number]

/** A domain's DNS must publish this text before the domain is verified. */
export const domainRecord = (token: string): string => `trainyard-verification=${token}`

/** The page that providers send browsers back to. */
export const SIGN_IN_PAGE = '/sign-in'
