import { staysInPlace } from '@trainyard/contract/words/image-id.ts'

/**
 * Returns true when every part of a provider's path is a name: none is empty, leads up, is escaped, or ends the path.
 */
export const isPath = (text: string): boolean => staysInPlace(text)

/** Returns true when a text is one name of such a path. */
export const isPathPart = (text: string): boolean => staysInPlace(text) && !text.includes('/')
