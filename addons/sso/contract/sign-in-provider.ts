export const GROUP_ROLES = ['user', 'admin'] as const
export type GroupRole = (typeof GROUP_ROLES)[number]

export const domainRecord = (token: string): string => `trainyard-verification=${token}`

export const SIGN_IN_PAGE = '/sign-in'
