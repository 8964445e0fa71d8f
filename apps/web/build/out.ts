import { join } from 'node:path'

export const out = join(import.meta.dirname, '..', process.env['WEB_OUT'] || 'dist')
