/** Maximum size in bytes of a file transferred through the browser. */
export const FILE_BYTES_MAX = 1024 ** 3
/** Bytes per upload chunk. An interrupted chunk is sent again. */
export const FILE_PIECE_BYTES = 1024 * 1024
/** Maximum number of concurrent transfers per user, and per server process for all users. */
export const FILES_PER_PERSON = 3
export const FILES_PER_PROCESS = 40
/** Maximum number of unfinished transfers per user. */
export const FILES_UNFINISHED_MAX = 20
/** Maximum number of folder entries shown. */
export const FOLDER_ENTRIES_MAX = 1_000
/** Maximum length of a path on a machine, in characters. */
export const FILE_PATH_LENGTH = 4_096
/** Maximum length of a file name in bytes. This is the limit of Linux. */
export const FILE_NAME_BYTES = 255

/** Transfer directions as seen by the user. */
export const FILE_DIRECTIONS = ['upload', 'download'] as const
export type FileDirection = (typeof FILE_DIRECTIONS)[number]

export const FILES = {
  notAllowed: (training: string) => `Files are not moved by the browser in ${training}. Its admin can allow it.`,
  onlyLinux: 'Files are moved by the browser to and from Linux machines alone.',
  tooLarge: 'A file may have a size of at most 1 GB.',
  busy: `You move ${FILES_PER_PERSON} files already. Wait until one of them is done.`,
  portalBusy: 'The portal moves as many files as it can just now. Please try again in a minute.',
  unfinished: `You have ${FILES_UNFINISHED_MAX} files that are not done. Finish or give up one of them.`,
  over: 'This transfer is over. Begin another one.',
  elsewhere: 'This file is being moved in another tab. Wait until that is done.',
  offset: 'The portal has another part of this file. It goes on from there.',
  changedOnTheWay: 'A part of the file was changed on its way. It is sent again.',
  exists: (name: string) => `${name} is there already. Choose Replace to put this file in its place.`,
  absent: (path: string) => `There is no ${path} on the machine.`,
  denied: (path: string) => `The machine does not let its account do that with ${path}.`,
  noFile: (path: string) => `${path} is no file. Choose a file.`,
  noFolder: (path: string) => `${path} is no folder. Choose a folder.`,
  failed: (path: string) => `The machine could not do that with ${path}. Its disk may be full.`,
  lost: (path: string) => `The connection to the machine broke while ${path} was moved. Resume it.`,
  shrank: 'The file became shorter while it was read. Download it again.',
  stalled: 'Nothing was moved for a minute. Resume it.',
  done: 'Done.',
  givenUp: 'Given up.',
  expired: 'Nobody went on with it for a day.',
} as const

/**
 * Returns a file name that is safe to display: control characters and characters that change the text direction are
 * replaced.
 */
export const shownName = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd')

/** Returns the last segment of a path. */
export const nameOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path below `/api` of the transfers' contents. GET reads a download, PUT `/<offset>` writes a chunk of an upload. */
export const TRANSFERS = '/remote/transfers'
