import { join } from 'node:path'

/** Absolute path of the build folder: web/dist, or the folder named by WEB_OUT. */
export const out = join(import.meta.dirname, '..', process.env['WEB_OUT'] || 'dist')
