import type { Part } from '#src/part.ts'
import { mountDirectory } from '#src/scim/mount.ts'

export const directoryPart: Part = { name: 'scim', mount: mountDirectory }
