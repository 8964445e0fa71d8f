/** Encryption context of the key that signs a private network's tickets. */
export const ticketKeyContext = (network: string): string => `tickets of network ${network}`
