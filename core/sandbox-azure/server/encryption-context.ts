/** Encryption context of the Temporary Access Pass of an Azure lab user. */
export const accessPassContext = (user: string): string => `access pass of ${user}`
