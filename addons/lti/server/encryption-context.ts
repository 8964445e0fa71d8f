/** Encryption context of the key that signs messages to an LMS. */
export const lmsKeyContext = (platform: string): string => `messages to LMS ${platform}`
