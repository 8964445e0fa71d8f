import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

/** Ten times what a run was seen to need at most. */
const ROOM = 2 * 2 ** 30

/**
 * Linux's folder in memory, or null where there is none or little room. No data of a test has to outlive it, and where
 * many make databases at once a disk costs more time than all else.
 */
export function memoryFolder(): string | null {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return Math.min(bavail * bsize, freemem()) >= ROOM ? folder : null
  } catch {
    return null
  }
}
