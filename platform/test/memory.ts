import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

/** Required space: ten times the largest use that was measured in a run. */
const ROOM = 2 * 2 ** 30

/**
 * Returns Linux's memory folder; null if it is missing or has little space. Test data need not outlive the run, and the
 * disk is the bottleneck when many databases are created at once.
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
