import { join } from 'node:path'

/** The absolute path of the folder that a build goes to: web/dist, unless WEB_OUT names another beside it. */
export const out = join(import.meta.dirname, '..', process.env['WEB_OUT'] || 'dist')
