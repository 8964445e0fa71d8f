import { staysInPlace } from '@trainyard/contract/words/image-id.ts'

/** Whether every name of a path at a provider is one: none is empty, leads up, is escaped, or ends the path. */
export const isPath = (text: string): boolean => staysInPlace(text)

/** Whether a text is one name of such a path. */
export const isPathPart = (text: string): boolean => staysInPlace(text) && !text.includes('/')
