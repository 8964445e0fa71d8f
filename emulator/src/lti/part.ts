import { mountLti } from '#src/lti/mount.ts'
import type { Part } from '#src/part.ts'

export const lmsPart: Part = { name: 'lti', mount: mountLti }
