export const FILE_BYTES_MAX = 1024 ** 3
/** An interrupted chunk is sent again. */
export const FILE_PIECE_BYTES = 1024 * 1024
/** Maximum number of concurrent transfers per user. */
export const TRANSFERS_PER_USER_MAX = 3
export const FILES_UNFINISHED_MAX = 20
export const FOLDER_ENTRIES_MAX = 1_000
export const FILE_PATH_LENGTH = 4_096
/** The limit of Linux. */
export const FILE_NAME_BYTES = 255

export const FILE_DIRECTIONS = ['upload', 'download'] as const
export type FileDirection = (typeof FILE_DIRECTIONS)[number]

export const FILE_MESSAGES = {
  notAllowed: (training: string) =>
    `File transfers in the browser are not allowed in ${training}. Its admin can allow them.`,
  onlyLinux: 'File transfers in the browser are available for Linux machines only.',
  tooLarge: 'The maximum file size is 1 GB.',
  busy: `You already have ${TRANSFERS_PER_USER_MAX} file transfers in progress. Wait until one of them is done.`,
  portalBusy: 'Too many file transfers are in progress. Please try again in a minute.',
  unfinished: `You have ${FILES_UNFINISHED_MAX} unfinished transfers. Finish or cancel one of them.`,
  ended: 'This transfer has ended. Start a new one.',
  inOtherTab: 'This file is being transferred in another tab. Wait until it is done.',
  offset: 'The portal already has a different part of this file. The transfer continues from there.',
  chunkDamaged: 'A part of the file was damaged during the transfer. Sending it again.',
  exists: (name: string) => `${name} already exists. Choose Replace to overwrite it.`,
  absent: (path: string) => `${path} does not exist on the machine.`,
  denied: (path: string) => `The machine’s account has no permission for ${path}.`,
  noFile: (path: string) => `${path} is not a file. Choose a file.`,
  noFolder: (path: string) => `${path} is not a folder. Choose a folder.`,
  failed: (path: string) => `The machine could not read or write ${path}. Its disk may be full.`,
  lost: (path: string) => `The connection to the machine was lost while ${path} was transferred. Resume the transfer.`,
  becameShorter: 'The file became shorter during the download. Download it again.',
  stalled: 'No data was transferred for a minute. Resume the transfer.',
  done: 'Done.',
  cancelled: 'Cancelled.',
  expired: 'Expired after a day without progress.',
} as const

/** Replaces control characters and characters that change the text direction. */
export const displayFileName = (name: string): string =>
  name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd')

export const nameOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path below `/api` of the transfers' contents. GET reads a download, PUT `/<offset>` writes a chunk of an upload. */
export const TRANSFERS = '/remote/transfers'
