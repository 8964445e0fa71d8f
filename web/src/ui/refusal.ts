import { ApiError } from '#src/api/error.ts'

/** Codes of failures in which the server said nothing itself. */
const SILENT = new Set(['unreachable', 'unknown'])

/** Returns the server's own sentence for a failure; where it gave none, the catalogue's. */
export const sentenceOf = (error: Error, otherwise: string): string =>
  error instanceof ApiError && !SILENT.has(error.code) ? error.message : otherwise
