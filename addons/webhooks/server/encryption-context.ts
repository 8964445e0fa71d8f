/** Encryption context of the secrets that sign an endpoint's webhooks. */
export const webhookSecretContext = (endpoint: string): string => `webhook endpoint ${endpoint}`
