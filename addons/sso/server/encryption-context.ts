/** Encryption context of the client secret of an organisation's identity provider. */
export const clientSecretContext = (organisation: string): string => `identity provider ${organisation}`
