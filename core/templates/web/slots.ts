import type { OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** Chooses the image of a template, above the fields of its form. */
export const templateImage = slot<{
  imageId: string
  choose: (image: { imageId: string | null; location: string; os: (typeof OPERATING_SYSTEMS)[number] }) => void
  /** Clears the image, so that the user can enter an image ID manually. */
  clear: () => void
}>('templates.image')
