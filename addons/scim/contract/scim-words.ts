/** First characters of every SCIM token, which secret scanners search for. */
export const SCIM_TOKEN_PREFIX = 'try_scim_'
export const SCIM_TOKEN_DAYS_DEFAULT = 365
export const SCIM_TOKEN_DAYS_MAX = 730
/** Maximum number of active tokens of an organisation. */
export const SCIM_TOKENS_MAX = 10

/** Path of the endpoint. */
export const SCIM_PATH = '/scim/v2'

/** Access levels that a group can give. */
export const GROUP_ROLES = ['user', 'admin'] as const
export type ScimGroupRole = (typeof GROUP_ROLES)[number]
