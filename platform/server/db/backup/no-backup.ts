/** Error with a sentence for the operator. Nothing was changed. */
export class NoBackup extends Error {
  override readonly name = 'NoBackup'
}

/** Returns the sentence for an error of a file or a stream. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'its folder is a file'
  return code !== undefined && FULL.has(code) ? 'the disk is full' : message
}

/** EFBIG: the limit of the process or of the file system for one file. 53100: `disk_full` of PostgreSQL. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100'])
