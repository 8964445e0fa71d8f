import { mountLti } from './mount.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'

export const lmsPart: Part = { name: 'lti', mount: mountLti }
