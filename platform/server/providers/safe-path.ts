import { hasNoPathTraversal } from '../../contract/words/path-traversal.ts'

/** Returns true if every part of the path is a plain name: not empty, `..` or escaped, without `?` or `#`. */
export const isSafePath = (text: string): boolean => hasNoPathTraversal(text)

export const isSafePathPart = (text: string): boolean => hasNoPathTraversal(text) && !text.includes('/')
