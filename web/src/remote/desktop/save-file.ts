import type { DesktopOffer } from '@trainyard/contract/calls/remote.ts'

/** Saves an .rdp file for the computer's own remote desktop client. */
export function saveFile({ name, text }: DesktopOffer['file']): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-rdp' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
