import type { OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'

/** How the portal and its users reach the machines, by default at a public address. Empty: a public address. */
export const templateAddress = slot<{ network: string; choose: (network: string) => void }>('templates.address')

/** Chooses the image of a template, above the fields of its form. */
export const templateImage = slot<{
  imageId: string
  choose: (image: { imageId: string | null; location: string; os: (typeof OPERATING_SYSTEMS)[number] }) => void
  /** Clears the image, so that the user can enter an image ID manually. */
  clear: () => void
}>('templates.image')
