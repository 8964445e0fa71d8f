import type { OPERATING_SYSTEMS } from '@trainyard/platform/contract/words/limits.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { slot } from '@trainyard/platform/web/shell/module.ts'
import type { template } from '../contract/template.ts'

/** How the portal and its users reach the machines, by default at a public address. Empty: a public address. */
export const templateAddress = slot<{ network: string; choose: (network: string) => void }>('templates.address')

/** Shows the entered card as it will be offered, below the fields of its form. The rate is NaN if it is no number. */
export const templatePreview =
  slot<Pick<ReplyOf<typeof template.orderable>['templates'][number], 'name' | 'rate' | 'display' | 'creation'>>(
    'templates.preview',
  )

/** Chooses the image of a template, above the fields of its form. */
export const templateImage = slot<{
  imageId: string
  choose: (image: { imageId: string | null; location: string; os: (typeof OPERATING_SYSTEMS)[number] }) => void
  /** Clears the image, so that the user can enter an image ID manually. */
  clear: () => void
}>('templates.image')
