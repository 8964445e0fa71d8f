import type { Part } from '@trainyard/platform/emulator/part.ts'
import { mountDirectory } from './mount.ts'

export const directoryPart: Part = { name: 'scim', mount: mountDirectory }
